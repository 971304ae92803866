import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Location, Message, Metafile } from "esbuild";
import { BuildError, quote } from "../errors.ts";
import { runtime } from "../runtime.ts";

/** What esbuild says of an import whose name is only known at run time. */
export const COMPUTED = {
  "unsupported-dynamic-import": "warning",
  "unsupported-require-call": "warning",
  "indirect-require": "warning",
} as const;

export const isOfNames = ({ id }: Message): boolean => Object.hasOwn(COMPUTED, id);
export const isComputed = (message: Message): boolean => isOfNames(message) && !isTypeof(message.location);

/** Half of the packages look whether there is a `require`. */
function isTypeof(location: Location | null): boolean {
  return (
    location !== null && /typeof[\s(]*$/.test(Buffer.from(location.lineText).subarray(0, location.column).toString())
  );
}

/**
 * A computed import that is left over looks for its file in the working directory of whoever runs the executable, and one
 * that esbuild bundles by a pattern knows its files by other names than the source does. Packages are let be: theirs are
 * mostly on roads that nobody goes.
 */
export function refuseComputed(warnings: readonly Message[], { inputs }: Metafile, root: string): void {
  const place = warnings
    .filter(isComputed)
    .map(({ location }) => location)
    .find((location) => location && isAuthors(location.file, root));
  if (place) throw computed(`${place.file}:${place.line}`, place.lineText.trim());
  for (const [file, { imports }] of Object.entries(inputs)) {
    const pattern = imports.find(({ path }) => path.includes("**"));
    if (pattern && isAuthors(file, root)) throw computed(...placeOf(file, pattern.path, root));
  }
}

export const isRuntimes = (file: string, root: string) => dirname(resolve(root, file)) === runtime.folder;
/** Whether a file is of a package that the tool depends on; the runtime may be installed among them. */
export const isPackages = (file: string, root: string) =>
  /(^|[\\/])node_modules[\\/]/.test(file) && !isRuntimes(file, root);
export const isAuthors = (file: string, root: string) => !isPackages(file, root) && !isRuntimes(file, root);
/** Whether an input of a bundle is a file with code, and nothing that a plugin made. */
export const isSource = (file: string) => /^(?![\w()<>-]{2,}:).*\.[cm]?[jt]sx?$/.test(file);

/** Nothing where it cannot be read: esbuild writes a backslash in a name as a slash. */
export function sourceOf(file: string, root: string): string | undefined {
  try {
    return readFileSync(resolve(root, file), "utf8");
  } catch {
    return undefined;
  }
}

function computed(place: string, source: string): BuildError {
  return new BuildError(`${place} imports what only shows at run time: ${source}`, {
    hint: 'import each file by its own name, such as { add: () => import("./cmds/add.ts") }',
  });
}

/** The line with the beginning of a pattern: esbuild does not tell where it found one. */
function placeOf(file: string, pattern: string, root: string): [place: string, source: string] {
  const beginning = pattern.slice(0, pattern.indexOf("**"));
  const lines = readFileSync(resolve(root, file), "utf8").split("\n");
  const index = lines.findIndex((line) => /\b(import|require)\s*\(/.test(line) && line.includes(beginning));
  return index < 0 ? [file, quote(pattern)] : [`${file}:${index + 1}`, (lines[index] as string).trim()];
}

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Location, Message, Metafile } from "esbuild";
import { isAuthors } from "../bundle/inputs.ts";
import { BuildError, quote } from "../errors.ts";

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

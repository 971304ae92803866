import { access, constants, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import { readPackageJSON, resolvePackageJSON } from "pkg-types";
import { type Engine, findBun } from "./bun.ts";
import { BuildError, quote } from "./errors.ts";
import type { StepName } from "./stopwatch.ts";

export type BuildOptions = {
  /** The tool's TypeScript (or JavaScript) file. */
  entry: string;
  /** Where the executable goes; `./math` for `math.ts`. */
  outfile?: string | undefined;
  /** What relative paths start from; the working directory of the process. */
  cwd?: string | undefined;
  /** The Bun to build with. */
  bun?: string | undefined;
  /** Whether the executable holds compiled code, which starts faster; true. */
  bytecode?: boolean | undefined;
  /** Whether its code is minified; true. */
  minify?: boolean | undefined;
  /** Whether the executable, on Linux, answers for itself before Bun starts and is deaf to Bun's variables; true. */
  prelude?: boolean | undefined;
  /** Seconds that the tool may take to load; 10. */
  timeout?: number | undefined;
  /** Told of each step as it starts. */
  onStep?: ((name: StepName) => void) | undefined;
  /** Given what the tool printed while it was loaded. */
  onPrint?: ((text: string) => void) | undefined;
};

/** All that is decided before any work is done. Paths are absolute. */
export type Plan = {
  entry: string;
  outfile: string;
  /** The tool's package: where its zod is looked for, and what relative names start from. */
  root: string;
  tsconfig: string | undefined;
  package: { name?: string | undefined; version?: string | undefined };
  /** False where the package says that importing some of its files does nothing. */
  sideEffects: boolean;
  engine: Engine;
  bytecode: boolean;
  minify: boolean;
  prelude: boolean;
  timeout: number;
  onPrint: (text: string) => void;
};

/** The options that `package.json` may hold under `"cfa"`. Its paths start from its own folder. */
const DEFAULTS = {
  outfile: "string",
  bun: "string",
  bytecode: "boolean",
  minify: "boolean",
  prelude: "boolean",
  timeout: "number",
} as const;

export async function plan(options: BuildOptions): Promise<Plan> {
  const cwd = resolve(options.cwd ?? ".");
  const given = resolve(cwd, options.entry);
  const entry = await readableFile(given, options.entry);
  const manifest = await resolvePackageJSON(dirname(entry)).catch(() => undefined);
  const root = dirname(manifest ?? entry);
  const { name, version, sideEffects = true, cfa } = manifest ? await readManifest(manifest) : {};
  const defaults = readDefaults(cfa, root);
  const { outfile = defaults.outfile ?? join(cwd, nameOf(given)), bun = defaults.bun } = options;
  return {
    entry,
    outfile: await writableFile(fileIn(cwd, outfile), entry),
    root,
    tsconfig: await findTsconfig(dirname(entry), root),
    package: { name, version },
    sideEffects: sideEffects === true,
    engine: await findBun(bun === undefined ? undefined : resolve(cwd, bun), dirname(entry)),
    bytecode: options.bytecode ?? defaults.bytecode ?? true,
    minify: options.minify ?? defaults.minify ?? true,
    prelude: process.platform === "linux" && (options.prelude ?? defaults.prelude ?? true),
    timeout: readTimeout(options.timeout ?? defaults.timeout ?? 10),
    onPrint: options.onPrint ?? (() => {}),
  };
}

/** A day; a timer holds little more. */
const MOST_SECONDS = 86_400;

function readTimeout(seconds: number): number {
  if (seconds > 0 && seconds <= MOST_SECONDS) return seconds;
  throw new BuildError(`a timeout of ${seconds} seconds`, {
    hint: `give a number of seconds, at most ${MOST_SECONDS}`,
  });
}

function nameOf(entry: string): string {
  const name = basename(entry, extname(entry));
  return process.platform === "win32" ? `${name}.exe` : name;
}

/** The file itself, where the path leads over links: its packages are those around it. */
async function readableFile(path: string, given: string): Promise<string> {
  const file = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === "ENOENT" || cause.code === "ENOTDIR" ? "no such file" : `cannot read it (${cause.code})`;
    throw new BuildError(`${why}: ${quote(given)}`, { cause, hint: "name the file that calls `new Tool({ … })`" });
  });
  if (!file.isFile())
    throw new BuildError(`${file.isDirectory() ? "a folder" : "no regular file"}: ${quote(given)}`, {
      hint: "name the tool's file",
    });
  await access(path, constants.R_OK).catch((cause: unknown) => {
    throw new BuildError(`cannot read ${quote(given)}`, { cause, hint: "it needs the permission to be read" });
  });
  return realpath(path);
}

/**
 * A regular file or nothing may stand where the executable goes; a link stands for where it leads, though nothing is there
 * yet.
 */
async function writableFile(outfile: string, entry: string): Promise<string> {
  const there = await stat(outfile).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return undefined;
    throw new BuildError(`cannot write ${quote(outfile)}: ${cause.code}`, {
      cause,
      hint: "name another path with --outfile",
    });
  });
  if (!there) return endOf(outfile);
  if (!there.isFile())
    throw new BuildError(`the outfile ${quote(outfile)} is ${there.isDirectory() ? "a folder" : "no regular file"}`, {
      hint: "name a file with --outfile",
    });
  const path = await realpath(outfile);
  if (path === entry)
    throw new BuildError(`the outfile ${quote(outfile)} is the tool itself`, {
      hint: "name another file with --outfile",
    });
  return path;
}

async function endOf(path: string): Promise<string> {
  const target = await readlink(path).catch(() => undefined);
  return target === undefined ? path : endOf(resolve(await realpath(dirname(path)), target));
}

function fileIn(folder: string, outfile: string): string {
  if (!outfile.endsWith("/") && !outfile.endsWith(sep)) return resolve(folder, outfile);
  throw new BuildError(`the outfile ${quote(outfile)} is a folder, by its name`, {
    hint: "name a file with --outfile",
  });
}

type PackageFile = { name?: string; version?: string; sideEffects?: unknown; cfa?: unknown };

async function readManifest(path: string): Promise<PackageFile> {
  const manifest = await readPackageJSON(path).catch((cause: unknown) => {
    throw new BuildError(`cannot read ${quote(path)}`, { cause, hint: "mend its JSON" });
  });
  return (manifest as PackageFile | null) ?? {};
}

type Defaults = {
  outfile?: string;
  bun?: string;
  bytecode?: boolean;
  minify?: boolean;
  prelude?: boolean;
  timeout?: number;
};

function readDefaults(cfa: unknown = {}, root: string): Defaults {
  if (typeof cfa !== "object" || cfa === null || Array.isArray(cfa)) throw wrongDefault("it is no object");
  for (const [key, value] of Object.entries(cfa)) {
    const type = Object.hasOwn(DEFAULTS, key) && DEFAULTS[key as keyof typeof DEFAULTS];
    if (!type) throw wrongDefault(`there is no option ${quote(key)}`);
    if (typeof value !== type) throw wrongDefault(`${quote(key)} is no ${type}`);
  }
  const { outfile, bun, ...rest } = cfa as Defaults;
  return { ...rest, ...(outfile && { outfile: fileIn(root, outfile) }), ...(bun && { bun: resolve(root, bun) }) };
}

function wrongDefault(why: string): BuildError {
  return new BuildError(`the key "cfa" in package.json: ${why}`, {
    hint: `its options are ${Object.keys(DEFAULTS).join(", ")}`,
  });
}

/** The nearest `tsconfig.json` from the tool's folder up to its package; what lies above is somebody else's. */
async function findTsconfig(folder: string, root: string): Promise<string | undefined> {
  const path = join(folder, "tsconfig.json");
  if (await stat(path).catch(() => undefined)) return path;
  return folder === root || relative(root, folder).startsWith("..") ? undefined : findTsconfig(dirname(folder), root);
}

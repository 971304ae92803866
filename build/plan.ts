import { access, constants, realpath, stat } from "node:fs/promises";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { readPackageJSON, resolvePackageJSON } from "pkg-types";
import { type Defaults, readDefaults } from "./defaults.ts";
import { type Engine, findBun } from "./engine/bun.ts";
import type { Target } from "./engine/targets.ts";
import { BuildError, quote } from "./errors.ts";
import { type Product, productsOf, targetOfEngine } from "./release/products.ts";
import type { StepName } from "./stopwatch.ts";

export type BuildOptions = {
  /** The tool's TypeScript (or JavaScript) file. */
  entry: string;
  /** Where the executable goes; `./math` for `math.ts`, with its name behind for another target than this machine. */
  outfile?: string | undefined;
  /** Where several executables go, and what comes with them. */
  outdir?: string | undefined;
  /** The kinds of machines to build for, `host` and `all` among them; this one. */
  targets?: readonly string[] | undefined;
  /** What relative paths start from; the working directory of the process. */
  cwd?: string | undefined;
  /** The Bun to build with. */
  bun?: string | undefined;
  /** Holds Bun for other targets, as packages or tarballs of npm's; else npm gets them. */
  bunDir?: string | undefined;
  /** Whether the executable holds compiled code, which starts faster; true. */
  bytecode?: boolean | undefined;
  /** Whether its code is minified; true. */
  minify?: boolean | undefined;
  /** Whether the executable, on Linux, answers for itself before Bun starts and is deaf to Bun's variables; true. */
  prelude?: boolean | undefined;
  /** Seconds that the tool may take to load; 10. */
  timeout?: number | undefined;
  /** Whether a bill of materials comes with the executables; false. */
  sbom?: boolean | undefined;
  /** Whether the licences of what is inside come with them; false. */
  licenses?: boolean | undefined;
  /** Whether each executable comes packed as well; false. */
  archive?: boolean | undefined;
  /** Told of each step as it starts, and of its target where there are several. */
  onStep?: ((name: StepName, target?: string) => void) | undefined;
  /** Given what the tool printed while it was loaded. */
  onPrint?: ((text: string) => void) | undefined;
};

/** All that is decided before any work is done. Paths are absolute. */
export type Plan = {
  entry: string;
  /** The file name of the tool, without its extension. */
  name: string;
  products: readonly Product[];
  /** That of the first. */
  outfile: string;
  /** Whether they go into a folder of their own, with their sums. */
  outdir: boolean;
  /** The tool's package: where its zod is looked for, and what relative names start from. */
  root: string;
  tsconfig: string | undefined;
  package: { name?: string | undefined; version?: string | undefined };
  /** False where the package says that importing some of its files does nothing. */
  sideEffects: boolean;
  engine: Engine;
  /** The target that the engine is for. */
  host: Target;
  bunDir: string | undefined;
  bytecode: boolean;
  minify: boolean;
  prelude: boolean;
  sbom: boolean;
  licenses: boolean;
  archive: boolean;
  /** Whether anything comes with the executables. */
  comesWithMore: boolean;
  timeout: number;
  onPrint: (text: string) => void;
};

export async function plan(options: BuildOptions): Promise<Plan> {
  const cwd = resolve(options.cwd ?? ".");
  const given = resolve(cwd, options.entry);
  const entry = await readableFile(given, options.entry);
  const manifest = await resolvePackageJSON(dirname(entry)).catch(() => undefined);
  const root = dirname(manifest ?? entry);
  const { name: packageName, version, sideEffects = true, cfa } = manifest ? await readManifest(manifest) : {};
  const { outfile, outdir, targets = [], bun, bunDir, ...settings } = settingsOf(options, readDefaults(cfa, root));
  const { bytecode = true, minify = true, prelude = true, timeout = 10, onPrint = () => {} } = settings;
  const { sbom = false, licenses = false, archive = false } = settings;
  const name = basename(given, extname(given));
  const engine = await findBun(bun === undefined ? undefined : resolve(cwd, bun), dirname(entry));
  const host = await targetOfEngine(engine);
  const products = await productsOf({ name, targets, outfile, outdir, cwd }, entry, host);
  return {
    entry,
    name,
    products,
    outfile: products[0].outfile,
    outdir: outdir !== undefined,
    root,
    tsconfig: await findTsconfig(dirname(entry), root),
    package: { name: packageName, version },
    sideEffects: sideEffects === true,
    engine,
    host,
    bunDir: bunDir === undefined ? undefined : resolve(cwd, bunDir),
    bytecode,
    minify,
    prelude,
    sbom,
    licenses,
    archive,
    comesWithMore: outdir !== undefined || sbom || licenses || archive,
    timeout: readTimeout(timeout),
    onPrint,
  };
}

/** What is said here counts before what the package says; of the places for what is made, either says all. */
function settingsOf(options: BuildOptions, { outfile, outdir, ...defaults }: Defaults): BuildOptions {
  const said = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const places = "outfile" in said || "outdir" in said ? {} : { outfile, outdir };
  return { ...defaults, ...places, ...said, entry: options.entry };
}

/** A day; a timer holds little more. */
const MOST_SECONDS = 86_400;

function readTimeout(seconds: number): number {
  if (seconds > 0 && seconds <= MOST_SECONDS) return seconds;
  throw new BuildError(`a timeout of ${seconds} seconds`, {
    hint: `give a number of seconds, at most ${MOST_SECONDS}`,
  });
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

type PackageFile = { name?: string; version?: string; sideEffects?: unknown; cfa?: unknown };

async function readManifest(path: string): Promise<PackageFile> {
  const manifest = await readPackageJSON(path).catch((cause: unknown) => {
    throw new BuildError(`cannot read ${quote(path)}`, { cause, hint: "mend its JSON" });
  });
  return (manifest as PackageFile | null) ?? {};
}

/** The nearest `tsconfig.json` from the tool's folder up to its package; what lies above is somebody else's. */
async function findTsconfig(folder: string, root: string): Promise<string | undefined> {
  const path = join(folder, "tsconfig.json");
  if (await stat(path).catch(() => undefined)) return path;
  return folder === root || relative(root, folder).startsWith("..") ? undefined : findTsconfig(dirname(folder), root);
}

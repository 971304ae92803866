import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import * as esbuild from "esbuild";
import type { SourceMaps } from "../../src/frames.ts";
import { close } from "../closed/close.ts";
import { COMPUTED, isOfNames, refuseComputed } from "../closed/computed.ts";
import { guards, type Leftovers, leftoversOf, NONE, stubs } from "../closed/leftovers.ts";
import { threads } from "../closed/threads.ts";
import { refuseWorkers } from "../closed/workers.ts";
import { BuildError, quote } from "../errors.ts";
import type { Plan } from "../plan.ts";
import { Lates } from "../rewrite/late.ts";
import { isOfType } from "../rewrite/makers.ts";
import { Namespaces } from "../rewrite/namespaces.ts";
import { runtime } from "../runtime.ts";
import { nameChunks } from "./chunks.ts";
import { isPackages, isZods } from "./inputs.ts";
import { mapsIn, withLeanMaps } from "./maps.ts";
import { type Package, packagesIn } from "./packages.ts";
import { withoutPlaces } from "./places.ts";
import { addons, effects, MAIN, type Rewriting, runtimeFor, sourcesOf, TOOL } from "./plugins.ts";
import { zodFor } from "./zod.ts";
import { withoutConverter } from "./zod3.ts";

/** The tool with its runtime and its dependencies, as modules of one folder. */
export type Bundle = {
  /** Holds `tool.js`, which runs the tool, the runtime's own entries, one for each file of it that starts something, and what they share. */
  folder: string;
  /** Lead from the files of the folder to the author's; those of the framework lead nowhere. */
  maps: SourceMaps;
  packages: Package[];
  warnings: string[];
  /** The specs that may be made late, and why others may not. */
  lates: Lates;
};

export async function bundle(plan: Plan, folder: string): Promise<Bundle> {
  const { built, lates, missing } = await complete(plan);
  const { warnings, metafile } = built;
  const files = filesOf(built, plan);
  const code = [...files].filter(([name]) => name.endsWith(".js"));
  await Promise.all(code.map(([name, text]) => writeFile(join(folder, name), text)));
  return {
    folder,
    maps: mapsIn(files),
    packages: await packagesIn(metafile.outputs, plan.root, runtime.folder),
    warnings: [
      ...warnings.filter((warning) => !isOfNames(warning) && !isOfType(warning)).map(({ text }) => text),
      ...missing.map((name) => `${quote(name)} is not there, so the executable will not find it either`),
    ],
    lates,
  };
}

/** The files by their names, with nothing in them of where they were made, and closed. */
function filesOf(built: Built, plan: Plan): ReadonlyMap<string, string> {
  const files = withLeanMaps(built.outputFiles, outdirOf(plan), plan.root);
  return close(nameChunks(withoutPlaces(files, built.metafile)), built, plan.root);
}

type Rewritten = { built: Built; lates: Lates };

/** Bundles; twice where the first time shows what would be looked for at run time. */
async function complete(plan: Plan): Promise<Rewritten & { missing: readonly string[] }> {
  const first = await rewritten(plan, NONE);
  const { warnings, metafile } = first.built;
  for (const { outfile } of plan.products) refuseSource(outfile, plan, metafile);
  refuseComputed(warnings, metafile, plan.root);
  refuseWorkers(metafile, plan.root);
  const leftovers = leftoversOf(first.built, plan.root);
  return leftovers ? { ...(await rewritten(plan, leftovers)), missing: leftovers.authors } : { ...first, missing: [] };
}

async function rewritten(plan: Plan, leftovers: Leftovers): Promise<Rewritten> {
  const made = await lean(plan, leftovers);
  if (typeof made !== "string") return made;
  const lates = new Lates();
  lates.refusals.push(`all schemas are made at every start, with the whole of Zod, because ${made}`);
  return { built: await plain(plan, leftovers), lates };
}

type Built = esbuild.BuildResult<ReturnType<typeof optionsOf>>;

/** With zod imported as a namespace and specs made late; or why that cannot be shown to mean the same. */
async function lean(plan: Plan, leftovers: Leftovers): Promise<Rewritten | string> {
  const rewriting = { namespaces: new Namespaces(), lates: new Lates() };
  const built = await esbuild.build(optionsOf(plan, leftovers, rewriting)).catch(() => undefined);
  if (!built) return "the tool does not bundle otherwise";
  if (!rewriting.namespaces.hold) return "a file speaks of zod's locales, or an import of zod is none";
  const other = otherUserOfZod(built.metafile, plan.root);
  return other === undefined ? { built, lates: rewriting.lates } : `${other} uses zod`;
}

/** A file of a package that uses zod, which nobody has looked into. */
function otherUserOfZod({ inputs }: esbuild.Metafile, root: string): string | undefined {
  const [file] = Object.entries(inputs).find(
    ([path, { imports }]) =>
      isPackages(path, root) && !isZods(path) && imports.some((imported) => isZods(imported.path)),
  ) ?? [undefined];
  return file;
}

/** As it stands in the source, which is also what an error must show. */
async function plain(plan: Plan, leftovers: Leftovers): Promise<Built> {
  try {
    return await esbuild.build(optionsOf(plan, leftovers));
  } catch (error) {
    throw isBuildFailure(error) ? failureOf(error) : error;
  }
}

/** Where the bundle would lie as esbuild sees it: what it makes depends on the way from there to the sources. */
const outdirOf = ({ root }: Plan) => join(root, ".cfa");

/** What Bun compiles: modules for itself, in memory. */
const MODULES = {
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "esnext",
  conditions: ["bun"],
  external: ["bun", "bun:*"],
  loader: { ".bin": "binary", ".wasm": "binary" },
  write: false,
  metafile: true,
} satisfies esbuild.BuildOptions;

function optionsOf(plan: Plan, leftovers: Leftovers, rewriting?: Rewriting) {
  const { entry, root, tsconfig, minify, sideEffects } = plan;
  return {
    absWorkingDir: root,
    entryPoints: { tool: TOOL, entry: runtime.entry, closed: runtime.closed, observe: runtime.observe },
    outdir: outdirOf(plan),
    chunkNames: "chunk-[hash]",
    ...MODULES,
    ...(tsconfig ? { tsconfig } : { tsconfigRaw: {} }),
    define: DEFINE,
    banner: { js: `var ${MAIN} = false;` },
    minifySyntax: minify,
    minifyWhitespace: minify,
    legalComments: "none",
    sourcemap: "external",
    sourcesContent: false,
    logLevel: "silent",
    logOverride: { "ignored-bare-import": "silent", ...COMPUTED },
    plugins: [
      sourcesOf(plan, rewriting),
      runtimeFor(dirname(entry)),
      zodFor(dirname(entry), rewriting?.namespaces),
      ...(rewriting ? [rewriting.lates.makers.plugin(root)] : []),
      addons,
      threads,
      ...(sideEffects ? [] : [effects]),
      stubs(leftovers),
      ...(leftovers.zod3 ? [] : [withoutConverter]),
      ...(leftovers.computed.size > 0 ? [guards(leftovers)] : []),
    ],
  } satisfies esbuild.BuildOptions;
}

const DEFINE = {
  "import.meta.main": MAIN,
  "import.meta.env": "process.env",
  "import.meta.require": "require",
  "import.meta.resolve": "__cfa_resolve", // which is of src/closed.ts
  "import.meta.resolveSync": "Bun.resolveSync",
  "Bun.env": "process.env", // one name, so that a second evaluation can put another environment in its place
  __dirname: "import.meta.dirname", // the executable's own at run time, not a folder of this machine
  __filename: "import.meta.filename",
};

/** A build must not write over a source, not even one of which only types are used, which esbuild does not tell of. */
function refuseSource(outfile: string, { root }: Plan, { inputs }: esbuild.Metafile): void {
  const isInput = Object.keys(inputs).some((input) => resolve(root, input) === outfile);
  if (!isInput && !(SOURCE.test(outfile) && existsSync(outfile))) return;
  throw new BuildError(`the outfile ${quote(outfile)} is a source${isInput ? " of the tool" : ", by its name"}`, {
    hint: "name another file with --outfile",
  });
}

const SOURCE = /\.([cm]?[jt]sx?|json)$/;
function failureOf({ errors }: esbuild.BuildFailure): BuildError {
  const [first] = errors;
  const [, missing] = /^Could not resolve "([^./][^"]*)"/.exec(first?.text ?? "") ?? [];
  const hint =
    typeof first?.detail === "string" ? first.detail : missing ? `npm install ${missing}` : "mend it in the source";
  const messages = errors.slice(0, 5).map((error) => (missing ? { ...error, notes: [] } : error)); // which speak of esbuild's flags
  const frames = esbuild.formatMessagesSync(messages, { kind: "error" });
  return new BuildError(`the tool does not bundle\n\n${frames.join("").trimEnd()}\n`, { hint });
}

function isBuildFailure(error: unknown): error is esbuild.BuildFailure {
  return error instanceof Error && "errors" in error && Array.isArray(error.errors);
}

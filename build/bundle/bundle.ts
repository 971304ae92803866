import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Lines } from "../../src/frames.ts";
import { BuildError, quote } from "../errors.ts";
import type { Answer, Graph, Request } from "../graph/request.ts";
import type { Plan } from "../plan.ts";
import { runtime } from "../runtime.ts";
import { runChild } from "../system/child.ts";
import { bundleFramework } from "./framework.ts";
import { type Package, packagesOf } from "./packages.ts";

/** The tool with its runtime and its dependencies, as modules of one folder. */
export type Bundle = {
  /** Holds `tool.js`, which loads the tool, and the runtime's own entries. */
  folder: string;
  /** The modules of the folder that are compiled, and the other files that they need, by their paths in it. */
  modules: readonly string[];
  others: readonly string[];
  hasAssets: boolean;
  /** What takes the place of our own files in an executable. */
  framework: ReadonlyMap<string, string>;
  /** The files by which the engine compiles them. */
  settings: readonly string[];
  /** What the frames of stacks lead to. */
  lines: Lines;
  /** Whether `tool-places.js` is loaded before the tool. */
  asksForPlaces: boolean;
  packages: Package[];
  /** Why calls are slower than they might be. */
  notes: string[];
  warnings: string[];
};

/** Has the engine find the modules of the tool, and puts the framework beside them. */
export async function bundle(plan: Plan, folder: string): Promise<Bundle> {
  const graph = await graphOf(plan, folder);
  for (const { outfile } of plan.products) refuseSource(outfile, graph.files);
  const zod = join(graph.zodFolder, "index.js");
  const texts = await Promise.all(graph.modules.map((name) => readFile(join(folder, name), "utf8")));
  const framework = await bundleFramework(graph.zod, zod, texts);
  await writeAll(framework.probe, folder);
  return {
    folder,
    modules: graph.modules,
    others: [...graph.others, ...framework.probe.keys()],
    framework: framework.executable,
    hasAssets: graph.others.length > 0,
    settings: graph.settings,
    lines: graph.lines,
    asksForPlaces: graph.asksForPlaces,
    packages: await packagesOf([...graph.files, zod, runtime.index], plan.root, runtime.folder),
    notes: graph.notes,
    warnings: graph.warnings,
  };
}

/** Writes files into a folder by their names. */
export async function writeAll(files: ReadonlyMap<string, string>, folder: string): Promise<void> {
  for (const [name, text] of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

/** Seconds in which the engine reads a tool and all its packages. */
const PATIENCE = 300;

async function graphOf({ entry, root, engine }: Plan, folder: string): Promise<Graph> {
  const [asked, answered] = [join(folder, "request.json"), join(folder, "graph.json")];
  const { name, version, folder: home } = runtime;
  const request: Request = { entry, root, folder, runtime: { name, version, folder: home } };
  await writeFile(asked, JSON.stringify(request));
  const words = ["--no-install", runtime.graph, asked, answered];
  const { code, signal, stderr } = await runChild(engine.path, words, { folder, timeout: PATIENCE });
  if (code !== 0)
    throw new BuildError(`the engine could not read the tool: ${signal ?? `exit ${code}`}\n${stderr}`, {
      hint: "please report this with the source of the tool and the version of Bun",
    });
  const answer = JSON.parse(await readFile(answered, "utf8")) as Answer;
  if ("fault" in answer) throw new BuildError(answer.fault.message, { hint: answer.fault.hint });
  return answer;
}

/** A build must not write over a source, not even one of which only types are used. */
function refuseSource(outfile: string, files: readonly string[]): void {
  const isInput = files.includes(outfile);
  if (!isInput && !(SOURCE.test(outfile) && existsSync(outfile))) return;
  throw new BuildError(`the outfile ${quote(outfile)} is a source${isInput ? " of the tool" : ", by its name"}`, {
    hint: "name another file with --outfile",
  });
}

const SOURCE = /\.([cm]?[jt]sx?|json)$/;

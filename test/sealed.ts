import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { build } from "@code-first-agents/tool/build";
import type { Manifest } from "../src/manifest.ts";
import type { Observation } from "../src/observe.ts";
import { bun, root, run, temporary } from "./harness.ts";

/** Where an executable can be sealed and run. */
export const isLinux = process.platform === "linux";

type Made = { sealed: string; plain: string };
const made = new Map<string, Promise<Made>>();

/** The executables of a tool with the prelude and without, built once in this process. */
export function bothWays(file: string): Promise<Made> {
  const known = made.get(file) ?? makeBoth(file);
  made.set(file, known);
  return known;
}

async function makeBoth(file: string): Promise<Made> {
  const folder = temporary();
  const make = async (name: string, prelude: boolean) =>
    (await build({ entry: resolve(root, file), outfile: join(folder, name), prelude })).outfile;
  return { sealed: await make(basename(file, ".ts"), true), plain: await make("plain", false) };
}

/** A tool whose answers fit into no pipe. */
export function longTool(): string {
  const file = join(temporary(join(root, "dist/test")), "long.ts");
  const shape = Array.from({ length: 20 }, (_, at) => `field${at}: z.string().describe("the field of number ${at}")`);
  writeFileSync(
    file,
    `import { Tool } from "@code-first-agents/tool";
import { z } from "zod";
const tool = new Tool({ name: "long", description: "Much to tell" });
for (let at = 0; at < 150; at++)
  tool.dataSubcommand({
    name: "subcommand" + at,
    description: "One of many",
    input: z.object({ ${shape.join(", ")} }),
    output: {},
    handler: () => ({ message: "done" }),
  });
tool.run();
`,
  );
  return file;
}

/** What a build learns of a tool. */
export const manifestOf = async (file: string): Promise<Manifest> => (await observationOf(file)).manifest;

/** What a build sees where it loads a tool; the file is as seen from the repository, or as a whole. */
export async function observationOf(file: string): Promise<Extract<Observation, { manifest: Manifest }>> {
  const observation = join(temporary(), "observation.json");
  const probe = `import { observe } from "./src/observe.ts";
observe(${JSON.stringify({ file: observation, late: false, disturbed: "nothing", parent: process.pid, limit: 60 })}, () => import(${JSON.stringify(resolve(root, file))}));`;
  const { stderr } = await run(bun, ["-e", probe, "cfa-evaluate", "--cfa"]);
  const seen = JSON.parse(readFileSync(observation, "utf8")) as Observation;
  if ("problem" in seen) throw new Error(`${JSON.stringify(seen.problem)}\n${stderr}`);
  return seen;
}

/** A command that this machine has; else the tests that need it are left out. */
export function has(command: string, what: string): boolean {
  const found = (process.env["PATH"] ?? "").split(":").some((folder) => existsSync(join(folder, command)));
  if (!found) console.log(`left out: ${what}, ${command} is missing`);
  return found;
}

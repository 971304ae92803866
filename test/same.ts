import { renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import * as assert from "uvu/assert";
import { bun, run } from "./harness.ts";
import { linkedFolder } from "./linked.ts";
import { cfa, emptyFolder, type Files, shown } from "./project.ts";

/** A tool whose executable does what its source does. */
export type Same = {
  it: string;
  files: Files;
  /** What is built; `tool.ts`. */
  entry?: string;
  /** What `show` answers with, from source and from the executable. */
  value: unknown;
};

/** A tool that source runs and an executable cannot be. */
export type Told = Omit<Same, "value"> & {
  /** What the build says: it refuses, or warns and goes on. */
  says: RegExp;
};

/** Builds a tool, asks its source and, with all sources gone, its executable. */
export async function same({ files, entry = "tool.ts", value }: Same): Promise<void> {
  const folder = linkedFolder(files);
  const line = { stdout: `${shown(value)}\n`, code: 0 };
  assert.equal(await inSource(folder, entry), line, "the source");
  const { code, stderr } = await built(folder, entry);
  assert.is(code, 0, stderr);
  assert.not.match(stderr, "warning", "what works needs no warning");
  assert.equal(await moved(folder), line, "the executable");
}

/** Builds a tool and looks at what is said of it. */
export async function told({ files, entry = "tool.ts", says }: Told): Promise<void> {
  const folder = linkedFolder(files);
  const { stderr } = await built(folder, entry);
  assert.match(stderr.replaceAll(/\s+/g, " "), says);
  assert.not.match(stderr, "please report");
}

async function inSource(folder: string, entry: string) {
  const { stdout, code } = await run(bun, [`./${entry}`, "show"], { cwd: folder });
  return { stdout, code };
}

const built = (folder: string, entry: string) => cfa(folder, ["build", `./${entry}`, "--no-bytecode", "-o", "../made"]);

async function moved(folder: string) {
  const there = emptyFolder();
  renameSync(join(dirname(folder), "made"), join(there, "moved"));
  rmSync(dirname(folder), { recursive: true });
  const { stdout, code } = await run(join(there, "moved"), ["show"], { cwd: there, env: { PATH: "" } });
  rmSync(there, { recursive: true });
  return { stdout, code };
}

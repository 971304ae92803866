import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "@code-first-agents/tool/build";
import { bun, run } from "./harness.ts";
import { linkedFolder } from "./linked.ts";
import type { Files } from "./project.ts";

/** How the executable of a graph did beside its source, and what each printed or said. */
export type Verdict = {
  kind: "same" | "source fails" | "source varies" | "differs" | "refused";
  source: string;
  executable: string;
};

/** Runs a tool from its source and as an executable. */
export async function tryGraph(files: Files): Promise<Verdict> {
  const folder = linkedFolder(files);
  try {
    const inSource = async () => (await run(bun, ["tool.ts", "show"], { cwd: folder })).stdout;
    // Bun transpiles in threads: the order of CommonJS modules that ES modules import is not always the same
    const [source = "", ...others] = [await inSource(), await inSource(), await inSource()];
    if (others.some((other) => other !== source)) return { kind: "source varies", source, executable: "" };
    if (!source.startsWith('{"ok":true')) return { kind: "source fails", source, executable: "" };
    const executable = await asExecutable(folder);
    if (executable === source) return { kind: "same", source, executable };
    for (let tries = 0; tries < 6; tries++)
      if ((await inSource()) !== source) return { kind: "source varies", source, executable };
    return { kind: executable.startsWith("{") ? "differs" : "refused", source, executable };
  } finally {
    rmSync(dirname(folder), { recursive: true });
  }
}

async function asExecutable(folder: string): Promise<string> {
  const outfile = join(dirname(folder), "tool");
  try {
    await build({ entry: join(folder, "tool.ts"), outfile, bytecode: false });
  } catch (error) {
    return `refused: ${error instanceof Error ? error.message : error}`;
  }
  return (await run(outfile, ["show"], { cwd: dirname(folder) })).stdout;
}

/** The first thing that differs. */
export function difference({ source, executable }: Verdict): string {
  if (!executable.startsWith("{")) return executable;
  const [one, other] = [source, executable].map((line) => JSON.parse(line).value ?? line);
  if (!Array.isArray(one) || !Array.isArray(other)) return executable;
  const at = one.findIndex((line, index) => line !== other[index]);
  return `${JSON.stringify(one[at])} is ${JSON.stringify(other[at])} at ${at} of ${one.length}`;
}

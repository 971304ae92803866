import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "@code-first-agents/tool/build";
import { inSource, type Ran, type RunOptions, root, run, temporary } from "./harness.ts";

const place = temporary(join(root, "dist/test")); // where the package finds itself by its own name

export type Both = {
  executable: string;
  notes: string[];
  /** What a command line gives in source, and from the executable. */
  ask: (args: string[], options?: RunOptions) => Promise<{ source: Ran; built: Ran }>;
};

/** A tool as its source and as an executable. */
export async function bothOf(source: string, options: { bytecode?: boolean } = {}): Promise<Both> {
  const folder = mkdtempSync(join(place, "tool-"));
  const entry = join(folder, "tool.ts");
  writeFileSync(entry, source);
  const { outfile, notes } = await build({ entry, outfile: join(folder, "tool"), ...options });
  const ask: Both["ask"] = async (args, options = {}) => {
    const cwd = options.cwd ?? folder;
    const [ofSource, built] = await Promise.all([
      inSource(entry, args, { ...options, cwd }),
      run(outfile, args, { ...options, cwd }),
    ]);
    return { source: ofSource, built };
  };
  return { executable: outfile, notes, ask };
}

import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** Seconds that a module may take to load. */
const PATIENCE = 20;

/**
 * The names that modules of CommonJS export, which only they themselves can tell: each is loaded, in a process beside this
 * one. There are none of one that does not load.
 */
export function exportedNames(paths: readonly string[], folder: string): ReadonlyMap<string, readonly string[]> {
  const known = new Map<string, readonly string[]>();
  const asked = join(folder, "exported-asked.json");
  const answered = join(folder, "exported.jsonl");
  for (let rest = paths; rest.length > 0; ) {
    writeFileSync(asked, JSON.stringify(rest));
    writeFileSync(answered, "");
    const self = process.argv[1] ?? "";
    spawnSync(process.execPath, ["--no-install", self, ASK, asked, answered], {
      timeout: PATIENCE * 1000,
      stdio: "ignore",
    });
    for (const line of readFileSync(answered, "utf8").split("\n").filter(Boolean)) {
      const [path, names] = JSON.parse(line) as [string, string[]];
      known.set(path, names);
    }
    const [stuck, ...others] = rest.filter((path) => !known.has(path));
    if (stuck !== undefined) known.set(stuck, []); // it ended the process, or never came back
    rest = others;
  }
  return known;
}

/** The first word of the command line that has this program tell names. */
export const ASK = "exported";

export function tellNames(asked: string, answered: string): void {
  for (const path of JSON.parse(readFileSync(asked, "utf8")) as string[]) {
    if (!existsSync(path)) continue;
    appendFileSync(answered, `${JSON.stringify([path, namesOf(path)])}\n`);
  }
  process.exit(0);
}

function namesOf(path: string): string[] {
  try {
    const exports: unknown = createRequire(path)(path);
    const isObject = (typeof exports === "object" && exports !== null) || typeof exports === "function";
    return isObject ? Object.getOwnPropertyNames(exports).sort() : [];
  } catch {
    return [];
  }
}

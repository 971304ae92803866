import arg from "arg";
import { graphOf } from "../test/graph.ts";
import { difference, tryGraph, type Verdict } from "../test/graph-run.ts";
import type { Files } from "../test/project.ts";

// Generated graphs of modules, from source and as executables: `npm run graphs -- 2000 --seed 1`. What differs is made
// smaller for as long as it differs, and printed; `--whole` leaves it as it is.

const flags = arg({ "--seed": Number, "--whole": Boolean });
const count = Number(flags._[0] ?? 100);
const first = flags["--seed"] ?? 1;
const counts: Record<string, number> = {};

const queue = Array.from({ length: count }, (_, at) => first + at).values();
await Promise.all([worker(), worker()]);
console.log(
  Object.entries(counts)
    .map(([kind, number]) => `${number} ${kind}`)
    .join(", "),
);
process.exitCode = counts["differs"] || counts["refused"] ? 1 : 0;

async function worker(): Promise<void> {
  for (const seed of queue) {
    const files = graphOf(seed);
    const verdict = await tryGraph(files);
    counts[verdict.kind] = (counts[verdict.kind] ?? 0) + 1;
    if (verdict.kind !== "differs" && verdict.kind !== "refused") continue;
    console.log(`seed ${seed} ${verdict.kind}: ${difference(verdict)}`);
    if (flags["--whole"]) print(files);
    else await printSmallest(files, verdict);
  }
}

async function printSmallest(files: Files, verdict: Verdict): Promise<void> {
  const small = await shrink(files, verdict);
  print(small);
  console.log(difference(await tryGraph(small)));
}

function print(files: Files): void {
  for (const [path, text] of Object.entries(files)) console.log(`--- ${path}\n${String(text).trim()}`);
}

/** Leaves out lines, many at a time and then one by one, for as long as the graph goes wrong in the same way. */
async function shrink(files: Files, verdict: Verdict): Promise<Files> {
  const wanted = signature(verdict);
  let lines = Object.entries(files).flatMap(([path, text]) =>
    String(text)
      .split("\n")
      .map((line) => ({ path, line })),
  );
  for (let size = lines.length >> 1; size > 0; size >>= 1)
    for (let at = 0; at < lines.length; ) {
      const fewer = lines.toSpliced(at, size);
      if (signature(await tryGraph(filesOf(fewer))) === wanted) lines = fewer;
      else at += size;
    }
  return filesOf(lines);
}

function filesOf(lines: readonly { path: string; line: string }[]): Files {
  const paths = [...new Set(lines.map(({ path }) => path))];
  const textOf = (wanted: string) =>
    lines
      .filter(({ path }) => path === wanted)
      .map(({ line }) => line)
      .join("\n");
  return Object.fromEntries(paths.map((path) => [path, textOf(path)]));
}

/** What a smaller graph must have in common with the whole. */
function signature({ kind, executable }: Verdict): string | undefined {
  return kind === "refused" ? executable.split("\n")[0]?.replaceAll(/\d+/g, "") : kind;
}

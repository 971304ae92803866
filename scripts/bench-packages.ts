import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { findBun } from "../build/engine/bun.ts";
import { packagesOf, uses } from "../test/corpus/packages.ts";
import { install } from "../test/corpus/store.ts";
import { writeTool } from "../test/corpus/trial.ts";

// What tools with real packages cost as `cfa build` makes them, beside `bun build --compile --minify --bytecode`: processor
// time of a call, and time of a build. Both in turn, medians of the ratios. `npm run bench:packages -- 20 --json`

const NAMES = ["cheerio", "zx", "express", "@aws-sdk/client-s3", "googleapis", "openai"];
const BUILDS = 3; // of each way; a build of googleapis takes ten seconds

type Pair = { ours: number; plain: number };
type Row = { name: string; cpu: Pair & { ratio: number }; build: Pair & { ratio: number }; megabytes: Pair };

const rounds = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 20);
const json = process.argv.includes("--json");
const folder = mkdtempSync(join(tmpdir(), "cfa-bench-packages-"));
const { path: bun } = await findBun(undefined, resolve("."));

try {
  const stopwatch = join(folder, "spawn");
  execFileSync("cc", ["-O2", "-o", stopwatch, "scripts/spawn.c"]);
  const store = install(join(folder, "store"), packagesOf(NAMES.map((name) => useOf(name))));
  for (const name of NAMES) {
    const row = measure(name, writeTool(store, name, useOf(name)), stopwatch);
    console.log(json ? JSON.stringify(row) : lineOf(row));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function useOf(name: string) {
  const use = uses[name];
  if (!use) throw new Error(`not in the corpus: "${name}"`);
  return use;
}

function measure(name: string, project: string, stopwatch: string): Row {
  const outfile = { ours: join(folder, "ours"), plain: join(folder, "plain") };
  const flags = ["--compile", "--minify", "--bytecode", "--format=esm"];
  const commands = {
    ours: [process.execPath, resolve("bin/cfa"), "build", "tool.ts", "-o", outfile.ours, "--timeout", "60"],
    plain: [bun, "build", "tool.ts", ...flags, `--outfile=${outfile.plain}`],
  };
  const builds = inTurn(BUILDS, (way) => seconds(commands[way], project));
  const calls = inTurn(rounds, (way) => cpu(stopwatch, [outfile[way], "call"]));
  const size = (way: keyof Pair) => statSync(outfile[way]).size / 1e6;
  return { name, cpu: summed(calls), build: summed(builds), megabytes: { ours: size("ours"), plain: size("plain") } };
}

/** Both ways so many times, once more to warm up. */
function inTurn(rounds: number, take: (way: keyof Pair) => number): Pair[] {
  const pairs: Pair[] = [];
  for (let round = -1; round < rounds; round++) pairs.push({ ours: take("ours"), plain: take("plain") });
  return pairs.slice(1);
}

function seconds([program = "", ...args]: string[], cwd: string): number {
  const start = performance.now();
  execFileSync(program, args, { cwd, stdio: "pipe" });
  return (performance.now() - start) / 1000;
}

/** Milliseconds of processors, of user and system. */
function cpu(stopwatch: string, command: string[]): number {
  const [, , microseconds] = execFileSync(stopwatch, command, { encoding: "utf8" }).split(" ");
  return Number(microseconds) / 1000;
}

function summed(pairs: readonly Pair[]): Pair & { ratio: number } {
  const medianOf = (value: (pair: Pair) => number) => median(pairs.map(value));
  return {
    ours: medianOf(({ ours }) => ours),
    plain: medianOf(({ plain }) => plain),
    ratio: medianOf(({ ours, plain }) => ours / plain),
  };
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

function lineOf({ name, cpu, build, megabytes }: Row): string {
  const against = ({ ours, plain, ratio }: Row["cpu"], unit: string) =>
    `×${ratio.toFixed(2)} (${ours.toFixed(1)}/${plain.toFixed(1)} ${unit})`;
  const size = `${megabytes.ours.toFixed(1)}/${megabytes.plain.toFixed(1)} MB`;
  return `${name.padEnd(20)} call ${against(cpu, "ms of CPU").padEnd(30)} build ${against(build, "s").padEnd(22)} ${size}`;
}

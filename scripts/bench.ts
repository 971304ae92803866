import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "@code-first-agents/tool/build";
import * as esbuild from "esbuild";
import { findBun } from "../build/engine/bun.ts";

// What starting costs: every command in turn, many times over, so that what else the machine does falls on all alike.
// Medians, and the medians of the ratios to the first row in the same round. `npm run bench -- 200 --json`

type Row = { what: string; command: string[]; ms: number[]; kilobytes: number[]; bytes?: number };
type Program = { name: string; command: string[]; file?: string };

const BY_HAND = `import * as z from "zod";
z.config({ jitless: true });
const input = z.object({ a: z.number(), b: z.number() }).strict();
const output = z.object({ ok: z.literal(true), message: z.string(), product: z.number() });
const [, , , , a, , b] = process.argv;
const read = input.safeParse({ a: Number(a), b: Number(b) });
if (!read.success) throw read.error;
console.log(JSON.stringify(output.parse({ ok: true, message: "multiplied", product: read.data.a * read.data.b })));
`;

const rounds = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 100);
const sizes = [1, 20, 200];
const folder = mkdtempSync(join(tmpdir(), "cfa-bench-"));
const { path: bun, version } = await findBun(undefined, resolve("."));

try {
  const stopwatch = compileC("spawn", readFileSync("scripts/spawn.c", "utf8"));
  const node26 = installNode();
  const rows = [...emptyPrograms(), ...(await mathPrograms()), ...(await toolPrograms(node26))];
  measure(rows, rounds, stopwatch);
  const builds = buildCommands();
  measure(builds, Math.min(rounds, 20), stopwatch);
  print(rows, builds);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** A C program, where there is a compiler. */
function compileC(name: string, source: string): string | undefined {
  const program = join(folder, name);
  writeFileSync(`${program}.c`, source);
  const made = spawnSync("cc", ["-O2", "-o", program, `${program}.c`]).status === 0;
  return made ? program : left(`the C program ${name}`, "there is no compiler");
}

/** Node 26, which makes executables by itself, as the npm package of its binary. */
function installNode(): string | undefined {
  const name = `node-${process.platform}-${process.arch}`;
  const place = join(folder, "node-26");
  mkdirSync(place);
  writeFileSync(join(place, "package.json"), "{}");
  const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", `${name}@26`];
  const installed = spawnSync("npm", args, { cwd: place }).status === 0;
  return installed ? join(place, "node_modules", name, "bin/node") : left("Node 26", "npm does not find it");
}

function left(what: string, why: string): undefined {
  console.error(`left out: ${what}, ${why}`);
}

/** The floors: programs that do nothing. */
function emptyPrograms(): Row[] {
  const script = written("empty.ts", 'console.log("{}");\n');
  const program = compiledByBun(script, "empty-bun", ["--bytecode", "--minify", "--format=esm"]);
  const c = compileC("empty-c", "int main(void) { return 0; }\n");
  return [row("empty Bun program", [program], program), ...(c ? [row("empty C program", [c], c)] : [])];
}

/** The math example beside what one writes by hand with the same schemas. */
async function mathPrograms(): Promise<Row[]> {
  const entry = resolve("examples/math.ts");
  const { outfile } = await build({ entry, outfile: join(folder, "math") });
  const byHand = compiledByBun(projectWith("by-hand", BY_HAND), "by-hand-program", [
    "--bytecode",
    "--minify",
    "--format=esm",
  ]);
  const call = ["multiply", "--a", "6", "--b", "7"];
  return [
    row("math multiply: cfa build", [outfile, ...call], outfile),
    row("math multiply: by hand, with the same schemas", [byHand, ...call], byHand),
    row("math multiply: bun build --compile", [compiledByBun(entry, "plain-math", []), ...call]),
  ];
}

/** Tools of so many subcommands, by each way to run them, asked for each thing. */
async function toolPrograms(node26: string | undefined): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of sizes) {
    const calls = [["schema"], ["help"], [`do-${count - 1}`, "--name", "x", "--count", "3"]];
    const programs = await waysToRun(count, node26);
    for (const call of calls)
      for (const { name, command, file } of programs)
        rows.push(row(`${count} × ${call[0]?.replace(/-.*/, "")}: ${name}`, [...command, ...call], file));
  }
  return rows;
}

async function waysToRun(count: number, node26: string | undefined): Promise<Program[]> {
  const source = projectWith(`tool-${count}`, sourceOf(count));
  const { outfile } = await build({ entry: source, outfile: join(folder, `cfa-${count}`) });
  const plain = compiledByBun(source, `plain-${count}`, []);
  const fast = compiledByBun(source, `fast-${count}`, ["--bytecode", "--minify", "--format=esm"]);
  const single = node26 ? [await compiledByNode(node26, source, `node-${count}`)] : [];
  return [
    { name: "cfa build", command: [outfile], file: outfile },
    { name: "bun build --compile", command: [plain], file: plain },
    { name: "bun build --compile --bytecode --minify", command: [fast], file: fast },
    ...single.map((file) => ({ name: "Node 26 single executable", command: [file], file })),
    { name: "bun tool.ts", command: [bun, source] },
  ];
}

function sourceOf(count: number): string {
  const subcommands = Array.from(
    { length: count },
    (_, index) => `
tool.subcommand({
  name: "do-${index}",
  description: "Do number ${index}",
  input: z.object({ name: z.string(), count: z.number().default(1), dry: z.boolean().default(false), tags: z.array(z.string()).default([]), level: z.enum(["low", "high"]).default("low") }).strict(),
  output: l1Output({ name: z.string(), count: z.number() }),
  handler: ({ name, count }) => ({ message: "done", name, count }),
});`,
  );
  return `import { z } from "zod";
import { l1Output, Tool } from "@code-first-agents/tool";
const tool = new Tool({ name: "bench", description: "A tool of ${count}" });
${subcommands.join("\n")}
tool.run(process.argv.slice(2));
`;
}

/** The source of a tool in a project that finds this package and zod. */
function projectWith(name: string, source: string): string {
  const project = join(folder, name);
  mkdirSync(join(project, "node_modules", "@code-first-agents"), { recursive: true });
  symlinkSync(resolve("."), join(project, "node_modules", "@code-first-agents", "tool"));
  symlinkSync(resolve("node_modules", "zod"), join(project, "node_modules", "zod"));
  return written(join(name, "tool.ts"), source);
}

function written(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

function compiledByBun(source: string, name: string, flags: string[]): string {
  const outfile = join(folder, name);
  execFileSync(bun, ["build", "--compile", source, ...flags, `--outfile=${outfile}`], { cwd: folder, stdio: "pipe" });
  return outfile;
}

async function compiledByNode(node: string, source: string, name: string): Promise<string> {
  const outfile = join(folder, name);
  const format = { bundle: true, format: "cjs", platform: "node", minify: true, logLevel: "error" } as const;
  await esbuild.build({ entryPoints: [source], outfile: `${outfile}.cjs`, ...format });
  const config = { main: `${outfile}.cjs`, output: outfile, useCodeCache: true, disableExperimentalSEAWarning: true };
  execFileSync(node, ["--build-sea", written(`${name}.json`, JSON.stringify(config))], { stdio: "pipe" });
  return outfile;
}

/** What \`cfa build\` takes, Node's start included, against Bun's own compiling. */
function buildCommands(): Row[] {
  const source = projectWith("built", readFileSync("examples/math.ts", "utf8"));
  const outfile = (name: string) => join(folder, "built", name);
  const flags = ["build", source, "-o", outfile("cfa")];
  return [
    row("bun build --compile", [bun, "build", "--compile", source, "--outfile", outfile("plain")]),
    row("cfa build, on Node", [process.execPath, resolve("bin/cfa"), ...flags]),
    row("cfa build, on Bun", [bun, resolve("bin/cfa"), ...flags]),
  ];
}

function row(what: string, command: string[], file?: string): Row {
  return { what, command, ms: [], kilobytes: [], ...(file && { bytes: statSync(file).size }) };
}

function measure(rows: readonly Row[], rounds: number, stopwatch: string | undefined): void {
  for (let round = -1; round < rounds; round++) {
    for (const { what, command, ms, kilobytes } of rows) {
      const [time, memory] = stopwatch ? timed(stopwatch, command) : spawned(command);
      if (Number.isNaN(time)) throw new Error(`${what} does not run: ${command.join(" ")}`);
      if (round < 0) continue; // to warm up
      ms.push(time);
      kilobytes.push(memory);
    }
  }
}

function timed(stopwatch: string, command: readonly string[]): [ms: number, kilobytes: number] {
  const { stdout } = spawnSync(stopwatch, command, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const [nanoseconds, kilobytes] = stdout.split(" ").map(Number.parseFloat);
  return [(nanoseconds ?? Number.NaN) / 1e6, kilobytes ?? Number.NaN];
}

/** Without a C compiler: what it takes Node to start a child is in it. */
function spawned([program = "", ...args]: string[]): [ms: number, kilobytes: number] {
  const start = performance.now();
  const { status } = spawnSync(program, args, { stdio: "ignore" });
  return [status === 0 ? performance.now() - start : Number.NaN, Number.NaN];
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

/** Each row beside the first. */
function compared(rows: readonly Row[]) {
  const base = rows[0]?.ms ?? [];
  return rows.map(({ what, ms, kilobytes, bytes }) => ({
    what,
    ms: median(ms),
    ratio: median(ms.map((time, round) => time / (base[round] ?? Number.NaN))),
    megabytes: median(kilobytes) / 1024,
    ...(bytes && { bytes, size: bytes / (rows[0]?.bytes ?? Number.NaN) }),
  }));
}

function print(programs: readonly Row[], builds: readonly Row[]): void {
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, bun: version, node: process.version, rounds };
  const result = { machine, programs: compared(programs), builds: compared(builds) };
  if (process.argv.includes("--json")) {
    console.log(JSON.stringify(result));
    return;
  }
  console.log(Object.values(machine).join(" · "));
  for (const { what, ms, ratio, megabytes, size } of [...result.programs, ...result.builds]) {
    const columns = [
      `${ms.toFixed(2)} ms`,
      `×${ratio.toFixed(2)}`,
      `${megabytes.toFixed(1)} MB`,
      size ? `×${size.toFixed(3)}` : "",
    ];
    console.log(`${columns.map((column) => column.padStart(11)).join("")}  ${what}`);
  }
}

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "@code-first-agents/tool/build";
import { findBun } from "../build/bun.ts";

// What starting costs: every command in turn, many times over, so that what else the machine does falls on all alike.
// Medians, and their ratios to an empty Bun program. `npm run bench -- 200 --json`

type Row = { what: string; command: string[]; ms: number[] };

const rounds = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 100);
const folder = mkdtempSync(join(tmpdir(), "cfa-bench-"));
const { path: bun, version } = await findBun(undefined, resolve("."));

try {
  const rows = [...emptyPrograms(), ...(await Promise.all([1, 20, 200].map(toolPrograms))).flat()];
  for (let round = 0; round < rounds; round++) for (const row of rows) row.ms.push(time(row.command));
  print(rows, pairwiseBuilds());
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The floors: a program that does nothing, in C where there is a compiler, and in Bun. */
function emptyPrograms(): Row[] {
  const c = join(folder, "empty-c");
  writeFileSync(`${c}.c`, "int main(void) { return 0; }\n");
  const hasC = spawnSync("cc", ["-O2", "-o", c, `${c}.c`]).status === 0;
  const script = join(folder, "empty.ts");
  writeFileSync(script, 'console.log("{}");\n');
  const program = plain(script, "empty-bun", ["--bytecode", "--minify", "--format=esm"]);
  return [row("empty Bun program", [program]), ...(hasC ? [row("empty C program", [c])] : [])];
}

/** A tool of so many subcommands of five fields: by cfa, by Bun alone, and from source. */
async function toolPrograms(count: number): Promise<Row[]> {
  const project = join(folder, `tool-${count}`);
  mkdirSync(join(project, "node_modules", "@code-first-agents"), { recursive: true });
  symlinkSync(resolve("."), join(project, "node_modules", "@code-first-agents", "tool"));
  symlinkSync(resolve("node_modules", "zod"), join(project, "node_modules", "zod"));
  const source = join(project, "tool.ts");
  writeFileSync(source, sourceOf(count));
  const { outfile } = await build({ entry: source, outfile: join(project, "cfa") });
  const programs: [string, string[]][] = [
    ["cfa build", [outfile]],
    ["bun build --compile", [plain(source, `plain-${count}`, [])]],
    [
      "bun build --compile --bytecode --minify",
      [plain(source, `fast-${count}`, ["--bytecode", "--minify", "--format=esm"])],
    ],
    ["bun tool.ts", [bun, source]],
  ];
  const calls = ["schema", "help", `do-${count - 1} --name x --count 3`];
  return programs.flatMap(([program, command]) =>
    calls.map((call) =>
      row(`${count} × ${call.split(" ")[0]?.replace(/-.*/, "")}: ${program}`, [...command, ...call.split(" ")]),
    ),
  );
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

/** What \`cfa build\` takes, Node's start included, against Bun's own compiling, in turn. */
function pairwiseBuilds(): Row[] {
  const rows = [
    row("bun build --compile", [
      bun,
      "build",
      "--compile",
      "examples/math.ts",
      "--outfile",
      join(folder, "built-plain"),
    ]),
    row("cfa build, on Node", [
      process.execPath,
      "bin/cfa",
      "build",
      "examples/math.ts",
      "-o",
      join(folder, "built-cfa"),
    ]),
    row("cfa build, on Bun", [bun, "bin/cfa", "build", "examples/math.ts", "-o", join(folder, "built-cfa")]),
  ];
  for (let round = 0; round < Math.min(rounds, 20); round++) for (const row of rows) row.ms.push(time(row.command));
  return rows;
}

function plain(source: string, name: string, flags: string[]): string {
  const outfile = join(folder, name);
  const { status, stderr } = spawnSync(bun, ["build", "--compile", source, ...flags, `--outfile=${outfile}`], {
    cwd: folder,
  });
  if (status !== 0) throw new Error(`bun build ${flags.join(" ")} failed: ${stderr}`);
  return outfile;
}

function row(what: string, command: string[]): Row {
  return { what, command, ms: [] };
}

function time([program = "", ...args]: string[]): number {
  const start = performance.now();
  spawnSync(program, args, { stdio: "ignore" });
  return performance.now() - start;
}

function median(values: number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

function print(rows: Row[], builds: Row[]): void {
  const sections = [rows, builds].map((section) => {
    const base = median(section[0]?.ms ?? []);
    return section.map(({ what, ms }) => ({ what, ms: median(ms), ratio: median(ms) / base }));
  });
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, bun: version, node: process.version, rounds };
  const bytes = { cfa: statSync(join(folder, "tool-1", "cfa")).size, empty: statSync(join(folder, "empty-bun")).size };
  if (process.argv.includes("--json")) {
    console.log(JSON.stringify({ machine, bytes, rows: sections[0], builds: sections[1] }));
    return;
  }
  console.log(Object.values(machine).join(" · "));
  for (const { what, ms, ratio } of sections.flat())
    console.log(`${ms.toFixed(2).padStart(9)} ms  ×${ratio.toFixed(2).padStart(6)}  ${what}`);
  console.log(`executable: ${(bytes.cfa / bytes.empty).toFixed(3)} × the empty Bun program's`);
}

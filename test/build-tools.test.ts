import { renameSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { bun, run } from "./harness.ts";
import { answersElsewhere, cfa, folderWith, makes, type Row, show, shown, steady, told, toolWith } from "./project.ts";

const building = suite("building tools");

const runs: Row[] = [
  { it: "run on the command line", files: { "tool.ts": toolWith({ end: "tool.run(process.argv.slice(2));" }) } },
  { it: "awaited", files: { "tool.ts": toolWith({ end: "await tool.run();" }) } },
  { it: "guarded by import.meta.main", files: { "tool.ts": toolWith({ end: "if (import.meta.main) tool.run();" }) } },
  {
    it: "guarded and exported",
    files: { "tool.ts": toolWith({ end: "export default tool; if (import.meta.main) await tool.run();" }) },
  },
  { it: "only exported", files: { "tool.ts": toolWith({ end: "export default tool;" }) } },
  {
    it: "run later, from a promise",
    files: { "tool.ts": toolWith({ end: "Promise.resolve().then(() => tool.run());" }) },
  },
  { it: "run from a timer", files: { "tool.ts": toolWith({ end: "setTimeout(() => tool.run(), 20);" }) } },
  {
    it: "written in JavaScript",
    files: { "tool.ts": 'import "./plain.js";', "plain.js": toolWith() },
  },
  {
    it: "run with words of its own",
    files: { "tool.ts": toolWith({ end: 'tool.run(["show"]);' }) },
    answers: [
      [["show"], shown(1)],
      [["schema"], shown(1)],
      [[], shown(1)],
    ],
  },
];

const loading: Row[] = [
  {
    it: "with top-level await of a module",
    files: {
      "tool.ts": toolWith({ head: 'const { data } = await import("./data.ts");', value: "data" }),
      "data.ts": "export const data = await Promise.resolve([1, 2]);",
    },
    answers: show([1, 2]),
  },
  {
    it: "that loads a module in its handler",
    files: {
      "tool.ts": toolWith({ value: '(await import("./data.ts")).data' }),
      "data.ts": "export const data = await new Promise((done) => setTimeout(done, 5, 7));",
    },
    answers: show(7),
  },
  {
    it: "that prints while it loads: on cfa's stderr, and nowhere in the answers",
    files: {
      "tool.ts": toolWith({
        head: 'console.log("to stdout"); process.stdout.write("no end\\n"); console.error("to stderr");',
      }),
    },
    prints: "to stdout\nno end\nto stderr\n",
  },
  {
    it: "that holds a socket and a timer",
    files: {
      "tool.ts": toolWith({
        head: 'import { createServer } from "node:net"; createServer().listen(0); setInterval(() => {}, 1000);',
      }),
    },
  },
];

const names: Row[] = [
  {
    it: "with a subcommand called version",
    files: {
      "tool.ts": toolWith({ end: "tool.run();" })
        .replace('name: "shown",', 'name: "shown", version: "1.2.3",')
        .replace('name: "show"', 'name: "version"'),
    },
    answers: [
      [["version"], shown(1)],
      [["--version"], shown(1)],
    ],
  },
  {
    it: "with keys that builtins are called by",
    files: {
      "tool.ts": toolWith({ value: "input" })
        .replace(
          "z.object({})",
          'z.object({ schema: z.string(), help: z.boolean(), h: z.number(), "input-json": z.string() })',
        )
        .replace("async ()", "async (input)"),
    },
    answers: [
      [
        ["show", "--schema", "s.json", "--help", "--h", "1", "--input-json", "[]"],
        shown({ schema: "s.json", help: true, h: 1, "input-json": "[]" }),
      ],
    ],
  },
];

const modes: Row[] = [
  { it: "without bytecode", files: { "tool.ts": toolWith() }, flags: ["--no-bytecode"] },
  { it: "as it stands", files: { "tool.ts": toolWith({ end: "await tool.run();" }) }, flags: ["--no-minify"] },
  { it: "as it stands, without bytecode", files: { "tool.ts": toolWith() }, flags: ["--no-minify", "--no-bytecode"] },
];

for (const row of [...runs, ...loading, ...names, ...modes]) building(`makes a tool ${row.it}`, () => makes(row));

building("one tool that imports another answers alone where both are guarded", async () => {
  const guarded = "export default tool; if (import.meta.main) await tool.run();";
  const folder = folderWith({
    "tool.ts": toolWith({ head: 'import other from "./other.ts";', value: 'await other.invoke("show")', end: guarded }),
    "other.ts": toolWith({ value: '"other"', end: guarded }).replaceAll("shown", "others"),
  });
  assert.equal(steady(await cfa(folder, ["build", "tool.ts"])), told("./tool"));
  await answersElsewhere(folder, show({ ok: true, message: "others", value: "other" }));
});

building("cfa on Bun makes the same executable", async () => {
  const folder = folderWith({ "tool.ts": toolWith() });
  assert.equal(steady(await cfa(folder, ["build", "tool.ts"])), told("./tool"));
  renameSync(join(folder, "tool"), join(folder, "by-node"));
  assert.equal(steady(await cfa(folder, ["build", "tool.ts"], { engine: bun })), told("./tool"));
  const { code } = await run("cmp", [join(folder, "tool"), join(folder, "by-node")]);
  assert.is(code, 0);
  await answersElsewhere(folder, show(1));
});

building.run();

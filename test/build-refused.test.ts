import { linkSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { cfa, type Files, folderWith, stateOf, stepsTo, toolWith } from "./project.ts";

const refusing = suite("tools that cannot be built");

/** HERE stands for the folder. */
type Row = {
  it: string;
  files: Files;
  says: string;
  args?: string[];
  prints?: string;
  prepare?: (folder: string) => void;
};

const frame = (error: string, line: string, column: number, hint = "mend it in the source") =>
  `${error}\n\n    ${line}\n${" ".repeat(column + 3)}^\n\n  ${hint}`;

const source = (path: string) =>
  `the outfile "HERE/${path}" is a source of the tool\n  name another file with --outfile`;
const importing = {
  "tool.ts": toolWith({ head: 'import { n } from "./lib/n.ts"; import data from "./data.json";', value: "[n, data]" }),
  "lib/n.ts": "export const n = 1;",
  "data.json": "{}",
};

const bundling: Row[] = [
  {
    it: "a syntax error, with its place",
    files: { "tool.ts": "const a = 1;\nconst b = ;\n" },
    says: frame("tool.ts:2: Unexpected token", "const b = ;", 11),
  },
  {
    it: "a syntax error in what it imports",
    files: { "tool.ts": toolWith({ head: 'import "./lib/b.ts";' }), "lib/b.ts": "f(1;\n" },
    says: frame("lib/b.ts:1: Expected `,` or `)` but found `;`", "f(1;", 4),
  },
  {
    it: "a file that is not there",
    files: { "tool.ts": 'import n from "./n.ts";\nconsole.log(n);\n' },
    says: frame('tool.ts:1 imports "./n.ts", which is not there', 'import n from "./n.ts";', 15),
  },
  {
    it: "a name that is not exported",
    files: { "tool.ts": 'import { m } from "./n.ts";\nconsole.log(m);\n', "n.ts": "export const n = 1;" },
    says: frame('tool.ts:1 imports "m", which "n.ts" does not export', 'import { m } from "./n.ts";', 19),
  },
  {
    it: "a package that is not there",
    files: { "tool.ts": 'import n from "@scope/nothing/sub";\nconsole.log(n);\n' },
    says: frame(
      'tool.ts:1 imports "@scope/nothing/sub", which is not there',
      'import n from "@scope/nothing/sub";',
      15,
      "npm install @scope/nothing",
    ),
  },
  {
    it: "a database that is not inside",
    files: { "tool.ts": 'import d from "./d.db" with { type: "sqlite" };\nconsole.log(d);\n', "d.db": "" },
    says: frame(
      "tool.ts:1 opens a database that is not in the executable",
      'import d from "./d.db" with { type: "sqlite" };',
      15,
      'embed it: with { type: "sqlite", embed: "true" }',
    ),
  },
  ...[
    'import("./cmds/" + name)',
    "import(`./cmds/$" + "{name}.ts`)",
    "import(name)",
    "require(name)",
    "[name].map(require)",
    "import.meta.require(name)",
  ].map((call) => ({
    it: `the computed ${call}`,
    files: { "tool.ts": `const name = "add";\n${call};\n`, "cmds/add.ts": "export {};" },
    says: `tool.ts:2 imports what only shows at run time: ${call};\n  import each file by its own name, such as { add: () => import("./cmds/add.ts") }`,
  })),
  ...[
    'new Worker("./w.ts")',
    "new globalThis.Worker('w.js', { name: 'w' })",
    'new Worker(new URL("./w.ts", import.meta.url).href, options)',
    'const url = new URL("./w.ts", import.meta.url); new Worker(url)',
    'import { Worker as W } from "node:worker_threads"; new W(import.meta.filename, { workerData: 1 })',
    'import threads from "worker_threads"; new threads.Worker(fileURLToPath(new URL("./w.ts", import.meta.url)))',
    'import * as threads from "worker_threads"; new threads.Worker(`$' + "{__dirname}/w.js`)",
    'const { Worker } = require("worker_threads"); new Worker(path.join(__dirname, "w.js"))',
    'const { Worker: W } = await import("node:worker_threads"); new W(require.resolve("./w.ts"))',
  ].map((call) => ({
    it: `the worker ${call}`,
    files: {
      "tool.ts": `import "./lib/a.ts";\n`,
      "lib/a.ts": `// new Worker("./comment.ts")\n${call};\n`,
      "lib/w.ts": "export {};",
    },
    says: `lib/a.ts:2 starts a worker from a file: ${call};\n  give it its code: import code from "./worker.ts" with { type: "text" }, new Worker(URL.createObjectURL(new Blob([code])))`,
  })),
  { it: "an imported file as outfile", files: importing, args: ["-o", "lib/n.ts"], says: source("lib/n.ts") },
  { it: "imported data as outfile", files: importing, args: ["-o", "data.json"], says: source("data.json") },
  {
    it: "an imported file as outfile, through a link",
    files: importing,
    args: ["-o", "out"],
    prepare: (folder) => symlinkSync("lib/n.ts", join(folder, "out")),
    says: source("lib/n.ts"),
  },
];

const evaluating: Row[] = [
  {
    it: "no tool in it",
    files: { "tool.ts": 'export const n = "nothing";' },
    says: 'no tool in "tool.ts"\n  create one with `new Tool({ … })` and call `tool.run()`',
  },
  {
    it: "a tool that nobody runs or exports",
    files: { "tool.ts": toolWith({ end: "" }) },
    says: 'no tool in "tool.ts"\n  create one with `new Tool({ … })` and call `tool.run()`',
  },
  {
    it: "an empty file",
    files: { "tool.ts": "" },
    says: 'no tool in "tool.ts"\n  create one with `new Tool({ … })` and call `tool.run()`',
  },
  {
    it: "two tools that run",
    files: { "tool.ts": toolWith({ end: 'tool.run();\nnew Tool({ name: "b", description: "B" }).run();' }) },
    says: 'more than one tool runs in "tool.ts"\n  guard the run of a tool that others import: `if (import.meta.main) tool.run()`',
  },
  {
    it: "a tool that imports another which runs unguarded",
    files: {
      "tool.ts": toolWith({ head: 'import "./other.ts";', end: "if (import.meta.main) tool.run();" }),
      "other.ts": toolWith(),
    },
    says: 'more than one tool runs in "tool.ts"\n  guard the run of a tool that others import: `if (import.meta.main) tool.run()`',
  },
  {
    it: "a module that exits",
    files: { "tool.ts": toolWith({ head: "process.exit(3);" }) },
    says: '"tool.ts" calls process.exit while it loads\n  call `tool.run()` instead; it ends the process',
  },
  {
    it: "a module that kills its process",
    files: { "tool.ts": toolWith({ head: 'process.kill(process.pid, "SIGKILL");' }) },
    says: '"tool.ts" ended the process while it loaded (SIGKILL)\n  a tool only registers its subcommands while it loads, then calls `tool.run()`',
  },
  {
    it: "a module that works for ever",
    files: { "tool.ts": toolWith({ head: 'console.log("working");\nwhile (true);' }) },
    args: ["--timeout", "1"],
    prints: "working\n",
    says: '"tool.ts" was still loading after 1 s\n  work belongs into the handlers; --timeout gives a tool more time to load',
  },
  {
    it: "a module that waits for ever",
    files: {
      "tool.ts": toolWith({ head: "await new Promise(() => setInterval(() => {}, 1000));" }),
      "package.json": '{ "cfa": { "timeout": 0.5 } }',
    },
    says: '"tool.ts" was still loading after 0.5 s\n  work belongs into the handlers; --timeout gives a tool more time to load',
  },
  {
    it: "a module that waits for nothing",
    files: { "tool.ts": toolWith({ head: "await new Promise(() => {});" }) },
    says: '"tool.ts" waits at its top level for something that never comes\n  work belongs into the handlers',
  },
];

const clean = "it is loaded with an empty environment: read variables and files in the handlers";
const throwing: Row[] = [
  ["throws", 'throw new Error("no way");', "no way"],
  ["throws no error", 'throw "text";', "text"],
  ["throws what cannot be read", "throw Object.create(null);", "a value that cannot be read was thrown"],
  ["rejects", 'await Promise.reject(new Error("no way"));', "no way"],
  ["rejects what it imports", 'await import("./bad.ts");', "bad"],
  ["needs a variable", 'if (!process.env.API_KEY) throw new Error("API_KEY is not set");', "API_KEY is not set"],
  [
    "needs a file",
    'const { readFileSync } = await import("node:fs");\nreadFileSync("settings.json");',
    "ENOENT: no such file or directory, open 'settings.json'",
  ],
  [
    "registers a reserved name",
    'new Tool({ name: "a", description: "b" }).subcommand({ name: "help" } as never);',
    'the name "help" is reserved for a builtin',
  ],
].map(([it, head, message]) => ({
  it: `a module that ${it}`,
  files: { "tool.ts": toolWith({ head: head as string }), "bad.ts": 'throw new Error("bad");', "settings.json": "{}" },
  says: `"tool.ts" throws while it loads: ${message}FRAMES\n  ${clean}`,
}));

for (const [step, rows] of [
  ["bundle", bundling],
  ["evaluate", [...evaluating, ...throwing]],
] as const) {
  for (const { it, files, says, args = [], prints = "", prepare } of rows) {
    refusing(it, async () => {
      const folder = folderWith({ tool: "what was here before", ...files });
      prepare?.(folder);
      const state = stateOf(folder);
      const { stderr, ...rest } = await cfa(folder, ["build", "tool.ts", ...args]);
      const frames = /\n( {4}at .*\n)+/.exec(stderr)?.[0] ?? "";
      assert.is(stderr, `${stepsTo(step)}${prints}cfa: ${says.replaceAll("HERE", folder).replace("FRAMES", frames)}\n`);
      assert.equal(rest, { stdout: "", code: 1 });
      assert.equal(stateOf(folder), state);
    });
  }
}

refusing("where a module throws, the frame leads to its source", async () => {
  const folder = folderWith({
    "tool.ts": 'import "./lib/bad.ts";\n',
    "lib/bad.ts": 'const a = 1;\nthrow new Error("bad");\n',
  });
  const { stderr } = await cfa(folder, ["build", "tool.ts"]);
  assert.match(stderr, /^ {4}at .*lib\/bad\.ts:2:\d+\)?$/m);
});

const fake = {
  "node_modules/zod/package.json":
    '{ "name": "zod", "version": "3.25.0", "type": "module", "exports": { ".": "./index.js", "./v4/core": "./index.js" } }',
  "node_modules/zod/index.js": "export const z = {};",
};

refusing("a project whose zod is version 3", async () => {
  const folder = folderWith({ "tool.ts": toolWith(), ...fake });
  const { stdout, stderr, code } = await cfa(folder, ["build", "tool.ts"]);
  assert.equal({ stdout, code }, { stdout: "", code: 1 });
  assert.is(
    stderr,
    "plan\nbundle\ncfa: the project's zod is version 3.25.0\n  npm install zod@4; schemas of version 3 still work when imported from zod/v3\n",
  );
});

refusing("an outfile that is another name of a source leaves the source alone", async () => {
  const folder = folderWith({ "tool.ts": toolWith() });
  linkSync(join(folder, "tool.ts"), join(folder, "out"));
  assert.is((await cfa(folder, ["build", "tool.ts", "-o", "out"])).stdout, "./out\n");
  assert.is(readFileSync(join(folder, "tool.ts"), "utf8"), toolWith());
});

refusing.run();

import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { RunOptions } from "./harness.ts";
import { bothOf } from "./likeness.ts";

const deciding = suite("tools that decide what runs");

/** A tool with `list` and `add`, that ends in its own way. */
const toolWith = (end: string, head = "") => `
import { Tool } from "@code-first-agents/tool";
import { z } from "zod";
${head}
const tool = new Tool({ name: "t", description: "d", version: "1.2.3" });
const taking = (name: string, input: z.ZodObject = z.object({})) =>
  tool.dataSubcommand({
    name,
    description: name,
    input,
    output: { value: z.any() },
    handler: (value) => ({ message: name, value }),
  });
taking("list");
taking("add", z.object({ n: z.number().default(1) }));
${end}
`;

const gave = (name: string, value: object = {}) => `${JSON.stringify({ ok: true, message: name, value })}\n`;

/** The words, what is printed, and how else the run is set up. */
type Line = [words: string, stdout: string | RegExp, options?: RunOptions];

const help = /^\{"ok":true,"message":"d","tool":/;
const unknown = /^\{"ok":false,"error":"unknown_subcommand"/;
const usual: Line[] = [
  ["list", gave("list")],
  ["add --n 2", gave("add", { n: 2 })],
  ["help", help],
];

const PROTOCOL = `import { createInterface } from "node:readline";
async function serve() {
  for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify({ pong: JSON.parse(line) }));
}`;
const spoken: RunOptions = { input: '{"id":1}\n{"id":2}\n' };
const answered = '{"pong":{"id":1}}\n{"pong":{"id":2}}\n';

const ARGV = "it reads process.argv";
const rows: [it: string, source: string, reason: string, lines: Line[]][] = [
  [
    "by a default subcommand",
    toolWith('const words = process.argv.slice(2);\ntool.run(words.length > 0 ? words : ["list"]);'),
    ARGV,
    [...usual, ["", gave("list")], ["nope", unknown]],
  ],
  [
    "by a default subcommand, with Bun's words",
    toolWith('tool.run(Bun.argv.length > 2 ? undefined : ["list"]);'),
    ARGV,
    [...usual, ["", gave("list")]],
  ],
  [
    "by an alias",
    toolWith('const words = process.argv.slice(2);\nif (words[0] === "ls") words[0] = "list";\ntool.run(words);'),
    ARGV,
    [...usual, ["ls", gave("list")], ["", unknown]],
  ],
  [
    "by a flag of all subcommands that is filtered out",
    toolWith('tool.run(process.argv.slice(2).filter((word) => word !== "--quiet"));'),
    ARGV,
    [...usual, ["--quiet list", gave("list")], ["add --quiet --n 3", gave("add", { n: 3 })]],
  ],
  [
    "by words that are changed in place",
    toolWith('if (process.argv.at(-1) === "--json5") process.argv.pop();\ntool.run();'),
    ARGV,
    [...usual, ["list --json5", gave("list")]],
  ],
  [
    "by a protocol of their own",
    toolWith('if (process.argv[2] === "serve") await serve(); else tool.run();', PROTOCOL),
    ARGV,
    [...usual, ["serve", answered, spoken]],
  ],
  [
    "by a protocol behind a subcommand",
    toolWith('if (process.argv.includes("--serve")) serve(); else tool.run();', PROTOCOL),
    ARGV,
    [...usual, ["list --serve", answered, spoken]],
  ],
  [
    "by an ending of their own",
    toolWith(
      'if (process.argv[2] === "--version") {\n  process.stdout.write("v1\\n");\n  process.exit(0);\n}\ntool.run();',
    ),
    ARGV,
    [...usual, ["--version", "v1\n"], ["version", /"version":"1.2.3"/]],
  ],
  [
    "by a subcommand that a word registers",
    toolWith('if (process.argv.includes("--debug")) taking("dump", z.object({ debug: z.boolean() }));\ntool.run();'),
    ARGV,
    [...usual, ["dump --debug", gave("dump", { debug: true })], ["dump", unknown], ["help --debug", /"name":"dump"/]],
  ],
  [
    "by a parser of the engine",
    toolWith(
      'const { positionals } = parseArgs({ strict: false });\nif (positionals[0] === "go") tool.run(["list"]); else tool.run();',
      'import { parseArgs } from "node:util";',
    ),
    ARGV,
    [...usual, ["go", gave("list")]],
  ],
  [
    "by a variable that changes the words",
    toolWith('tool.run(process.env.MODE === "list" ? ["list"] : undefined);'),
    "it reads process.env.MODE",
    [...usual, ["add", gave("list"), { env: { MODE: "list" } }], ["schema", gave("list"), { env: { MODE: "list" } }]],
  ],
  [
    "by a subcommand that a variable registers",
    toolWith('if (process.env.MORE) taking("more");\ntool.run();'),
    "it reads process.env.MORE",
    [...usual, ["more", gave("more"), { env: { MORE: "1" } }], ["schema", /"more":/, { env: { MORE: "1" } }]],
  ],
  [
    "by a variable that starts a protocol",
    toolWith("if (env.SERVE) await serve(); else tool.run();", `${PROTOCOL}\nimport { env } from "node:process";`),
    "it reads process.env.SERVE",
    [...usual, ["", answered, { ...spoken, env: { SERVE: "1" } }]],
  ],
  [
    "always alike",
    toolWith('tool.run(["add", "--n", "5"]);'),
    "`run` is given other words than the command line's",
    [
      ["list", gave("add", { n: 5 })],
      ["", gave("add", { n: 5 })],
    ],
  ],
];

for (const [it, source, reason, lines] of rows) {
  deciding(`are as in source: ${it}`, async () => {
    const { ask, notes } = await bothOf(source);
    assert.ok(
      notes.some((note) => note.endsWith(`the tool is loaded for every answer, because ${reason}`)),
      `${notes}`,
    );
    for (const [words, stdout, options] of lines) {
      const { source, built } = await ask(words.split(" ").filter(Boolean), options);
      assert.equal(built, source, words);
      if (typeof stdout === "string") assert.equal(source, { stdout, stderr: "", code: 0 }, words);
      else assert.match(source.stdout, stdout);
    }
  });
}

const frozen: [it: string, end: string, head?: string][] = [
  ["run as it is", "tool.run();"],
  ["run on the command line", "tool.run(process.argv.slice(2));"],
  ["run on Bun's", "await tool.run(Bun.argv.slice(2));"],
  ["run on words with a name", "const words = process.argv.slice(2);\nexport const done = tool.run(words);"],
  ["run on what was taken from the process", "tool.run(argv.slice(2));", "const { argv } = process;"],
  ["guarded by its own path", "if (process.argv[1] !== undefined && import.meta.main) tool.run();"],
  [
    "that sets a variable for its packages",
    "tool.run();",
    'process.env.SOME_LEVEL = "1";\nif (!process.env.SOME_LEVEL) throw new Error("unset");',
  ],
];
for (const [it, end, head] of frozen) {
  deciding(`do not: one ${it}`, async () => {
    const { notes, ask } = await bothOf(toolWith(end, head));
    assert.equal(
      notes.filter((note) => note.includes("loaded for every answer")),
      [],
    );
    const { source, built } = await ask(["schema"]);
    assert.equal(built, source);
  });
}

deciding("are as in source: a call that a variable makes something else", async () => {
  const { ask } = await bothOf(
    toolWith('if (process.env.MODE === "raw") {\n  console.log("raw");\n  process.exit(3);\n}\ntool.run();'),
  );
  const { source, built } = await ask(["list"], { env: { MODE: "raw" } });
  assert.equal([source, built], Array(2).fill({ stdout: "raw\n", stderr: "", code: 3 }));
});

deciding("have an envelope where they throw while they load", async () => {
  const end = 'if (process.argv[2] === "bad") throw new Error("no");\ntool.run();';
  const { built } = await (await bothOf(toolWith(end))).ask(["bad"]);
  const { detail: _, ...rest } = JSON.parse(built.stdout);
  assert.equal(
    { ...built, stdout: rest },
    { stdout: { ok: false, error: "unexpected_error", message: "no" }, stderr: "", code: 0 },
  );
});

deciding("a plain call has one answer, whatever they print while they load", async () => {
  const { ask } = await bothOf(
    toolWith('if (process.argv.length > 3 && !process.env.QUIET) console.log("loading");\ntool.run();'),
  );
  const { built } = await ask(["add", "--n", "7"]);
  assert.equal(built, { stdout: gave("add", { n: 7 }), stderr: "loading\n", code: 0 });
});

deciding.run();

import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "@code-first-agents/tool/build";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { bun, run } from "./harness.ts";
import { linkedFolder } from "./linked.ts";
import type { Files } from "./project.ts";

const ways = suite("ways to write a tool");

const spec = (input: string, more = "") => `{
  name: "add", description: "Add", ${more}
  input: ${input},
  output: l1Output({ sum: z.number() }),
  handler: ({ a, b }) => ({ message: "added", sum: a + b }),
}`;
const INPUT = "z.object({ a: z.number(), b: z.number() }).strict()";
const runtime = 'import { l1Output, Tool } from "@code-first-agents/tool";';
const made = 'const tool = new Tool({ name: "t", description: "T" });';
const tool = (head: string, body: string) => `${runtime}\n${head}\n${made}\n${body}\ntool.run();\n`;
const zod = 'import { z } from "zod";';
const usual = tool(zod, `tool.subcommand(${spec(INPUT)});`);

/** Zod is loaded by a plain call of those that say so; all others need none. */
const rows: [it: string, files: Files, loads?: "loads Zod"][] = [
  ["all in one place", { "tool.ts": usual }],
  ["TSX", { "tool.tsx": usual }],
  ["JavaScript", { "tool.js": usual }],
  ["an ES module by its ending", { "tool.mts": usual }],
  ["a namespace of Zod", { "tool.ts": usual.replace(zod, 'import * as z from "zod";') }],
  ["the default of Zod", { "tool.ts": usual.replace(zod, 'import z from "zod";') }],
  ["zod/v4", { "tool.ts": usual.replace(zod, 'import { z } from "zod/v4";') }],
  [
    "another name of Zod",
    {
      "tool.ts": usual
        .replace(zod, 'import { z as t } from "zod"; import { z } from "zod";')
        .replace(INPUT, INPUT.replaceAll("z.", "t.")),
    },
  ],
  [
    "Zod Mini",
    {
      "tool.ts": usual
        .replace(zod, 'import * as z from "zod/mini";')
        .replace(INPUT, "z.strictObject({ a: z.number(), b: z.number() })"),
    },
  ],
  [
    "an import in a comment, and the word locales",
    { "tool.ts": `/*\nimport { z } from "zod";\n*/\nconst locales = "locales";\n${usual}` },
  ],
  ["a key more in a spec", { "tool.ts": tool(zod, `tool.subcommand(${spec(INPUT, "tags: ['x'],")} as any);`) }],
  [
    "constants",
    {
      "tool.ts": tool(
        `${zod}\nconst number = z.number();\nconst shape = { a: number, b: number };`,
        `tool.subcommand(${spec("z.object(shape).strict()")});`,
      ),
    },
  ],
  [
    "schemas of another file",
    {
      "tool.ts": tool(`${zod}\nimport { input } from "./schemas.ts";`, `tool.subcommand(${spec("input")});`),
      "schemas.ts": `${zod}\nexport const input = ${INPUT};`,
    },
  ],
  [
    "a helper that makes schemas",
    { "tool.ts": tool(`${zod}\nconst pair = () => ${INPUT};`, `tool.subcommand(${spec("pair()")});`) },
  ],
  [
    "spreads",
    {
      "tool.ts": tool(
        `${zod}\nconst shared = { a: z.number() };`,
        `tool.subcommand(${spec("z.object({ ...shared, b: z.number() }).strict()")});`,
      ),
    },
  ],
  [
    "extend and pick",
    {
      "tool.ts": tool(
        `${zod}\nconst base = z.object({ a: z.number(), c: z.string() });`,
        `tool.subcommand(${spec("base.pick({ a: true }).extend({ b: z.number() }).strict()")});`,
      ),
    },
  ],
  ["coerced numbers", { "tool.ts": usual.replace(INPUT, INPUT.replaceAll("z.number()", "z.coerce.number()")) }],
  ["a refinement", { "tool.ts": usual.replace(INPUT, `${INPUT}.refine(({ a }) => a < 1e9)`) }, "loads Zod"],
];

const lines = [["add", "--a", "6", "--b", "7"], ["add", "--a", "x", "--b", "7"], ["add"], ["schema"], ["help", "add"]];

for (const [it, files, loads] of rows)
  ways(`answer alike from source and executable: ${it}`, async () => {
    const folder = linkedFolder(files);
    const entry = Object.keys(files)[0] as string;
    const outfile = join(dirname(folder), "made");
    const { notes } = await build({ entry: join(folder, entry), outfile, bytecode: false });
    assert.is(
      notes.some((note) => note.includes("Zod is loaded by a call")),
      loads !== undefined,
      notes.join("\n"),
    );
    for (const words of lines)
      assert.equal(
        await run(outfile, words, { cwd: dirname(folder) }),
        await run(bun, [entry, ...words], { cwd: folder }),
        words.join(" "),
      );
    rmSync(dirname(folder), { recursive: true });
  });

ways.run();

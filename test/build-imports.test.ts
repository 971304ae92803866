import { suite } from "uvu";
import { makes, type Row, show, toolWith } from "./project.ts";

const importing = suite("what tools import");

const rows: Row[] = [
  {
    it: "with JSON",
    files: {
      "tool.ts": toolWith({
        head: 'import a from "./a.json"; import b from "./a.json" with { type: "json" }; import { n } from "./a.json";',
        value: "[a, b.n, n]",
      }),
      "a.json": '{ "n": 1 }',
    },
    answers: show([{ n: 1 }, 1, 1]),
  },
  {
    it: "with text",
    files: {
      "tool.ts": toolWith({
        head: 'import a from "./a.txt"; import b from "./b.md" with { type: "text" }; import c from "./c.ts" with { type: "text" };',
        value: "[a, b, c]",
      }),
      "a.txt": "ä\n",
      "b.md": "# b",
      "c.ts": 'import { z } from "zod";\n',
    },
    answers: show(["ä\n", "# b", 'import { z } from "zod";\n']),
  },
  {
    it: "with bytes",
    files: {
      "tool.ts": toolWith({ head: 'import bytes from "./a.bin";', value: "[bytes instanceof Uint8Array, ...bytes]" }),
      "a.bin": new Uint8Array([0, 255, 10, 13]),
    },
    answers: show([true, 0, 255, 10, 13]),
  },
  {
    it: "with modules of Node",
    files: {
      "tool.ts": toolWith({
        head: 'import { join } from "node:path"; import os from "os";',
        value: '[join("a", "b"), os.EOL]',
      }),
    },
    answers: show(["a/b", "\n"]),
  },
  {
    it: "with modules of Bun",
    files: {
      "tool.ts": toolWith({
        head: 'import { Database } from "bun:sqlite"; import { semver } from "bun";',
        value: '[new Database(":memory:").query("select 6 * 7 as n").get().n, semver.satisfies("1.4.5", "^1.4")]',
      }),
    },
    answers: show([42, true]),
  },
  {
    it: "with packages, of both kinds of module",
    files: {
      "tool.ts": toolWith({
        head: 'import { esm } from "esm"; import cjs, { named } from "cjs";',
        value: "[esm, cjs.named, named]",
      }),
      "node_modules/esm/package.json": '{ "name": "esm", "type": "module", "exports": "./index.js" }',
      "node_modules/esm/index.js":
        'import manifest from "./package.json" with { type: "json" };\nexport const esm = manifest.type;',
      "node_modules/cjs/package.json": '{ "name": "cjs", "main": "./main.cjs" }',
      "node_modules/cjs/main.cjs": 'const path = require("path");\nexports.named = path.basename("/a/cjs");',
    },
    answers: show(["module", "cjs", "cjs"]),
  },
  {
    it: "with the paths of the tsconfig.json beside it",
    files: {
      "tool.ts": toolWith({ head: 'import { data } from "~/data";', value: "data" }),
      "tsconfig.json": '{ "compilerOptions": { "paths": { "~/*": ["./lib/*"] } } } // a comment',
      "lib/data.ts": "export const data = 3;",
    },
    answers: show(3),
  },
  {
    it: "whose text looks like an import of zod",
    files: {
      "tool.ts": toolWith({ head: 'const text = `\nimport { z } from "zod";\nimport z from "zod"`;', value: "text" }),
    },
    answers: show('\nimport { z } from "zod";\nimport z from "zod"'),
  },
  {
    it: "that registers by importing, whatever its package says of side effects",
    files: {
      "package.json": '{ "sideEffects": false }',
      "tool.ts": 'import { tool } from "./made.ts";\nimport "./more.ts";\ntool.run();',
      "made.ts": toolWith({ end: "export { tool };" }),
      "more.ts": `import { l1Output } from "@code-first-agents/tool";
        import { z } from "zod";
        import { tool } from "./made.ts";
        tool.subcommand({ name: "more", description: "More", input: z.object({}), output: l1Output({}), handler: () => ({ message: "more" }) });`,
    },
    answers: [[["more"], '{"ok":true,"message":"more"}']],
  },
  {
    it: "that speaks another language of Zod's",
    files: {
      "tool.ts": toolWith({
        head: "z.config(z.locales.de());",
        value: "z.string().safeParse(1).error?.issues[0]?.message",
      }),
    },
    answers: show("Ungültige Eingabe: erwartet string, erhalten Zahl"),
  },
  {
    it: "with a byte order mark before its hashbang",
    files: { "tool.ts": `\uFEFF#!/usr/bin/env bun\n${toolWith()}` },
    answers: show(1),
  },
  {
    it: "with zod/v3 and zod/mini",
    files: {
      "tool.ts": toolWith({
        head: 'import { z as z3 } from "zod/v3"; import * as mini from "zod/mini";',
        end: `tool.subcommand({
          name: "both", description: "Both", input: z3.object({ n: z3.number().default(2) }).strict(),
          output: mini.object({ ok: mini.literal(true), message: mini.string(), n: mini.number() }),
          handler: ({ n }) => ({ message: "both", n }),
        });
        tool.run();`,
      }),
    },
    answers: [
      [["both"], '{"ok":true,"message":"both","n":2}'],
      [["both", "--n", "5"], '{"ok":true,"message":"both","n":5}'],
    ],
  },
];

for (const row of rows) importing(`makes a tool ${row.it}`, () => makes(row));

importing.run();

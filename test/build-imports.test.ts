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
    it: "with a file",
    files: {
      "tool.ts": toolWith({
        head: 'import path from "./a.bin"; import { readFileSync } from "node:fs";',
        value: "[typeof path, ...readFileSync(path)]",
      }),
      "a.bin": new Uint8Array([0, 255, 10, 13]),
    },
    answers: show(["string", 0, 255, 10, 13]),
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
    it: "with workers whose code is text",
    files: {
      "tool.ts": toolWith({
        head: `import { Worker as Thread } from "node:worker_threads";
          import code from "./w.ts" with { type: "text" };
          const blob = URL.createObjectURL(new Blob([code]));
          const options = { eval: true };
          const data = "data:text/javascript,postMessage(1)";
          const said = (worker: Worker | Thread) =>
            new Promise((done) => { (worker as Worker).addEventListener("message", ({ data }) => done(data)); }).finally(() => worker.terminate());
          const told = (worker: Thread) => new Promise((done) => worker.once("message", done)).finally(() => worker.terminate());`,
        value: `[await said(new Worker(blob)), await said(new Worker(new URL(data))),
          await told(new Thread("/* ./w.ts */ require('worker_threads').parentPort.postMessage(2)", options)), 'new Worker("./w.ts")']`,
      }),
      "w.ts": "const n: number = 3;\npostMessage(n);",
    },
    answers: show([3, 1, 2, 'new Worker("./w.ts")']),
  },
  {
    it: "with workers of another kind",
    files: {
      "tool.ts": toolWith({
        head: 'import { Worker } from "queue"; import { Pool } from "./pool.ts"; import "./circle.ts";',
        value: '[new Worker("./mails.ts").name, new Pool.Worker("./w.ts").name]',
      }),
      "circle.ts":
        "export const f = (b: any) => { const a = b.x; return new Worker(a); };\nexport const g = (a: any) => { const b = a.y; return b; };",
      "pool.ts":
        "class Worker { constructor(readonly name: string) {} }\nexport const Pool = { Worker, first: new Worker('./w.ts') };",
      "node_modules/queue/package.json": '{ "name": "queue", "type": "module", "exports": "./index.js" }',
      "node_modules/queue/index.js": "export class Worker { constructor(name) { this.name = name; } }",
    },
    answers: show(["./mails.ts", "./w.ts"]),
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

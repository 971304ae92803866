import { suite } from "uvu";
import { type Files, toolWith } from "./project.ts";
import { same, type Told, told } from "./same.ts";

const imported = suite("executables of tools that import files");

const text = (path: string) => `await Bun.file(${path}).text()`;

const DATA: Files = {
  "a.toml": '[a]\nb = 1\nc = "x"\n',
  "a.yaml": "a:\n  b: [1, 2]\n",
  "a.yml": "a: 1\n",
  "a.jsonc": '{ "a": 1, /* b */ }\n',
  "a.json5": "{ a: 1, b: 'x', }\n",
  "a.sql": "select 1;\n",
  "a.graphql": "query { a }\n",
  "a.csv": "a,b\n",
  "a.svg": "<svg/>\n",
  "a.txt": "text\n",
  "a.md": "# a\n",
  "a.png": new Uint8Array([137, 80, 78, 71]),
  "a.bin": new Uint8Array([0, 255]),
  "a.wasm": new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]),
  "a.conf": "a = 1\n",
  "b.ts": "export const n: number = 1;\n",
};

const importing: [imports: string, value: string, answer: unknown][] = [
  ['import a from "./a.toml";', "a", { a: { b: 1, c: "x" } }],
  ['import { a } from "./a.toml";', "a.b", 1],
  ['import a from "./a.yaml";', "a", { a: { b: [1, 2] } }],
  ['import a from "./a.yml";', "a", { a: 1 }],
  ['import a from "./a.jsonc";', "a", { a: 1 }],
  ['import a from "./a.json5";', "a", { a: 1, b: "x" }],
  ['import a from "./a.txt";', "a", "text\n"],
  ['import a from "./a.conf" with { type: "toml" };', "a", { a: 1 }],
  ['import a from "./a.txt" with { type: "yaml" };', "a", "text"],
  ['import a from "./a.jsonc" with { type: "jsonc" };', "a", { a: 1 }],
  ['import a from "./a.json5" with { type: "json5" };', "a", { a: 1, b: "x" }],
  ['import a from "./a.sql" with { type: "text" };', "a", "select 1;\n"],
  ['import a from "./b.ts" with { type: "text" };', "a", "export const n: number = 1;\n"],
  ['import a from "./a.yaml" with { type: "text" };', "a", "a:\n  b: [1, 2]\n"],
  ['import a from "./a.sql";', text("a"), "select 1;\n"],
  ['import a from "./a.graphql";', text("a"), "query { a }\n"],
  ['import a from "./a.csv";', text("a"), "a,b\n"],
  ['import a from "./a.svg";', text("a"), "<svg/>\n"],
  ['import a from "./a.md" with { type: "file" };', text("a"), "# a\n"],
  ['import a from "./b.ts" with { type: "file" };', text("a"), "export const n: number = 1;\n"],
  ['import a from "./a.toml" with { type: "file" };', text("a"), '[a]\nb = 1\nc = "x"\n'],
  ['import a from "./a.png";', "[typeof a, ...await Bun.file(a).bytes()]", ["string", 137, 80, 78, 71]],
  ['import a from "./a.bin";', "[typeof a, ...await Bun.file(a).bytes()]", ["string", 0, 255]],
  ['import a from "./a.wasm";', "[typeof a, WebAssembly.validate(await Bun.file(a).bytes())]", ["string", true]],
  [
    'import a from "./a.png" with { type: "file" }; import { readFileSync, statSync, existsSync } from "node:fs";',
    "[existsSync(a), statSync(a).size, readFileSync(a).length]",
    [true, 4, 4],
  ],
  ["", '(await import("./a.toml")).default', { a: { b: 1, c: "x" } }],
  ["", '(await import("./a.sql", { with: { type: "text" } })).default', "select 1;\n"],
  ["", 'require("./a.jsonc")', { a: 1 }],
  ['import { double } from "./macro.ts" with { type: "macro" };', "double(21)", 42],
];

for (const [head, value, answer] of importing)
  imported(`have what \`${head || value}\` gives`, () =>
    same({
      it: head,
      files: {
        "tool.ts": toolWith({ head, value }),
        ...DATA,
        "macro.ts": "export const double = (n: number) => n * 2;",
      },
      value: answer,
    }),
  );

imported("have a database that is embedded", () =>
  same({
    it: "sqlite",
    files: {
      "tool.ts": toolWith({
        head: 'import db from "./empty.db" with { type: "sqlite", embed: "true" };',
        value: 'db.query("select 1 as n").get()',
      }),
      "empty.db": "",
    },
    value: { n: 1 },
  }),
);

imported("are told of a database that is not", () =>
  told({
    it: "sqlite",
    files: {
      "tool.ts": toolWith({
        head: 'import db from "./empty.db" with { type: "sqlite" };',
        value: 'db.query("select 1 as n").get()',
      }),
      "empty.db": "",
    },
    says: /cfa: .*tool\.ts:\d+.*embed/,
  }),
);

imported.run();

const beside = suite("executables of tools that read files beside them");

const NODE = `import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"; import { readFile } from "node:fs/promises";
  import { dirname, join, resolve } from "node:path"; import { fileURLToPath } from "node:url";`;

const reading: [value: string, answer: unknown][] = [
  ['readFileSync(new URL("./words.txt", import.meta.url), "utf8")', "a\nb\n"],
  ['readFileSync(join(import.meta.dirname, "words.txt"), "utf8")', "a\nb\n"],
  ['readFileSync(join(import.meta.dir, "data", "x.json"), "utf8")', '{ "n": 1 }'],
  ['readFileSync(resolve(import.meta.dirname, "./data/x.json"), "utf8")', '{ "n": 1 }'],
  ['readFileSync(join(__dirname, "words.txt"), "utf8")', "a\nb\n"],
  ['readFileSync(import.meta.dirname.concat("/words.txt"), "utf8")', "a\nb\n"],

  ['readFileSync(fileURLToPath(new URL("words.txt", import.meta.url)), "utf8")', "a\nb\n"],
  ['readFileSync(join(dirname(fileURLToPath(import.meta.url)), "words.txt"), "utf8")', "a\nb\n"],
  ['await Bun.file(new URL("./words.txt", import.meta.url)).text()', "a\nb\n"],
  ['await Bun.file(join(import.meta.dir, "words.txt")).text()', "a\nb\n"],
  ['await readFile(new URL("./data/x.json", import.meta.url), "utf8")', '{ "n": 1 }'],
  ['existsSync(new URL("./words.txt", import.meta.url))', true],
  ['existsSync(new URL("./nothing.txt", import.meta.url))', false],
  ['statSync(join(import.meta.dirname, "words.txt")).size', 4],
  ['readdirSync(new URL("./data/", import.meta.url)).sort()', ["x.json"]],
  ['JSON.parse(readFileSync(new URL("./package.json", import.meta.url), "utf8")).name', "beside"],
];

for (const [value, answer] of reading)
  beside(`read \`${value}\``, () =>
    same({ it: value, files: { "tool.ts": toolWith({ head: NODE, value }), ...BESIDE() }, value: answer }),
  );

beside("read them while they load, as a package does", () =>
  same({
    it: "package",
    files: {
      "tool.ts": toolWith({ head: 'import { words } from "reader";', value: "words" }),
      "node_modules/reader/package.json": '{ "name": "reader", "main": "lib/index.js" }',
      "node_modules/reader/lib/index.js":
        'exports.words = require("fs").readFileSync(require("path").join(__dirname, "../data/words.txt"), "utf8");',
      "node_modules/reader/data/words.txt": "a\nb\n",
    },
    value: "a\nb\n",
  }),
);

const warned: Told[] = [
  {
    it: "a place that is computed",
    files: {
      "tool.ts": toolWith({
        head: `${NODE}\nconst name = process.argv[3] ?? "words.txt";`,
        value: 'readFileSync(join(import.meta.dirname, name), "utf8")',
      }),
      ...BESIDE(),
    },
    says: /cfa: warning: .*tool\.ts:\d+.*import .* with \{ type: "(file|text)" \}/,
  },
];

for (const row of warned) beside(`are warned of: ${row.it}`, () => told(row));

beside.run();

function BESIDE(): Files {
  return { "words.txt": "a\nb\n", "data/x.json": '{ "n": 1 }', "package.json": '{ "name": "beside" }' };
}

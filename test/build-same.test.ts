import { suite } from "uvu";
import { packaged, toolWith } from "./project.ts";
import { type Same, same } from "./same.ts";

const started = suite("executables of tools that ask how they were started");

const imports = `import { realpathSync } from "node:fs"; import { basename } from "node:path";
  import { fileURLToPath, pathToFileURL } from "node:url";`;

const guards = [
  "import.meta.main",
  "import.meta.url === pathToFileURL(process.argv[1]!).href",
  "process.argv[1] === fileURLToPath(import.meta.url)",
  'import.meta.url === "file://" + process.argv[1]',
  "import.meta.path === Bun.main",
  "import.meta.filename === process.argv[1]",
  "Bun.argv[1] === import.meta.path",
  "require.main === module",
  "basename(process.argv[1]!) === basename(import.meta.path)",
  "fileURLToPath(import.meta.url) === realpathSync(process.argv[1]!)",
  "process.argv[1] && import.meta.url.endsWith(basename(process.argv[1]))",
];

for (const guard of guards)
  started(`\`if (${guard}) tool.run()\` runs`, () =>
    same({
      it: guard,
      files: { "tool.ts": toolWith({ head: imports, end: `if (${guard}) tool.run();` }) },
      value: 1,
    }),
  );

for (const guard of guards)
  started(`\`if (${guard})\` in a file that is imported does not`, () =>
    same({
      it: guard,
      files: {
        "tool.ts": toolWith({ head: 'import { seen } from "./other.ts";', value: "seen" }),
        "other.ts": `${imports}\nexport const seen: string[] = ["loaded"];\nif (${guard}) seen.push("ran");`,
      },
      value: ["loaded"],
    }),
  );

const inCommonJs: Same[] = [
  {
    it: "a CommonJS tool that asks for require.main",
    files: { "tool.cjs": commonJsTool("if (require.main === module) tool.run();") },
    entry: "tool.cjs",
    value: 1,
  },
  {
    it: "a CommonJS tool that has no parent",
    files: { "tool.cjs": commonJsTool("if (!module.parent) tool.run();") },
    entry: "tool.cjs",
    value: 1,
  },
];

for (const row of inCommonJs) started(`run ${row.it}`, () => same(row));

started.run();

const resolved = suite("executables of tools with packages");

const UMD = `(function (factory) { factory(require, exports); })(function (require, exports) { exports.v = "umd " + require("./impl").v; });`;

const resolving: Same[] = [
  {
    it: "`main` of a package, which hands `require` to a factory, whatever its `module` is",
    files: {
      "tool.ts": toolWith({ head: 'import { v } from "umd";', value: "v" }),
      ...packaged("umd", { main: "./umd.js", module: "./esm.js" }, { "umd.js": UMD, "impl.js": "exports.v = 1;" }),
      "node_modules/umd/esm.js": 'export const v = "esm";',
    },
    value: "umd 1",
  },
  {
    it: "a factory that gets `require`, where there is nothing else",
    files: {
      "tool.ts": toolWith({ head: 'import umd from "umd";', value: "umd.v" }),
      ...packaged("umd", { main: "./umd.js" }, { "umd.js": UMD, "impl.js": "exports.v = 1;" }),
    },
    value: "umd 1",
  },
  {
    it: "the `bun` condition of a package",
    files: {
      "tool.ts": toolWith({ head: 'import { v } from "conditions";', value: "v" }),
      ...packaged(
        "conditions",
        { type: "module", exports: { bun: "./bun.js", node: "./node.js", default: "./other.js" } },
        {
          "bun.js": 'export const v = "bun";',
          "node.js": 'export const v = "node";',
          "other.js": 'export const v = "other";',
        },
      ),
    },
    value: "bun",
  },
  {
    it: "`import` and `require` of a package that has a file for each",
    files: {
      "tool.ts": toolWith({ head: 'import { v } from "dual"; import user from "user";', value: "[v, user]" }),
      ...packaged(
        "dual",
        { exports: { import: "./index.mjs", require: "./index.cjs" } },
        { "index.mjs": 'export const v = "import";', "index.cjs": 'exports.v = "require";' },
      ),
      ...packaged("user", { main: "index.cjs" }, { "index.cjs": 'module.exports = require("dual").v;' }),
    },
    value: ["import", "require"],
  },
  {
    it: "a `browser` field that Bun does not read",
    files: {
      "tool.ts": toolWith({ head: 'import v from "both";', value: "v" }),
      ...packaged(
        "both",
        { main: "./node.js", browser: "./browser.js" },
        { "node.js": 'module.exports = "node";', "browser.js": 'module.exports = "browser";' },
      ),
    },
    value: "node",
  },
  {
    it: "imports of a package by itself and by `#`",
    files: {
      "tool.ts": toolWith({ head: 'import v from "itself";', value: "v" }),
      ...packaged(
        "itself",
        { type: "module", exports: "./index.js", imports: { "#part": { bun: "./bun.js", default: "./other.js" } } },
        {
          "index.js": 'import v from "#part"; export default v;',
          "bun.js": 'export default "bun";',
          "other.js": 'export default "other";',
        },
      ),
    },
    value: "bun",
  },
  ...["undici", "ws", "node-fetch", "isomorphic-fetch", "@vercel/fetch"].flatMap((name) => [
    {
      it: `Bun's own ${name}, which is not installed`,
      files: {
        "tool.ts": toolWith({ head: `import * as own from "${name}";`, value: 'typeof own.default + ("npm" in own)' }),
      },
      value: `${name === "undici" ? "object" : "function"}false`,
    },
    {
      it: `Bun's own ${name}, with npm's beside it, in a package`,
      files: {
        "tool.ts": toolWith({ head: 'import user from "user";', value: "user" }),
        ...packaged(
          "user",
          { type: "module", exports: "./index.js" },
          { "index.js": `import * as own from "${name}"; export default "npm" in own;` },
        ),
        ...packaged(
          name,
          { type: "module", exports: "./index.js" },
          { "index.js": "export const npm = true; export default 1;" },
        ),
      },
      value: false,
    },
  ]),
  {
    it: "a file that is there for its effect, of a package without side effects",
    files: {
      "tool.ts": toolWith({ head: 'import { seen } from "quiet";', value: "seen()" }),
      ...packaged(
        "quiet",
        { type: "module", sideEffects: false, exports: "./index.js" },
        {
          "index.js": 'import "./x.js"; export const seen = () => globalThis.SEEN ?? "nothing";',
          "x.js": 'globalThis.SEEN = "effect";',
        },
      ),
    },
    value: "effect",
  },
  {
    it: "a package without side effects, of which nothing is used",
    files: {
      "tool.ts": toolWith({
        head: 'import { unused } from "quiet"; import "other";',
        value: "(globalThis as any).SEEN",
      }),
      ...packaged(
        "quiet",
        { type: "module", sideEffects: false, exports: "./index.js" },
        { "index.js": "(globalThis.SEEN ??= []).push(1); export const unused = 1;" },
      ),
      ...packaged(
        "other",
        { type: "module", sideEffects: ["./a.js"], exports: "./index.js" },
        { "index.js": "(globalThis.SEEN ??= []).push(2);" },
      ),
    },
    value: [2],
  },
  {
    it: "an entry without an ending",
    files: { tool: `#!/usr/bin/env bun\n${toolWith({ head: "const n: number = 1;", value: "n" })}` },
    entry: "tool",
    value: 1,
  },
];

for (const row of resolving) resolved(`take ${row.it}`, () => same(row));

resolved.run();

function commonJsTool(end: string): string {
  return `const { l1Output, Tool } = require("@code-first-agents/tool");
const { z } = require("zod");
const tool = new Tool({ name: "shown", description: "Shows a value" });
tool.subcommand({
  name: "show", description: "Show the value", input: z.object({}).strict(), output: l1Output({ value: z.any() }),
  handler: () => ({ message: "shown", value: 1 }),
});
${end}
`;
}

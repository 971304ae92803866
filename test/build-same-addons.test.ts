import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import { temporary } from "./harness.ts";
import { type Files, toolWith } from "./project.ts";
import { type Same, same, type Told, told } from "./same.ts";
import { has } from "./sealed.ts";

const required = suite("executables of tools whose packages try what may not be there");

const inPackage = (code: string, files: Files = {}, value = "lib.v"): Files => ({
  "tool.ts": toolWith({ head: 'import lib from "lib";', value }),
  "node_modules/lib/package.json": '{ "name": "lib", "main": "lib/index.js" }',
  "node_modules/lib/lib/index.js": `${code}\n`,
  ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`node_modules/lib/${path}`, text])),
});

const fallBack = (code: string) =>
  `let v = "fallback"; try { v = ${code}; } catch (error) { v += " " + error.code; } exports.v = v;`;

const missing: Same[] = [
  {
    it: "an addon that was never made",
    files: inPackage(fallBack('require("../build/Release/fast.node")')),
    value: "fallback MODULE_NOT_FOUND",
  },
  {
    it: "an addon of a package that is not installed",
    files: inPackage(fallBack('require("cpu-features").v')),
    value: "fallback MODULE_NOT_FOUND",
  },
  {
    it: "a file of TypeScript that is called like an addon",
    files: {
      "tool.ts": toolWith({ head: 'import { v } from "./my.node";', value: "v" }),
      "my.node.ts": "export const v: number = 1;",
    },
    value: 1,
  },
  {
    it: "a file of JavaScript that is called like an addon",
    files: inPackage('exports.v = require("./impl.node").v;', { "lib/impl.node.js": "exports.v = 1;" }),
    value: 1,
  },
  {
    it: "addons by a pattern, of which there are none",
    files: inPackage(fallBack('require("../build/" + process.arch + "/native")')),
    value: "fallback MODULE_NOT_FOUND",
  },
  {
    it: "several modules of one addon in turn",
    files: inPackage(
      "let v = 'none'; for (const place of ['../build/Release/a', '../build/Debug/a', '../compiled/a']) try { v = require(place).v; break; } catch {} exports.v = v;",
    ),
    value: "none",
  },
  {
    it: "by a pattern, in a folder where other things lie",
    files: inPackage(
      "exports.load = (name) => require('./locale/' + name).hi;",
      {
        "lib/locale/de.js": "exports.hi = 'hallo';",
        "lib/locale/it.js": "exports.hi = 'ciao';",
        "lib/locale/de.js.map": "{}",
        "lib/locale/README.md": "# locales",
        "lib/locale/page.html": "<p>",
        "lib/locale/page.hbs": "{{a}}",
        "lib/locale/broken.js": "exports.hi = ;",
        "lib/locale/lost.js": "require('./nowhere');",
      },
      "[lib.load('de'), lib.load('it.js')]",
    ),
    value: ["hallo", "ciao"],
  },
  {
    it: "by a pattern, a name that is not there",
    files: inPackage(
      "exports.load = (name) => { try { return require('./locale/' + name).hi; } catch (error) { if (error.code !== 'MODULE_NOT_FOUND') throw error; return 'default'; } };",
      { "lib/locale/de.js": "exports.hi = 'hallo';" },
      "[lib.load('de'), lib.load('xx')]",
    ),
    value: ["hallo", "default"],
  },
  {
    it: "by a pattern that only an unused function has",
    files: inPackage("exports.v = 1; exports.plugin = (name) => require(name);"),
    value: 1,
  },
  {
    it: "by a name that is a variable, and not there",
    files: inPackage(fallBack("((name) => require(name))('not-there-' + 1)")),
    value: "fallback MODULE_NOT_FOUND",
  },
  {
    it: "JSON by createRequire, in an ES module",
    files: {
      "tool.ts": toolWith({ head: 'import { v } from "lib";', value: "v" }),
      "node_modules/lib/package.json":
        '{ "name": "lib", "type": "module", "version": "1.2.3", "exports": "./lib/index.js" }',
      "node_modules/lib/lib/index.js": `import { createRequire } from "node:module";
        const require = createRequire(import.meta.url);
        export const v = [require("../data/x.json").n, require("../package.json").version];`,
      "node_modules/lib/data/x.json": '{ "n": 1 }',
    },
    value: [1, "1.2.3"],
  },
  {
    it: "JSON by createRequire that is called at once",
    files: {
      "tool.ts": toolWith({
        head: 'import { createRequire } from "module"; import * as module from "node:module";',
        value: '[createRequire(import.meta.url)("./x.json").n, module.createRequire(import.meta.url)("./lib.cjs").v]',
      }),
      "x.json": '{ "n": 1 }',
      "lib.cjs": "exports.v = 2;",
    },
    value: [1, 2],
  },
  {
    it: "where a file would be, by require.resolve",
    files: inPackage(
      "let v = 'none'; try { require.resolve('not-there'); } catch (error) { v = error.code; } exports.v = v;",
    ),
    value: "MODULE_NOT_FOUND",
  },
];

for (const row of missing)
  required(`go on without ${row.it}`.replace("without by", "with what is there by"), () => same(row));

required("load nothing from the folder they run in", () =>
  same({
    it: "closed",
    files: { ...inPackage(fallBack("((name) => require(name))(process.cwd() + '/' + 'hostile.cjs')")) },
    value: "fallback MODULE_NOT_FOUND",
  }),
);

required.run();

const addons = suite("executables of tools with addons");

const addon = compiledAddon();
const withAddon = addon ? addons : addons.skip;

const embedded: Same[] = [
  {
    it: "required by its path",
    files: inPackage('exports.v = require("../build/Release/fast.node").answer;', {
      "build/Release/fast.node": addon ?? "",
    }),
    value: 42,
  },
  {
    it: "required by its path, in a try",
    files: inPackage(fallBack('require("../build/Release/fast.node").answer'), {
      "build/Release/fast.node": addon ?? "",
    }),
    value: 42,
  },
  {
    it: "of a package for this platform",
    files: {
      ...inPackage(
        `let v; if (process.platform === "linux") v = process.arch === "x64" ? require("lib-linux-x64").answer : require("lib-linux-arm64").answer; exports.v = v;`,
      ),
      ...Object.fromEntries(
        ["x64", "arm64"].flatMap((arch) => [
          [`node_modules/lib-linux-${arch}/package.json`, `{ "name": "lib-linux-${arch}", "main": "lib.node" }`],
          [`node_modules/lib-linux-${arch}/lib.node`, addon ?? ""],
        ]),
      ),
    },
    value: 42,
  },
  {
    it: "of this platform, where those of others are not there",
    files: inPackage(
      `function load() { switch (process.platform) {
         case "darwin": return require("./lib.darwin.node");
         case "win32": try { return require("./lib.win32.node"); } catch (error) { return require("lib-win32"); }
         default: try { return require("./lib.linux.node"); } catch (error) { return require("lib-linux"); }
       } }
       exports.v = load().answer;`,
      { "lib/lib.linux.node": addon ?? "" },
    ),
    value: 42,
  },
  {
    it: "loaded by process.dlopen",
    files: inPackage(
      `const m = { exports: {} }; process.dlopen(m, require("path").join(__dirname, "fast.node")); exports.v = m.exports.answer;`,
      { "lib/fast.node": addon ?? "" },
    ),
    value: 42,
  },
];

for (const row of embedded) withAddon(`have one inside that is ${row.it}`, () => same(row));

const refused: Told[] = [
  {
    it: "one that a loader looks for in a folder",
    files: inPackage(
      `const fs = require("fs"), path = require("path");
       const folder = path.join(__dirname, "../prebuilds/" + process.platform + "-" + process.arch);
       const file = fs.readdirSync(folder).find((name) => name.endsWith(".node"));
       exports.v = require(path.join(folder, file)).answer;`,
      { "prebuilds/linux-x64/fast.node": addon ?? "", "prebuilds/linux-arm64/fast.node": addon ?? "" },
    ),
    says: /cfa: .*"?lib"?.*(executable|addon)/,
  },
];

for (const row of refused) withAddon(`are refused, with package and reason, for ${row.it}`, () => told(row));

addons.run();

/** The bytes of an addon that answers 42, where this machine can make one. */
function compiledAddon(): Uint8Array | undefined {
  if (process.platform !== "linux" || !has("cc", "executables with addons")) return undefined;
  const file = join(temporary(), "fast.node");
  const source = `typedef void *value; int napi_create_int32(value, int, value *); int napi_set_named_property(value, value, const char *, value);
value napi_register_module_v1(value env, value exports) { value v; napi_create_int32(env, 42, &v); napi_set_named_property(env, exports, "answer", v); return exports; }
int node_api_module_get_api_version_v1(void) { return 8; }`;
  const made = spawnSync("cc", ["-shared", "-fPIC", "-x", "c", "-", "-o", file], { input: source });
  if (made.status === 0) return readFileSync(file);
  console.log("left out: executables with addons, there is no compiler that makes one");
  return undefined;
}

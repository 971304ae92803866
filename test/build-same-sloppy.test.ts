import { suite } from "uvu";
import { packaged, toolWith } from "./project.ts";
import { same } from "./same.ts";

const sloppy = suite("executables of tools with sloppy code");

const CODES: [code: string, value: unknown][] = [
  ["exports.v = (function (a) { arguments[0] = 9; return a; })(1);", 9],
  ["exports.v = (function (a) { a = 9; return arguments[0]; })(1);", 9],
  ["implicit = 5; exports.v = globalThis.implicit;", 5],
  ["with ({ inside: 5 }) exports.v = inside;", 5],
  ["exports.v = (function () { return this === globalThis; })();", true],
  ["exports.v = (function (n) { return n > 1 ? n * arguments.callee(n - 1) : 1; })(4);", 24],
  ["exports.v = 010;", 8],
  ["var o = Object.freeze({ a: 1 }); o.a = 2; exports.v = o.a;", 1],
  ["var yield = 1, let = 2, static = 3; exports.v = yield + let + static;", 6],
  ["var o = Object.defineProperty({}, 'a', {}); exports.v = delete o.a;", false],
  ["exports.v = typeof later; if (true) { function later() {} }", "undefined"],
  ["eval('var made = 5'); exports.v = made;", 5],
  ["exports.v = this === module.exports;", true],
];

for (const [code, value] of CODES) {
  sloppy(`do as the source with \`${code}\` in a package`, () =>
    same({
      it: code,
      files: {
        "tool.ts": toolWith({ head: 'import lax from "lax";', value: "lax.v" }),
        ...packaged("lax", { main: "index.js" }, { "index.js": `${code}\n` }),
      },
      value,
    }),
  );
  sloppy(`do as the source with \`${code}\` in a file that is loaded later`, () =>
    same({
      it: code,
      files: { "tool.ts": toolWith({ value: '(await import("./lax.cjs")).default.v' }), "lax.cjs": `${code}\n` },
      value,
    }),
  );
}

sloppy("import what stands beside them, and what they put a name together for", () =>
  same({
    it: "imports of sloppy code",
    files: {
      "tool.ts": toolWith({ head: 'import lax from "lax";', value: "await lax.v()" }),
      ...packaged(
        "lax",
        { main: "lib/index.js" },
        {
          "lib/index.js": `leaked = require("./one.json").one;
const load = (name) => import("node:" + name);
exports.v = async () => [leaked, (await import("./two.mjs")).default, typeof (await load("fs")).readFileSync];
`,
          "lib/one.json": '{ "one": 1 }',
          "lib/two.mjs": "export default 2;",
        },
      ),
    },
    value: [1, 2, "function"],
  }),
);

sloppy.run();

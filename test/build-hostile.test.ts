import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { root } from "./harness.ts";
import { cfa, type Files, folderWith, sha256, stateOf, steady, told, toolWith } from "./project.ts";

const hostile = suite("building in a hostile place");

const head = `
  import { readFileSync } from "node:fs";
  import { sep } from "path";
  import { semver } from "bun";
  import { n } from "./n.ts";`;
const value = "[typeof readFileSync, sep, semver.satisfies('1.2.3', '^1'), n, process.env.X, process.env.NODE_ENV]";
const project: Files = {
  "package.json": '{ "name": "project" }',
  "tool.ts": toolWith({ head, value }),
  "n.ts": "export const n = 1;",
};

hostile("changes neither what is told nor a byte", async () => {
  const clean = folderWith(project);
  symlinkSync(join(root, "node_modules"), join(clean, "node_modules"));
  assert.equal(steady(await cfa(clean, ["build", "tool.ts"])), told("./tool"));
  const place = folderWith({ ...trapsAbove(), ...trapsIn("here"), ...trapsIn("out"), ...within("project", project) });
  symlinkSync(join(root, "node_modules"), join(place, "project/node_modules"));
  const here = join(place, "here");
  const before = stateOf(place);
  const env = {
    HOME: folderWith(trapsIn("."), "home"),
    XDG_CONFIG_HOME: join(here, "config"),
    TMPDIR: here,
    BUN_OPTIONS: `--preload=${here}/trap.js --define=process.env.X:1`,
    BUN_CONFIG_FILE: join(here, "bunfig.toml"),
    BUN_INSTALL: here,
    BUN_TMPDIR: here,
    BUN_BE_BUN: "1",
    NODE_ENV: "production",
    NODE_PATH: join(here, "node_modules"),
    X: "trap",
    CFA_EXIT_CODES: "1",
    TZ: "Asia/Tokyo",
  };
  const built = await cfa(here, ["build", "../project/tool.ts", "-o", "../out/tool"], { env });
  const outfile = join(place, "out/tool");
  assert.equal(steady(built), told(outfile));
  assert.is(sha256(outfile), sha256(join(clean, "tool")));
  assert.equal(stateOf(place), { ...before, "out/tool": sha256(outfile) });
});

hostile.run();

function within(folder: string, files: Files): Files {
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [join(folder, path), content]));
}

/** Settings of the compiler above a tool hold for it, as in source. */
function trapsAbove(): Files {
  const { "tsconfig.json": _, ...traps } = trapsIn(".");
  return traps;
}

/** What Node, Bun or esbuild might take from a folder. */
function trapsIn(folder: string): Files {
  const trap = 'console.log("PWNED"); require("fs").writeFileSync("pwned", ""); module.exports = { n: "PWNED" };\n';
  const bunfig = `preload = ["./trap.js"]\n[define]\n"process.env.X" = "'PWNED'"\n"1" = "2"\n`;
  const names = ["bun", "fs", "node:fs", "path", "arg", "pkg-types", "./n.ts", "./tool.js", "./entry.js"];
  const paths = Object.fromEntries(["*", ...names].map((name) => [name, ["./trap.js"]]));
  const browser = Object.fromEntries(names.map((name) => [name, "./trap.js"]));
  return within(folder, {
    ...Object.fromEntries(["zod", ...names.slice(0, 6)].map((name) => [`node_modules/${name}/index.js`, trap])),
    ...Object.fromEntries(["trap.js", "n.ts", "tool.js", "main.js", "entry.js"].map((name) => [name, trap])),
    ".env": "X=PWNED\nNODE_ENV=PWNED\nBUN_OPTIONS=--preload=./trap.js\n",
    "bunfig.toml": bunfig,
    ".bunfig.toml": bunfig,
    "config/.bunfig.toml": bunfig,
    ".npmrc": "registry=http://127.0.0.1:1/\n",
    "tsconfig.json": JSON.stringify({ compilerOptions: { baseUrl: ".", paths, jsxImportSource: "trap" } }),
    "package.json": JSON.stringify({
      name: "trap",
      sideEffects: false,
      imports: { "#*": "./trap.js" },
      browser,
    }),
  });
}

import { appendFileSync, cpSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { root, run } from "./harness.ts";
import { cfa, emptyFolder, type Files, folderWith, sha256, shown, stateOf, steady, told, toolWith } from "./project.ts";

const places = suite("building in places");

const files = { "tool.ts": toolWith() };

places("from an empty folder, by an absolute path; the executable outlives its source", async () => {
  const source = folderWith(files);
  const here = emptyFolder();
  assert.equal(steady(await cfa(here, ["build", join(source, "tool.ts")])), told("./tool"));
  assert.equal(Object.keys(stateOf(here)), ["tool"]);
  assert.equal(Object.keys(stateOf(source)), ["tool.ts"]);
  rmSync(dirname(source), { recursive: true });
  assert.equal(await shows(join(here, "tool")), shown(1));
});

for (const name of [
  "white space",
  "schema3",
  "a * b",
  'it\'s "quoted"',
  "ünï ☃ 日本",
  "-o",
  "$HOME `id` %s;&",
  "back\\slash?",
  "new\nline #1 %41",
]) {
  places(`in a folder and under a name such as ${name}`, async () => {
    const folder = folderWith(
      { [`${name}.ts`]: toolWith({ head: 'import n from "./a b/n.json";', value: "n" }), "a b/n.json": "2" },
      name,
    );
    assert.equal(steady(await cfa(folder, ["build", `./${name}.ts`])), told(`./${name}`));
    assert.equal(await shows(join(folder, name)), shown(2));
  });
}

places("where -o says, in folders that are made for it", async () => {
  const folder = folderWith({ "src/tool.ts": toolWith() });
  assert.equal(steady(await cfa(folder, ["build", "src/tool.ts", "-o", "out/bin/shown"])), told("./out/bin/shown"));
  assert.equal(Object.keys(stateOf(join(folder, "out"))), ["bin", "bin/shown"]);
  const above = join(folder, "above");
  assert.equal(steady(await cfa(join(folder, "src"), ["build", "tool.ts", "--outfile=../above"])), told(above));
  assert.equal(await shows(above), shown(1));
});

places("below settings of somebody else that nobody can read", async () => {
  const folder = folderWith({
    ...{
      "project/package.json": "{}",
      "project/tool.ts": toolWith(),
      "commented/tsconfig.json": '{ "a": "@/*", /* b */ }',
    },
    ...{ "out/package.json": "{ bad", "out/deep/tsconfig.json": "", "out/deep/jsconfig.json": "[" },
  });
  for (const outfile of ["out/deep/tool", "out/tool", "commented/tool"]) {
    const built = await cfa(join(folder, "project"), ["build", "tool.ts", "-o", `../${outfile}`]);
    assert.equal(steady(built), told(join(folder, outfile)));
    assert.equal(await shows(join(folder, outfile)), shown(1));
  }
  assert.equal(Object.keys(stateOf(join(folder, "out"))), [
    ...["deep", "deep/jsconfig.json", "deep/tool", "deep/tsconfig.json", "package.json", "tool"],
  ]);
});

places("over an older executable, also through a link", async () => {
  const folder = folderWith({ ...files, "real/old": "old" });
  symlinkSync("real/old", join(folder, "tool"));
  assert.equal(steady(await cfa(folder, ["build", "tool.ts"])), told("./real/old"));
  assert.is(stateOf(folder)["tool"], "-> real/old");
  assert.equal(await shows(join(folder, "tool")), shown(1));
});

type Linked = { it: string; files: Files; links: [from: string, to: string][]; build: string; value: unknown };

const guarded = "if (import.meta.main) tool.run();";
const linked: Linked[] = [
  {
    it: "with a node_modules that is a link",
    files: {
      "app/tool.ts": toolWith({ head: 'import { n } from "dep";', value: "n" }),
      "store/dep/index.js": "export const n = 4;",
      "store/dep/package.json": '{ "name": "dep", "type": "module", "main": "index.js" }',
    },
    links: [["app/node_modules", "../store"]],
    build: "app/tool.ts",
    value: 4,
  },
  {
    it: "with a package that is a link to source",
    files: {
      "app/tool.ts": toolWith({ head: 'import { n } from "dep";', value: "n" }),
      "app/node_modules/other/package.json": "{}",
      "packages/dep/index.ts": "export const n: number = 5;",
      "packages/dep/package.json": '{ "name": "dep", "type": "module", "main": "index.ts" }',
    },
    links: [["app/node_modules/dep", "../../packages/dep"]],
    build: "app/tool.ts",
    value: 5,
  },
  {
    it: "from a file that is a link",
    files: {
      "real/source.ts": toolWith({ head: 'import { n } from "./n.ts";', value: "n", end: guarded }),
      "real/n.ts": "export const n = 6;",
    },
    links: [["tool.ts", "real/source.ts"]],
    build: "tool.ts",
    value: 6,
  },
  {
    it: "from a folder that is a link",
    files: { "real/tool.ts": toolWith({ value: "7", end: guarded }) },
    links: [["linked", "real"]],
    build: "linked/tool.ts",
    value: 7,
  },
];

for (const { it, files, links, build, value } of linked) {
  places(it, async () => {
    const folder = folderWith(files);
    for (const [from, to] of links) symlinkSync(to, join(folder, from));
    assert.equal(steady(await cfa(folder, ["build", build])), told("./tool"));
    assert.equal(await shows(join(folder, "tool")), shown(value));
  });
}

places("with the zod of the project", async () => {
  const folder = folderWith({
    "tool.ts": toolWith({
      head: 'import { ours } from "zod";',
      value: "[ours, l1Output({}).constructor === z.object({}).constructor]",
    }),
  });
  cpSync(join(root, "node_modules/zod"), join(folder, "node_modules/zod"), { recursive: true });
  appendFileSync(join(folder, "node_modules/zod/index.js"), 'export const ours = "ours";\n');
  assert.equal(steady(await cfa(folder, ["build", "tool.ts"])), told("./tool"));
  assert.equal(await shows(join(folder, "tool")), shown(["ours", true]));
});

places("with another version of the runtime in the project, which is said", async () => {
  const name = "node_modules/@code-first-agents/tool";
  const folder = folderWith({
    ...files,
    [`${name}/package.json`]:
      '{ "name": "@code-first-agents/tool", "version": "9.8.7", "type": "module", "exports": "./index.js" }',
    [`${name}/index.js`]: "throw new Error('the wrong one');",
  });
  const warning =
    "cfa: warning: the project has @code-first-agents/tool 9.8.7; the executable gets 0.1.0, which comes with this cfa\n";
  assert.equal(steady(await cfa(folder, ["build", "tool.ts"])), told("./tool", warning));
  assert.equal(await shows(join(folder, "tool")), shown(1));
});

places("with what package.json says under cfa, which flags go before", async () => {
  const folder = folderWith({
    "package.json":
      '{ "name": "shown", "cfa": { "outfile": "bin/shown", "bytecode": false, "minify": false, "timeout": 20 } }',
    "src/tool.ts": toolWith(),
  });
  assert.equal(steady(await cfa(join(folder, "src"), ["build", "tool.ts"])), told(join(folder, "bin/shown")));
  assert.equal(await shows(join(folder, "bin/shown")), shown(1));
  assert.equal(steady(await cfa(folder, ["build", "src/tool.ts", "-o", "flag"])), told("./flag"));
  const { stderr } = await cfa(folder, ["build", "src/tool.ts", "--bun", "nowhere"]);
  assert.equal(
    stderr,
    `plan\ncfa: no Bun that runs at "${join(folder, "nowhere")}"\n  name the bun executable itself with --bun PATH or CFA_BUN\n`,
  );
});

places("the same bytes from any folder, into any folder, under any name, home, umask and environment", async () => {
  const project = {
    "lib/tool.ts": toolWith({ head: 'import n from "./n.json";', value: "n" }),
    "lib/n.json": "8",
    "package.json": "{}",
  };
  const one = folderWith(project, "one");
  const other = folderWith(project, "the other/one/further/down");
  const home = folderWith({ ".bunfig.toml": "[define]\nx = 'y'\n", ".npmrc": "" }, "home");
  const env = {
    HOME: home,
    TMPDIR: home,
    TZ: "Asia/Tokyo",
    NODE_ENV: "production",
    BUN_OPTIONS: "--smol",
    USER: "nobody",
  };
  await cfa(one, ["build", "lib/tool.ts"]);
  const script = `umask 077 && cd lib && exec "${process.execPath}" "${root}/bin/cfa" build ./tool.ts -o ../out/named`;
  assert.equal(steady(await run("sh", ["-c", script], { cwd: other, env })), told(join(other, "out/named")));
  assert.is(sha256(join(other, "out/named")), sha256(join(one, "tool")));
  assert.equal(await shows(join(other, "out/named")), shown(8));
});

places("no path of this machine is in it", async () => {
  const folder = folderWith(files, "a-name-of-its-own");
  await cfa(folder, ["build", "tool.ts"]);
  const found = await Promise.all(
    ["a-name-of-its-own", root].map((path) =>
      run("grep", ["-c", "--text", "--fixed-strings", path, join(folder, "tool")]),
    ),
  );
  assert.equal(
    found.map(({ stdout }) => stdout),
    ["0\n", "0\n"],
  );
});

places("a folder full of traps changes neither the build nor the executable", async () => {
  const clean = folderWith(files);
  const traps = folderWith({
    ...files,
    "bunfig.toml": 'preload = ["./trap.ts"]\n[define]\n"1" = "2"\n',
    "trap.ts": 'console.error("trapped"); process.exit(9);',
    ".env": "CFA_EXIT_CODES=1\nBUN_OPTIONS=--preload=./trap.ts\n",
    "package.json": '{ "name": "trapped" }',
  });
  assert.equal(steady(await cfa(clean, ["build", "tool.ts"])), told("./tool"));
  assert.equal(steady(await cfa(traps, ["build", "tool.ts"])), told("./tool"));
  assert.is(sha256(join(traps, "tool")), sha256(join(clean, "tool")));
  assert.equal(await run(join(traps, "tool"), ["show"], { cwd: traps }), {
    stdout: `${shown(1)}\n`,
    stderr: "",
    code: 0,
  });
});

places.run();

async function shows(executable: string): Promise<string> {
  const { stdout, stderr, code } = await run(executable, ["show"], { cwd: "/" });
  assert.equal([stderr, code], ["", 0]);
  return stdout.trimEnd();
}

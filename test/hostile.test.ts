import { copyFileSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { compiled, root, run, temporary } from "./harness.ts";
import { type Files, folderWith, stateOf } from "./project.ts";
import { has, isLinux } from "./sealed.ts";

const hostile = suite("executables in a hostile place");

const calls: Record<string, string[]> = {
  "examples/math.ts": ["multiply", "--a", "6", "--b", "7"],
  "examples/changeset.ts": ["size", "--files", "1", "--additions", "2"],
  "examples/tasks.ts": ["next", "--file", join(root, "examples/plan.md")],
  "test/fixtures/seed.ts": ["greet", "--name", "Ada"],
};
const builtins = [[], ["schema"], ["help"], ["version"], ["nope"], ["schema", "nope"], ["--help", "--json"]];

const place = folderWith({ ...trapsIn("."), ...trapsIn("here") });
const here = join(place, "here");
const trap = join(here, "trap.js");

/** Where they are set on the command line of a shell that somebody else has set up. What the loader obeys is not ours. */
const variables = {
  HOME: here,
  XDG_CONFIG_HOME: join(here, "config"),
  XDG_CACHE_HOME: here,
  TMPDIR: here,
  PWD: here,
  INIT_CWD: here,
  NODE_ENV: "trap",
  NODE_OPTIONS: `--require=${trap} --import=${trap}`,
  NODE_PATH: join(here, "node_modules"),
  NODE_EXTRA_CA_CERTS: trap,
  NODE_REPL_EXTERNAL_MODULE: trap,
  NODE_V8_COVERAGE: join(here, "coverage"),
  NODE_DEBUG: "*",
  DEBUG: "*",
  SSL_CERT_FILE: trap,
  OPENSSL_CONF: trap,
  HTTP_PROXY: "http://127.0.0.1:1",
  JSC_dumpOptions: "1",
  npm_config_registry: "http://127.0.0.1:1",
};

/** Bun's own and those of what it is made of, which the prelude keeps from it. */
const buns = {
  BUN_BE_BUN: "1",
  BUN_OPTIONS: `--preload=${trap}`,
  BUN_INSPECT: "ws://127.0.0.1:1/trap?break=1",
  BUN_INSPECT_CONNECT_TO: "unix://trap",
  BUN_INSPECT_NOTIFY: "unix://trap",
  BUN_INSPECT_PRELOAD: trap,
  BUN_CONFIG_FILE: join(here, "bunfig.toml"),
  BUN_CONFIG_REGISTRY: "http://127.0.0.1:1",
  BUN_CONFIG_VERBOSE_FETCH: "1",
  BUN_INSTALL: here,
  BUN_TMPDIR: here,
  BUN_DEBUG: join(here, "debug"),
  BUN_JSC_dumpOptions: "1",
  BUN_RUNTIME_TRANSPILER_CACHE_PATH: join(here, "cache"),
  BUN_BYTECODE_ORDER_OUT: join(here, "order"),
  BUN_BYTECODE_DIGEST_OUT: join(here, "digest"),
  SIMDUTF_FORCE_IMPLEMENTATION: "trap",
  JSC_SIGNAL_FOR_GC: "0",
  WTF_numberOfProcessorCores: "trap",
  MIMALLOC_VERBOSE: "1",
  ICU_DATA: here,
  ICU_TIMEZONE_FILES_DIR: here,
};
if (!isLinux) console.log("left out: Bun's variables in a hostile place, only the prelude for Linux keeps them out");
const env = { ...variables, ...(isLinux ? buns : {}) };

for (const [file, call] of Object.entries(calls)) {
  hostile(`${file} answers as it does elsewhere, and nothing happens`, async () => {
    const local = join(here, basename(file, ".ts"));
    copyFileSync(await compiled(file), local);
    const before = stateOf(place);
    for (const argv of [...builtins, call]) {
      const elsewhere = await run(await compiled(file), argv, { cwd: "/" });
      assert.equal([elsewhere.stderr, elsewhere.code], ["", 0]);
      assert.equal(await run(local, argv, { cwd: here, env }), elsewhere, argv.join(" "));
    }
    assert.equal(stateOf(place), before);
  });
}

const traced = isLinux && has("strace", "the files and sockets of an executable in a hostile place");
(traced ? hostile : hostile.skip)("no file of the place is looked at, and no socket opened", async () => {
  for (const [file, call] of Object.entries(calls))
    for (const argv of [...builtins, call]) {
      const log = join(temporary(), "log");
      const trace = ["-f", "-qq", "-s", "4096", "-e", "trace=%file,%network", "-o", log];
      const assignments = Object.entries(env).map(([name, value]) => `${name}=${value}`);
      await run("strace", [...trace, "env", "-i", ...assignments, await compiled(file), ...argv], { cwd: here });
      const made = readFileSync(log, "utf8")
        .split("\n")
        .map((line) => line.replace(/^\d+ +/, ""));
      const faults = made.filter((line) => !/^(execve|getcwd)\(/.test(line) && reaches(line));
      assert.equal(faults, [], `${file} ${argv.join(" ")}`);
      assert.ok(made.length > 10);
    }
});

hostile.run();

/** A system call with a socket, a relative path, or one that leads into the place. */
function reaches(line: string): boolean {
  if (/^(socket|connect|bind|listen)\(/.test(line)) return true;
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].some(
    ([, path = ""]) => path.startsWith(place) || !/^(\/|$)/.test(path),
  );
}

/** What Bun, Node or the loader might take from a folder. */
function trapsIn(folder: string): Files {
  const trap = 'console.log("PWNED"); console.error("PWNED"); require("fs").writeFileSync("pwned", "");\n';
  const bunfig = `preload = ["./trap.js"]\nlogLevel = "debug"\n[define]\n"process.env.CFA_EXIT_CODES" = "'1'"\n[run]\nbun = true\n`;
  const names = ["zod", "bun", "fs", "node:fs", "esbuild", "@code-first-agents/tool", "zod-to-json-schema"];
  const packages = names.map((name): [string, string] => [`node_modules/${name}/index.js`, trap]);
  const scripts = ["trap.js", "tool.js", "main.js", "entry.js", "closed.js", "index.ts", "tool.ts", "preload.ts"];
  const files: [string, string][] = [
    ...packages,
    ...scripts.map((name): [string, string] => [name, trap]),
    [".env", "CFA_EXIT_CODES=1\nBUN_OPTIONS=--preload=./trap.js\n"],
    [".env.local", "CFA_EXIT_CODES=1\n"],
    [".env.trap", "CFA_EXIT_CODES=1\n"],
    ["bunfig.toml", bunfig],
    [".bunfig.toml", bunfig],
    ["config/.bunfig.toml", bunfig],
    [".npmrc", "registry=http://127.0.0.1:1/\nnode-options=--require=./trap.js\n"],
    ["tsconfig.json", '{ "compilerOptions": { "paths": { "*": ["./trap.js"] }, "jsxImportSource": "trap" } }'],
    ["package.json", '{ "name": "trap", "type": "commonjs", "main": "trap.js", "imports": { "#*": "./trap.js" } }'],
    ...["libc.so.6", "libm.so.6", "libc.musl-x86_64.so.1"].map((name): [string, string] => [name, "PWNED"]),
  ];
  return Object.fromEntries(files.map(([path, text]) => [join(folder, path), text]));
}

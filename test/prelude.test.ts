import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { putPrelude } from "../build/executable/seal.ts";
import { freezeLines } from "../src/manifest.ts";
import { bun, inSource, type RunOptions, root, run, temporary } from "./harness.ts";
import { bothWays, has, isLinux, manifestOf } from "./sealed.ts";

const prelude = suite("the prelude");
const onLinux = isLinux ? prelude : prelude.skip;
if (!isLinux) console.log("left out: what the prelude does, it is for Linux");

const files = ["examples/math.ts", "examples/changeset.ts", "examples/tasks.ts", "test/fixtures/seed.ts"];
const declares = "test/fixtures/declares.ts";

/** Takes away all variables of the tests. */
const without = Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]));

/** With so little memory Bun does not start. */
const beforeBun = (executable: string, args: string[], options?: RunOptions) =>
  run("sh", ["-c", 'ulimit -v 200000; exec "$0" "$@"', executable, ...args], options);

for (const file of [...files, declares]) {
  onLinux(`answers for ${file} as its entry and its source do, before Bun starts`, async () => {
    const { sealed, plain } = await bothWays(file);
    const lines = await freezeLines(await manifestOf(file));
    for (const { argv, text } of lines) {
      const expected = { stdout: text, stderr: "", code: 0 };
      const ran = await Promise.all([beforeBun(sealed, argv), run(plain, argv)]);
      assert.equal(ran, [expected, expected], `before Bun, and by the entry: ${argv.join(" ")}`);
    }
    for (const { argv, text } of lines.filter((_, at) => at % 3 === 0))
      assert.is((await inSource(file, argv)).stdout, text, `in source: ${argv.join(" ")}`);
    assert.is.not((await beforeBun(plain, ["schema"])).code, 0);
  });
}

onLinux("knows every usual way to ask", async () => {
  const lines = await freezeLines(await manifestOf(declares));
  assert.equal(
    lines.map(({ argv, notOnTerminal }) => [argv.join(" "), notOnTerminal]),
    [
      ["", false],
      ["schema", false],
      ["--schema", false],
      ["help", true],
      ["--help", true],
      ["-h", true],
      ["version", false],
      ["--version", false],
      ["help --json", false],
      ["schema validate", false],
      ["help validate", true],
      ["validate -h", true],
      ["schema größe", false],
      ["help größe", true],
      ["größe --schema", false],
      ["größe --help", true],
      ["schema variables", false],
      ["help variables", true],
      ["variables --schema", false],
      ["variables --help", true],
      ["variables -h", true],
    ],
  );
});

onLinux("leaves the rest to Bun", async () => {
  const { sealed, plain } = await bothWays(declares);
  const rest = [
    ["validate", "--schema", "x"],
    ["validate", "--schema"],
    ["validate", "--help", "--schema=x"],
    ["größe", "-h", "3"],
    ["größe", "--h", "3"],
    ["schema", "nope"],
    ["schema", "--json"],
    ["schema", ""],
    ["schema", "validate", "more"],
    ["schem"],
    ["schema\n"],
    [""],
    ["--"],
    ["größ"],
    ["x".repeat(100_000)],
  ];
  for (const argv of rest) {
    assert.equal(await run(sealed, argv), await run(plain, argv), argv.join(" ").slice(0, 80));
    assert.is.not((await beforeBun(sealed, argv)).code, 0);
  }
});

onLinux("leaves a run with CFA_EXIT_CODES to Bun", async () => {
  const { sealed, plain } = await bothWays("examples/math.ts");
  for (const env of [{ CFA_EXIT_CODES: "1" }, { CFA_EXIT_CODES: "0" }, { CFA_EXIT_CODES: "" }])
    for (const argv of [[], ["schema"], ["nope"]]) {
      assert.equal(await run(sealed, argv, { env }), await run(plain, argv, { env }));
      assert.is.not((await beforeBun(sealed, argv, { env })).code, 0);
    }
  assert.is((await run(sealed, [], { env: { CFA_EXIT_CODES: "1" } })).code, 1);
  assert.is((await beforeBun(sealed, [], { env: { CFA_EXIT_CODE: "1", CFA_EXIT_CODES_: "1" } })).code, 0);
});

const onTerminal = isLinux && has("script", "what a terminal is shown") ? prelude : prelude.skip;
onTerminal("leaves help on a terminal to Bun, and nothing else", async () => {
  const { sealed, plain } = await bothWays(declares);
  const typed = (line: string) => run("script", ["-qec", line, "/dev/null"], { env: { SHELL: "/bin/sh" } });
  for (const words of ["help", "-h", "help validate", "validate -h"]) {
    const shown = await typed(`${plain} ${words}`);
    assert.match(shown.stdout, /usage: declares/);
    assert.equal(await typed(`${sealed} ${words}`), shown);
  }
  for (const words of [[], ["schema"], ["version"], ["help", "--json"]]) {
    const { stdout } = await run(sealed, words);
    const shown = { stdout: stdout.replace("\n", "\r\n"), stderr: "", code: 0 };
    assert.equal(await typed(["ulimit -v 200000;", sealed, ...words].join(" ")), shown);
  }
});

const turning: [env: Record<string, string>, turned: RegExp][] = [
  [{ BUN_BE_BUN: "1" }, /^error: Script not found/],
  [{ BUN_OPTIONS: "--preload=./evil.js" }, /^somebody else's code$/m],
  [{ BUN_JSC_useJIT: "neither" }, /^error: invalid JSC environment variable/],
  [{ BUN_JSC_dumpOptions: "1" }, /^Modified JSC options:/],
  [{ BUN_BYTECODE_ORDER_OUT: "order", BUN_BYTECODE_DIGEST_OUT: "digest" }, /^written: digest order/m],
  [{ SIMDUTF_FORCE_IMPLEMENTATION: "none" }, /^error: this CPU is missing/],
  [{ JSC_SIGNAL_FOR_GC: "0" }, /^={20,}\nBun v/],
  [{ WTF_numberOfProcessorCores: "none" }, /^WARNING: failed to parse WTF_numberOfProcessorCores=none/],
  [{ MIMALLOC_VERBOSE: "1" }, /^mimalloc: process init/],
  [{ mimalloc_disallow_os_alloc: "1" }, /^={20,}\nBun v/],
];

for (const [env, turned] of turning) {
  onLinux(`stays the tool with ${Object.keys(env).join(" and ")}`, async () => {
    const { sealed, plain } = await bothWays("examples/math.ts");
    const call = ["multiply", "--a", "6", "--b", "7"];
    const ran = async (executable: string) => {
      const cwd = temporary();
      writeFileSync(join(cwd, "evil.js"), 'console.log("somebody else\'s code");');
      const { stdout, stderr } = await run(executable, call, { cwd, env });
      const written = readdirSync(cwd).filter((name) => name !== "evil.js");
      return `${stderr}${stdout}written: ${written.join(" ")}\n`;
    };
    assert.match(await ran(plain), turned);
    assert.is(await ran(sealed), '{"ok":true,"message":"multiplied","product":42}\nwritten: \n');
  });
}

onLinux("takes away Bun's variables, from children too, and no others", async () => {
  const { sealed, plain } = await bothWays(declares);
  const kept = {
    ...without,
    BUNNY: "1",
    BUN: "2",
    _BUN_X: "3",
    bun_x: "4",
    JSC: "5",
    SIMDUTF: "6",
    X_ICU_: "7",
    EMPTY: "",
    PATH: "/nowhere",
  };
  const taken = { BUN_: "", BUN_INSPECT: "0", BUN_INSTALL: "/nowhere", BUN_INVENTED_LATER: "x".repeat(100_000) };
  const ofLibraries = {
    SIMDUTF_X: "1",
    JSC_X: "2",
    WTF_X: "3",
    MIMALLOC_X: "4",
    mimalloc_x: "5",
    ICU_DATA: "/nowhere",
  };
  const expected = await run(plain, ["variables"], { env: kept });
  assert.match(expected.stdout, /"BUNNY".*"BUNNY"/);
  assert.equal(await run(sealed, ["variables"], { env: { ...kept, ...taken, ...ofLibraries } }), expected);
  assert.match((await run(plain, ["variables"], { env: { ...kept, ...taken } })).stdout, /BUN_INVENTED_LATER/);
});

onLinux("answers nothing for a tool that makes its own command line, and keeps Bun's variables from it", async () => {
  const source = readFileSync(declares, "utf8");
  const entry = join(temporary(join(root, "dist/test")), "own.ts");
  writeFileSync(entry, source.replace("tool.run()", 'tool.run(["größe", "--h", "7"])'));
  const { sealed } = await bothWays(entry);
  const measured = { stdout: `{"ok":true,"message":"measured","h":7}\n`, stderr: "", code: 0 };
  assert.equal(await run(sealed, ["schema"], { env: { BUN_BE_BUN: "1" } }), measured);
});

onLinux("says why an executable is not sealed", async () => {
  const script = join(temporary(), "script");
  writeFileSync(script, "#!/bin/sh\n");
  const manifest = await manifestOf(declares);
  const compiled = { executable: script, graph: undefined };
  assert.is(await putPrelude(compiled, manifest, true), "it is no 64-bit ELF file");
  assert.is(await putPrelude(compiled, manifest, false), undefined);
});

const environments: [what: string, env: Record<string, string>][] = [
  ["no environment", {}],
  ["1 MB of environment", Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`V${at}`, "x".repeat(100_000)]))],
  ["many variables", Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`BUN_${at}`, `${at}`]))],
];

for (const [what, env] of environments) {
  onLinux(`works with ${what}`, async () => {
    const { sealed } = await bothWays("examples/math.ts");
    const options = { env: { ...without, ...env } };
    assert.is(
      (await run(sealed, ["multiply", "--a", "6", "--b", "7"], options)).stdout,
      `{"ok":true,"message":"multiplied","product":42}\n`,
    );
    const schema = await run(sealed, ["schema"], options);
    assert.equal(schema, await run(sealed, ["schema"]));
    assert.match(schema.stdout, /^\{"ok":true,"message":"the JSON Schema/);
  });
}

onLinux("works without even a name", async () => {
  const { sealed } = await bothWays("examples/math.ts");
  const nameless = `const { dlopen, ptr } = require("bun:ffi");
const none = ptr(new BigUint64Array(1));
const { symbols } = dlopen("libc.so.6", { execve: { args: ["ptr", "ptr", "ptr"], returns: "i32" } });
symbols.execve(ptr(Buffer.from(process.argv.at(-1) + "\\0")), none, none);`;
  assert.equal(await run(bun, ["-e", nameless, sealed]), await run(sealed));
});

const inBwrap = isLinux && has("bwrap", "read-only places and no /proc") ? prelude : prelude.skip;
inBwrap("works in a read-only place, and answers without /proc", async () => {
  const { sealed } = await bothWays("examples/math.ts");
  const call = ["multiply", "--a", "6", "--b", "7"];
  const place = ["--ro-bind", "/", "/", "--dev", "/dev"];
  assert.equal(await run("bwrap", [...place, "--proc", "/proc", sealed, ...call]), await run(sealed, call));
  assert.equal(await run("bwrap", [...place, "--tmpfs", "/proc", sealed, "schema"]), await run(sealed, ["schema"]));
});

const traced = isLinux && has("strace", "the trace of an answer") ? prelude : prelude.skip;
traced("opens nothing but what the loader does, and writes nothing but the answer", async () => {
  const { sealed } = await bothWays("examples/math.ts");
  const log = join(temporary(), "log");
  const trace = ["-f", "-qq", "-s", "9999", "-o", log, "-e", "trace=all"];
  const { stdout } = await run("strace", [...trace, sealed, "schema"]);
  const calls = readFileSync(log, "utf8")
    .split("\n")
    .map((line) => line.replace(/^\d+ +/, ""));
  const opened = calls.filter((call) => /^open/.test(call)).map((call) => /"([^"]*)"/.exec(call)?.[1] ?? call);
  assert.equal(
    opened.filter((path) => !/\/(ld\.so\.cache|lib(c|m|dl|pthread)\.so\.\d)$/.test(path)),
    [],
  );
  const own = calls.slice(calls.findLastIndex((call) => /^(munmap|mprotect)/.test(call)) + 1);
  assert.equal(
    own.map((call) => call.split("(")[0]),
    ["rt_sigaction", "write", "exit_group", ""],
  );
  assert.match(own[1] ?? "", new RegExp(`^write\\(1, .*, ${stdout.length}\\) += ${stdout.length}$`));
});

const compilers = ["x86_64-linux-gnu-gcc", "aarch64-linux-gnu-gcc"];
const hasCompilers = compilers.every((compiler) => has(compiler, "whether the blobs are what the source gives"));
const version = hasCompilers ? await Promise.all(compilers.map((compiler) => run(compiler, ["-dumpversion"]))) : [];
/** Another compiler makes other bytes of the same source. */
const MADE_BY = "12";
const other = version.map(({ stdout }) => stdout.trim()).find((one) => one !== MADE_BY);
if (other)
  console.log(`left out: whether the blobs are what the source gives, gcc ${MADE_BY} made them and this is ${other}`);
const withCompilers = hasCompilers && !other ? prelude : prelude.skip;
withCompilers("is what its source gives", async () => {
  const folder = temporary();
  assert.equal(await run("sh", ["build/prelude/make.sh", folder]), { stdout: "", stderr: "", code: 0 });
  for (const blob of ["x64.bin", "arm64.bin"])
    assert.equal(readFileSync(join("build/prelude", blob)), readFileSync(join(folder, blob)), blob);
});

prelude.run();

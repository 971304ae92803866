import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Counts, runSuites } from "./runner.ts";

const running = suite("running suites");

const head = `import { test } from ${JSON.stringify(import.meta.resolve("uvu"))};\n`;
const passing = 'test("passes", () => {});\n';
const failing = 'test("fails", () => { throw new Error("no"); });\n';
const start = "test.run();\n";

type Row = [sentence: string, suites: Record<string, string>, counts: Counts, printed: string[]];

const rows: Row[] = [
  [
    "counts what passes",
    { "a.test.js": passing + passing + start, "b.test.js": passing + start, "chunk.js": failing + start },
    { passed: 3, failed: 0, skipped: 0 },
    ["ok    a · node  2 passed", "ok    b · node  1 passed", "3 passed, 0 failed"],
  ],
  [
    "runs a neutral suite under both engines",
    { "a.both.test.js": passing + start },
    { passed: 2, failed: 0, skipped: 0 },
    ["ok    a.both · bun  1 passed", "ok    a.both · node  1 passed", "2 passed, 0 failed"],
  ],
  [
    "counts what fails",
    { "a.test.js": failing + passing + failing + start },
    { passed: 1, failed: 2, skipped: 0 },
    ["FAIL  a · node: 2 of 3 failed", "1 passed, 2 failed"],
  ],
  [
    "adds up suites that run one after the other",
    { "a.test.js": `${failing + start}await new Promise((done) => setTimeout(done, 50));\n${passing + start}` },
    { passed: 1, failed: 1, skipped: 0 },
    ["FAIL  a · node: 1 of 2 failed", "1 passed, 1 failed"],
  ],
  [
    "fails a suite whose `before` hook throws, which uvu forgives",
    { "a.test.js": `test.before(() => { throw new Error("no"); });\n${passing + start}` },
    { passed: 0, failed: 1, skipped: 0 },
    ["FAIL  a · node: 1 of 1 failed", "0 passed, 1 failed"],
  ],
  [
    "fails a suite that forgets `.run()`",
    { "a.test.js": passing },
    { passed: 0, failed: 1, skipped: 0 },
    ["FAIL  a · node: no summary: is `.run()` missing, or does it end early?", "0 passed, 1 failed"],
  ],
  [
    "fails a suite without a test",
    { "a.test.js": start },
    { passed: 0, failed: 1, skipped: 0 },
    ["FAIL  a · node: no test in it", "0 passed, 1 failed"],
  ],
  [
    "fails a suite that exits with 0 in the middle",
    { "a.test.js": `${passing}test("leaves", () => process.exit(0));\n${start}` },
    { passed: 0, failed: 1, skipped: 0 },
    ["FAIL  a · node: exit code 1", "0 passed, 1 failed"],
  ],
  [
    "fails a suite that never settles",
    { "a.test.js": `test("waits", () => new Promise(() => {}));\n${start}` },
    { passed: 0, failed: 1, skipped: 0 },
    ["FAIL  a · node: exit code 1", "0 passed, 1 failed"],
  ],
  [
    "fails a suite that throws while it loads, and goes on",
    { "a.test.js": 'throw new Error("no");\n', "b.test.js": passing + start },
    { passed: 1, failed: 1, skipped: 0 },
    ["FAIL  a · node: exit code 1", "ok    b · node  1 passed", "1 passed, 1 failed"],
  ],
  [
    "fails a suite that is killed",
    { "a.test.js": `${passing}test("dies", () => process.kill(process.pid, "SIGKILL"));\n${start}` },
    { passed: 0, failed: 1, skipped: 0 },
    ["FAIL  a · node: ended by SIGKILL", "0 passed, 1 failed"],
  ],
  [
    "fails a suite that ends badly after all has passed",
    { "a.test.js": `${passing + start}process.on("exit", () => { process.exitCode = 3; });\n` },
    { passed: 1, failed: 1, skipped: 0 },
    ["FAIL  a · node: exit code 3", "1 passed, 1 failed"],
  ],
  [
    "does not wait for a process that a suite left behind",
    {
      "a.test.js": `import { spawn } from "node:child_process";
const child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 1000)"], { detached: true, stdio: "inherit" });
child.unref();\n${passing + start}`,
    },
    { passed: 1, failed: 0, skipped: 0 },
    ["ok    a · node  1 passed", "1 passed, 0 failed"],
  ],
  [
    "gives the reasons for what is skipped",
    {
      "a.both.test.js": `console.log("left out: the places, bwrap is missing");\ntest.skip("a place", () => {});\n${passing + start}`,
    },
    { passed: 2, failed: 0, skipped: 2 },
    [
      "ok    a.both · bun  1 passed, 1 skipped",
      "ok    a.both · node  1 passed, 1 skipped",
      "left out: the places, bwrap is missing",
      "2 passed, 0 failed, 2 skipped",
    ],
  ],
  [
    "fails a suite that skips without a reason",
    { "a.test.js": `test.skip("something", () => {});\n${passing + start}` },
    { passed: 1, failed: 1, skipped: 1 },
    ["FAIL  a · node: 1 skipped, 0 with a reason", "1 passed, 1 failed, 1 skipped"],
  ],
  [
    "fails a suite with a forgotten `only`",
    { "a.test.js": `test.only("alone", () => {});\n${failing + start}` },
    { passed: 1, failed: 1, skipped: 1 },
    ["FAIL  a · node: 1 skipped, 0 with a reason", "1 passed, 1 failed, 1 skipped"],
  ],
];

for (const [sentence, suites, counts, printed] of rows) {
  running(sentence, async () => {
    assert.equal(await runFixtures(suites), { counts, printed });
  });
}

running("runs what is selected", async () => {
  const suites = { "one.test.js": passing + start, "two.test.js": passing + start, "three.test.js": failing + start };
  assert.equal(await runFixtures(suites, { select: ["wo", "one"] }), {
    counts: { passed: 2, failed: 0, skipped: 0 },
    printed: ["ok    one · node  1 passed", "ok    two · node  1 passed", "2 passed, 0 failed"],
  });
});

running("fails where nothing is selected", async () => {
  const { counts, printed } = await runFixtures({ "one.test.js": passing + start }, { select: ["two", "three"] });
  assert.equal(counts, { passed: 0, failed: 1, skipped: 0 });
  assert.match(printed[0] ?? "", /^no suite in ".+" matches "two", "three"$/);
  assert.equal(printed.slice(1), ["0 passed, 1 failed"]);
});

running("fails a suite whose engine is missing", async () => {
  assert.equal(await runFixtures({ "a.both.test.js": passing + start }, { bun: "no-such-bun" }), {
    counts: { passed: 1, failed: 1, skipped: 0 },
    printed: [
      "FAIL  a.both · bun: could not start: spawn no-such-bun ENOENT",
      "ok    a.both · node  1 passed",
      "1 passed, 1 failed",
    ],
  });
});

running("prints what a failing suite printed, and nothing of one that passes", async () => {
  const loud = 'console.log("to stdout");\nconsole.error("to stderr");\n';
  const { texts } = await run({ "a.test.js": loud + failing + start, "b.test.js": loud + passing + start });
  const lines = texts.join("\n").split("\n");
  assert.equal(
    lines.filter((line) => line.startsWith("to ")),
    ["to stdout", "to stderr"],
  );
  assert.ok(lines.some((line) => line.includes('FAIL  "fails"')));
});

running.run();

type Options = { select?: string[]; bun?: string };

/** Runs fixtures; of what is printed, the first line of each suite in their order, without its time, then the rest. */
async function runFixtures(suites: Record<string, string>, options?: Options) {
  const { counts, texts } = await run(suites, options);
  const lines = texts.map((text) => text.split("\n")[0]?.replace(/ {2}\d+\.\d s$/, "") ?? "");
  const isSuite = (line: string) => /^(ok|FAIL) /.test(line);
  const titleOf = (line: string) => line.slice("FAIL  ".length);
  const suiteLines = lines.filter(isSuite).sort((a, b) => (titleOf(a) < titleOf(b) ? -1 : 1));
  return { counts, printed: [...suiteLines, ...lines.filter((line) => !isSuite(line))] };
}

/** Runs fixtures in a temporary folder, with Node as both engines. */
async function run(suites: Record<string, string>, options: Options = {}) {
  const texts: string[] = [];
  const folder = await mkdtemp(join(tmpdir(), "cfa-fixtures-"));
  try {
    for (const [name, source] of Object.entries(suites)) await writeFile(join(folder, name), head + source);
    const print = (text: string) => texts.push(text);
    return { counts: await runSuites({ folder, bun: process.execPath, ...options, print }), texts };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

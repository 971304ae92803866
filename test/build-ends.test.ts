import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { bun, run } from "./harness.ts";
import { cfa, emptyFolder, folderWith, shown, stateOf, stepsTo, toolWith } from "./project.ts";
import { appeared, gone, start } from "./started.ts";

const ending = suite("how builds end");

const engines = { Node: process.execPath, Bun: bun };

/**
 * A tool that starts another process while it loads, and by default never stops loading. The pids of both are written down;
 * the other process leaves a file where nobody ends it.
 */
function hanging(rest = "while (true);") {
  const notes = emptyFolder();
  const [pids, end] = [join(notes, "pids"), join(notes, "end")];
  const later = `setTimeout(() => require("node:fs").writeFileSync("${end}", ""), 60_000)`;
  const head = `
    import { spawn } from "node:child_process";
    import { renameSync, writeFileSync } from "node:fs";
    const child = spawn(process.execPath, ["-e", ${JSON.stringify(later)}], { stdio: "inherit" });
    if (child.pid) { // elsewhere, where a second look believes to be, there is no such program
      writeFileSync("${pids}.part", process.pid + " " + child.pid);
      renameSync("${pids}.part", "${pids}");
    }
    ${rest}`;
  const folder = folderWith({ "hanging.ts": toolWith({ head }), "tool.ts": toolWith(), tool: "what was here before" });
  const readPids = async () => (await appeared(pids)).split(" ").map(Number);
  return { folder, readPids, wasEnded: () => !existsSync(end) };
}

for (const [name, engine] of Object.entries(engines)) {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    ending(`on ${name}, ${signal} ends a build and all that it started, and leaves nothing behind`, async () => {
      const { folder, readPids } = hanging();
      const state = stateOf(folder);
      const build = start(engine, folder, ["build", "hanging.ts", "-o", "new/folder/tool"]);
      const pids = await readPids();
      build.child.kill(signal);
      assert.equal(await build.ended, { signal, stderr: stepsTo("evaluate") });
      assert.equal(stateOf(folder), state);
      for (const pid of pids) await gone(pid);
    });
  }
}

ending("what a build that was killed left behind goes with the next", async () => {
  const { folder, readPids } = hanging();
  const build = start(process.execPath, folder, ["build", "hanging.ts", "-o", "tool"]);
  const pids = await readPids();
  build.child.kill("SIGKILL");
  await build.ended;
  for (const pid of pids) process.kill(pid, "SIGKILL"); // nobody else can
  const left = () => Object.keys(stateOf(folder)).filter((path) => path.startsWith(".cfa-"));
  assert.not.equal(left(), []);
  assert.is(readFileSync(join(folder, "tool"), "utf8"), "what was here before");
  assert.is((await cfa(folder, ["build", "tool.ts"])).stdout, "./tool\n");
  assert.equal(left(), []);
});

ending("a build that runs keeps its folder while another one goes by", async () => {
  const { folder, readPids } = hanging();
  const build = start(process.execPath, folder, ["build", "hanging.ts", "-o", "other"]);
  await readPids();
  const left = () => Object.keys(stateOf(folder)).filter((path) => /^\.cfa-[^/]*$/.test(path));
  const [own] = left();
  assert.is((await cfa(folder, ["build", "tool.ts"])).stdout, "./tool\n");
  assert.equal(left(), [own]);
  build.child.kill("SIGTERM");
  await build.ended;
  assert.equal(left(), []);
});

for (const [it, rest, code] of [
  ["a time limit ends what the tool started", "while (true);", 1],
  ["what a tool started while it loads ends with its build", "", 0],
] as const) {
  ending(it, async () => {
    const { folder, readPids, wasEnded } = hanging(rest);
    assert.is((await cfa(folder, ["schema", "hanging.ts", "--timeout", "3"])).code, code);
    assert.ok(wasEnded());
    for (const pid of await readPids()) await gone(pid);
  });
}

ending("two builds into one outfile leave a whole executable", async () => {
  const folder = folderWith({ "a.ts": toolWith({ value: '"a"' }), "b.ts": toolWith({ value: '"b"' }) });
  const built = await Promise.all(["a.ts", "b.ts"].map((file) => cfa(folder, ["build", file, "-o", "out/tool"])));
  assert.equal(
    built.map(({ stdout, code }) => [stdout, code]),
    [
      ["./out/tool\n", 0],
      ["./out/tool\n", 0],
    ],
  );
  assert.equal(Object.keys(stateOf(join(folder, "out"))), ["tool"]);
  const { stdout } = await run(join(folder, "out/tool"), ["show"]);
  assert.ok([shown("a"), shown("b")].includes(stdout.trimEnd()), stdout);
});

ending("a build that fails leaves what an earlier one made, and no folder that it made itself", async () => {
  const folder = folderWith({ "tool.ts": toolWith(), "bad.ts": toolWith({ head: 'throw new Error("bad");' }) });
  await cfa(folder, ["build", "tool.ts"]);
  const state = stateOf(folder);
  for (const outfile of ["tool", "new/folder/tool"])
    assert.is((await cfa(folder, ["build", "bad.ts", "-o", outfile])).code, 1);
  assert.equal(stateOf(folder), state);
  assert.is((await run(join(folder, "tool"), ["show"])).stdout, `${shown(1)}\n`);
});

ending.run();

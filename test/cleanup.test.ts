import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { bun, run } from "./harness.ts";
import { linkedFolder } from "./linked.ts";
import { cfa, shown, toolWith } from "./project.ts";

const cleanup = suite("what libraries do when a process ends");

/** Each leaves a word in the file that the variable names, once the process ends. */
const leave = 'require("fs").appendFileSync(process.env.LEFT, "gone")';
const libraries: [it: string, code: string][] = [
  ["listens", `process.on("exit", () => ${leave});`],
  [
    "stands in the place of emit and reallyExit",
    `const { emit, reallyExit } = process;
     let done = false;
     const end = () => { if (!done) { done = true; ${leave}; } };
     process.emit = function (name, ...rest) { const result = emit.call(this, name, ...rest); if (name === "exit") end(); return result; };
     process.reallyExit = function (code) { end(); return reallyExit.call(this, code); };`,
  ],
  [
    "wants another exit code, prints and throws",
    `const { emit } = process;
     process.emit = function (name, ...rest) {
       if (name === "exit") { process.exitCode = 9; console.log("printed"); ${leave}; throw new Error("late"); }
       return emit.call(this, name, ...rest);
     };`,
  ],
];

for (const [it, code] of libraries)
  cleanup(`is done once, of one that ${it}`, async () => {
    const folder = linkedFolder({
      "tool.ts": toolWith({ head: 'import start from "ends";', value: "(start(), 1)" }),
      "node_modules/ends/package.json": '{ "name": "ends", "main": "index.js" }',
      "node_modules/ends/index.js": `module.exports = () => { ${code} };`,
    });
    const { code: built, stderr } = await cfa(folder, ["build", "tool.ts", "--no-bytecode", "-o", "tool"]);
    assert.is(built, 0, stderr);
    for (const [program, args] of [
      [bun, ["tool.ts", "show"]],
      [join(folder, "tool"), ["show"]],
    ] as const) {
      const left = join(folder, `left-${args.length}`);
      const { stdout, code: exit } = await run(program, [...args], { cwd: folder, env: { LEFT: left } });
      assert.equal({ stdout, exit }, { stdout: `${shown(1)}\n`, exit: 0 }, program);
      assert.is(existsSync(left) && readFileSync(left, "utf8"), "gone", program);
    }
  });

cleanup.run();

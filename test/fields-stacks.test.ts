import { suite } from "uvu";
import * as assert from "uvu/assert";
import { compiled, inSource, root, run } from "./harness.ts";

const file = "test/fixtures/fields/stacks.ts";
const other = "test/fixtures/fields/deeper.ts";

/** What was thrown by a handler, and the places that its stack names. */
const rows: [handler: string, thrown: string, ...places: string[]][] = [
  ["now", "Error: thrown at once", `${file}:12:15`],
  ["later", "TypeError: thrown after an await", `${file}:16:15`],
  ["elsewhere", "RangeError: thrown elsewhere", `${other}:3:13`, `${file}:19:5`],
  ["elsewhereLater", "RangeError: thrown elsewhere, later", `${other}:3:13`, `${other}:8:10`, `${file}:22:11`],
  [
    "dependency",
    "ArgError: unknown or unexpected option: --unknown",
    "node_modules/arg/index.js:132:17",
    `${file}:25:5`,
  ],
  ["timer", "RangeError: thrown by a timer", `${other}:3:13`],
];

const stacks = suite("the stack of what a handler throws");

for (const [handler, thrown, ...places] of rows) {
  stacks(`names the author's files and lines: ${thrown}`, async () => {
    const executable = await run(await compiled(file), [handler]);
    const source = await inSource(file, [handler]);
    assert.equal(read(executable.stdout), { thrown, places });
    assert.equal(read(source.stdout), { thrown, places });
    assert.not.ok(executable.stdout.includes(root), executable.stdout);
    assert.not.match(executable.stdout, /\(\/|\$bunfs|tool\.js/);
  });
}
stacks.run();

/** The first line of a stack, and the places of its frames but those of the framework. */
function read(stdout: string) {
  const { detail } = JSON.parse(stdout) as { detail: string };
  const [thrown, ...frames] = detail.replaceAll(`${root}/`, "").split("\n");
  const places = frames.map((frame) => /([^\s()]+)\)?$/.exec(frame)?.[1] ?? "");
  return { thrown, places: places.filter((place) => !place.startsWith("src/")) };
}

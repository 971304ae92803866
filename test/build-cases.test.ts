import { spawn } from "node:child_process";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { run } from "./harness.ts";
import { cfa, folderWith, shown, toolWith } from "./project.ts";

const cases = suite("executables in hard places");

const BIG = `${shown("x".repeat(300_000))}\n`;

cases("every byte reaches a reader that sleeps first, in a shell", async () => {
  const tool = await built({ value: '"x".repeat(300_000)' });
  assert.equal(await run("sh", ["-c", '"$1" show | (sleep 0.4; cat)', "sh", tool]), {
    stdout: BIG,
    stderr: "",
    code: 0,
  });
});

cases("every byte reaches a reader that sleeps first, in Node", async () => {
  const child = spawn(await built({ value: '"x".repeat(300_000)' }), ["show"], { stdio: ["ignore", "pipe", "ignore"] });
  await new Promise((done) => setTimeout(done, 400));
  let text = "";
  for await (const piece of child.stdout) text += piece;
  assert.ok(text === BIG, `${text.length} of ${BIG.length} bytes`);
});

for (const [it, flags] of Object.entries({
  "as it is": [],
  "without bytecode": ["--no-bytecode"],
  "not minified": ["--no-minify"],
})) {
  cases(`the stack of what a handler throws leads to the source, ${it}`, async () => {
    const tool = await built(
      { head: "const explode = (): never => {\n  throw new Error('bad');\n};", value: "explode()" },
      flags,
    );
    const { stdout } = await run(tool, ["show"], { cwd: "/" });
    const { detail, ...rest } = JSON.parse(stdout);
    assert.equal(rest, { ok: false, error: "unexpected_error", message: "bad" });
    assert.match(detail, /^Error: bad\n +at explode \(tool\.ts:5:\d+\)\n +at handler \(tool\.ts:13:\d+\)/);
  });
}

cases("a message that could be taken for a frame costs no time", async () => {
  const tool = await built({ value: '(() => { throw new Error("A".repeat(20_000)); })()' });
  const { message } = JSON.parse((await run(tool, ["show"])).stdout);
  assert.is(message.length, 20_000);
});

cases("the environment and the folder are those of the moment", async () => {
  const value = "[process.env.NODE_ENV, process.env['NODE_ENV'], process.cwd()]";
  const tool = await built({ value });
  for (const NODE_ENV of ["production", "development", "other"])
    assert.is(
      (await run(tool, ["show"], { cwd: "/", env: { NODE_ENV } })).stdout,
      `${shown([NODE_ENV, NODE_ENV, "/"])}\n`,
    );
});

cases("no folder of the build shows at run time", async () => {
  const value = "[__dirname, __filename, import.meta.dirname, import.meta.url, import.meta.path]";
  const folder = folderWith({ "tool.ts": toolWith({ value }) });
  assert.is((await cfa(folder, ["build", "tool.ts"])).code, 0);
  const { stdout } = await run(join(folder, "tool"), ["show"], { cwd: "/" });
  assert.is(JSON.parse(stdout).ok, true, stdout);
  assert.not.match(stdout, folder);
});

cases.run();

async function built(source: Parameters<typeof toolWith>[0], flags: string[] = []): Promise<string> {
  const folder = folderWith({ "tool.ts": toolWith(source) });
  const { stdout, stderr } = await cfa(folder, ["build", "tool.ts", ...flags]);
  assert.is(stdout, "./tool\n", stderr);
  return join(folder, "tool");
}

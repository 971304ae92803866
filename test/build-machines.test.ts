import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { root, run } from "./harness.ts";
import { emptyFolder, type Files, folderWith, stateOf, toolWith } from "./project.ts";

const refusing = suite("what a machine refuses");

refusing("a machine without Bun", async () => {
  const folder = folderWith({ "tool.ts": toolWith() });
  const command = join(installedWithoutBun(), "bin/cfa");
  const env = { PATH: "", CFA_BUN: undefined };
  assert.equal(await run(process.execPath, [command, "build", "tool.ts"], { cwd: folder, env }), {
    stdout: "",
    stderr: "plan\ncfa: Bun was not found\n  npm install --save-dev bun, or name one with --bun PATH or CFA_BUN\n",
    code: 1,
  });
  assert.equal(Object.keys(stateOf(folder)), ["tool.ts"]);
});

/** Root may read and write everything: its part is played by nobody. */
const isRoot = process.getuid?.() === 0;
const asNobody = isRoot ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];
const canPlay = !isRoot || (await run("setpriv", ["--version"]).catch(() => undefined))?.code === 0;
if (!canPlay) console.log("left out: files that may not be read, setpriv is missing");
if (!canPlay) console.log("left out: folders that may not be written, setpriv is missing");
const forbidden = canPlay ? refusing : refusing.skip;

forbidden("a file that may not be read", async () => {
  const folder = openTo({ "tool.ts": toolWith() });
  chmodSync(join(folder, "tool.ts"), 0o000);
  const stderr = 'plan\ncfa: cannot read "tool.ts"\n  it needs the permission to be read\n';
  assert.equal(await cfaAsNobody(folder, ["build", "tool.ts", "-o", "out/tool"]), { stdout: "", stderr, code: 1 });
});

forbidden("a folder that may not be written", async () => {
  const folder = openTo({ "tool.ts": toolWith() });
  chmodSync(folder, 0o555);
  const stderr = (path: string) =>
    `plan\ncfa: cannot write to the folder "${path}": EACCES\n  name another path with --outfile\n`;
  for (const [outfile, parent] of [
    ["tool", folder],
    ["out/tool", join(folder, "out")],
  ] as const)
    assert.equal(await cfaAsNobody(folder, ["build", "tool.ts", "-o", outfile]), {
      stdout: "",
      stderr: stderr(parent),
      code: 1,
    });
  assert.equal(Object.keys(stateOf(folder)), ["tool.ts"]);
});

refusing.run();

/** A copy of the package and what it depends on, in which there is no Bun. */
function installedWithoutBun(): string {
  const folder = emptyFolder();
  for (const part of ["bin", "package.json"]) execFileSync("cp", ["-r", join(root, part), folder]);
  execFileSync("sh", ["-c", 'mkdir "$1/dist" && cp dist/*.js "$1/dist"', "sh", folder], { cwd: root });
  mkdirSync(join(folder, "node_modules"));
  for (const name of ["arg", "esbuild", "pkg-types", "zod", "zod-to-json-schema"])
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  return folder;
}

function openTo(files: Files): string {
  const folder = folderWith(files);
  for (const path of [join(folder, ".."), join(folder, "../..")]) chmodSync(path, 0o755);
  return folder;
}

function cfaAsNobody(folder: string, args: string[]) {
  const [program = "", ...words] = [...asNobody, process.execPath, join(root, "bin/cfa"), ...args];
  return run(program, words, { cwd: folder, env: { CFA_BUN: undefined, HOME: folder } });
}

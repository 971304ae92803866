import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { putPrelude } from "../build/executable/seal.ts";
import { freezeLines } from "../src/manifest.ts";
import { bun, root, run, temporary } from "./harness.ts";
import { has, manifestOf } from "./sealed.ts";

const machines = suite("the prelude on other machines");

const math = "examples/math.ts";
const call = ["multiply", "--a", "6", "--b", "7"];
const product = { stdout: '{"ok":true,"message":"multiplied","product":42}\n', stderr: "", code: 0 };

const arm64 = await crossCompiled("linux-aarch64", "linux-arm64");
const qemu = arm64 && has("qemu-aarch64-static", "the prelude on arm64") && hasLibrary();
const onArm = qemu ? machines : machines.skip;
const emulated = (args: string[], env = {}) =>
  run("qemu-aarch64-static", ["-L", "/usr/aarch64-linux-gnu", arm64 ?? "", ...args], { env });

onArm("answers on arm64 as on x64", async () => {
  for (const { argv, text } of await freezeLines(await manifestOf(math)))
    assert.equal(await emulated(argv), { stdout: text, stderr: "", code: 0 }, argv.join(" "));
});

onArm("goes on to Bun on arm64, and keeps Bun's variables from it", async () => {
  assert.equal(await emulated(call), product);
  assert.equal(await emulated(call, { BUN_BE_BUN: "1", BUN_OPTIONS: "--preload=./nowhere.js" }), product);
});

onArm("says on arm64 what it could not write", async () => {
  const line = 'exec qemu-aarch64-static -L /usr/aarch64-linux-gnu "$0" schema >/dev/full';
  const stderr = "stdout: the answer could not be written: ENOSPC\n";
  assert.equal(await run("sh", ["-c", line, arm64 ?? ""]), { stdout: "", stderr, code: 74 });
});

const musl = process.arch === "x64" ? await crossCompiled("linux-x64-musl", "linux-x64-musl") : undefined;
const loader = "/lib/ld-musl-x86_64.so.1";
const hasLoader = musl !== undefined && existsSync(loader);
if (musl && !hasLoader) console.log(`left out: the prelude under musl, ${loader} is missing`);
const stub = hasLoader && has("gcc", "the prelude under musl") ? machines : machines.skip;

/** Debian has musl, but no C++ library for it: this one has the names and nothing else. Bun does not run with it. */
stub("answers under musl", async () => {
  const folder = temporary();
  const { stdout } = await run("readelf", ["--dyn-syms", "--relocs", "-W", musl ?? ""]);
  const names = [...stdout.matchAll(/ (?:UND|R_X86_64_COPY +[0-9a-f]+) (_(?!_libc)\w+)/g)].map(([, name]) => name);
  const lines = [...new Set(names)].map((name) => `.globl ${name}\n${name}:\n`);
  writeFileSync(join(folder, "stub.s"), `${lines.join("")}.space 4096\n`);
  const flags = ["-shared", "-nostdlib", "-Wl,-soname,libstdc++.so.6", "-o", join(folder, "libstdc++.so.6")];
  assert.equal(await run("gcc", [...flags, join(folder, "stub.s")]), { stdout: "", stderr: "", code: 0 });
  for (const { argv, text } of await freezeLines(await manifestOf(math)))
    assert.equal(
      await run(musl ?? "", argv, { env: { LD_LIBRARY_PATH: folder } }),
      { stdout: text, stderr: "", code: 0 },
      argv.join(" "),
    );
});

const alpine = hasLoader && spawnSync(musl ?? "", call).status === 0;
if (hasLoader && !alpine) console.log("left out: calls under musl, there is no C++ library for it");
const onAlpine = alpine ? machines : machines.skip;

onAlpine("goes on to Bun under musl, and keeps Bun's variables from it", async () => {
  assert.equal(await run(musl ?? "", call), product);
  assert.equal(await run(musl ?? "", call, { env: { BUN_BE_BUN: "1" } }), product);
});

machines.run();

function hasLibrary(): boolean {
  const found = existsSync("/usr/aarch64-linux-gnu/lib/libc.so.6");
  if (!found) console.log("left out: the prelude on arm64, libc6-arm64-cross is missing");
  return found;
}

/** A sealed executable for another machine, on the Bun that npm's registry has for it. */
async function crossCompiled(name: string, target: string): Promise<string | undefined> {
  const folder = temporary();
  const version = (await run(bun, ["--version"])).stdout.trim();
  const packed = await run("npm", ["pack", "--silent", "--pack-destination", folder, `@oven/bun-${name}@${version}`]);
  if (packed.code !== 0) {
    console.log(`left out: the prelude for ${name}, its Bun is not to be had`);
    return undefined;
  }
  await run("tar", ["xzf", join(folder, packed.stdout.trim()), "-C", folder]);
  const base = join(folder, "package/bin/bun");
  const executable = join(folder, "tool");
  const flags = ["--compile", `--target=bun-${target}`, `--compile-executable-path=${base}`, `--outfile=${executable}`];
  const compiled = await run(bun, ["build", math, ...flags], { cwd: root });
  assert.is(compiled.code, 0, compiled.stderr);
  assert.is(await putPrelude({ executable, graph: undefined }, await manifestOf(math), true), undefined);
  return executable;
}

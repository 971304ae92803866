import { execFileSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Item, renderTarGz, renderZip } from "../build/release/archive.ts";
import { renderSums, sha256Of } from "../build/release/sums.ts";
import { run } from "./harness.ts";
import { emptyFolder, sha256, stateOf } from "./project.ts";
import { has } from "./sealed.ts";

const archives = suite("the archives");

const items: Item[] = [
  { name: "math", bytes: Buffer.from("\x7fELF".repeat(5000)), mode: 0o755 },
  { name: "LICENSE", bytes: Buffer.from("MIT\n"), mode: 0o644 },
  { name: "über.txt", bytes: Buffer.alloc(0), mode: 0o600 },
  { name: "block", bytes: Buffer.alloc(512, 1), mode: 0o644 },
];

const unpackers: [program: string, name: string, render: typeof renderZip, unpack: (file: string) => string[]][] = [
  ["tar", "a.tar.gz", renderTarGz, (file) => ["-xpzf", file]],
  ["unzip", "a.zip", renderZip, (file) => ["-q", file]],
  [
    "python3",
    "a.zip",
    renderZip,
    (file) => ["-c", "import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall()", file],
  ],
];

for (const [program, name, render, unpack] of unpackers) {
  const test = has(program, `unpacking ${name} with ${program}`) ? archives : archives.skip;
  test(`${name} is unpacked by ${program}`, async () => {
    const folder = emptyFolder();
    const file = join(emptyFolder(), name);
    writeFileSync(file, await render(items));
    execFileSync(program, unpack(file), { cwd: folder });
    for (const { name, bytes, mode } of items) {
      assert.equal(readFileSync(join(folder, name)), bytes);
      if (program !== "python3") assert.is(statSync(join(folder, name)).mode & 0o777, mode, name); // which sets none
    }
    assert.equal(Object.keys(stateOf(folder)), ["LICENSE", "block", "math", "über.txt"]);
  });
}

archives("are equal for equal items, in whatever order", async () => {
  for (const render of [renderTarGz, renderZip]) assert.equal(await render(items.toReversed()), await render(items));
  const packed = await renderTarGz(items);
  assert.equal([packed.subarray(4, 8), packed[9]], [Buffer.alloc(4), 255]);
});

archives("refuse a name that their headers do not hold", async () => {
  const error = await renderTarGz([{ name: "x".repeat(101), bytes: Buffer.alloc(0), mode: 0o644 }]).catch(String);
  assert.match(String(error), /a name too long/);
});

archives("have sums that sha256sum checks", async () => {
  const folder = emptyFolder();
  for (const { name, bytes } of items) writeFileSync(join(folder, name), bytes);
  const sums = Object.fromEntries(
    await Promise.all(items.map(async ({ name }) => [name, await sha256Of(join(folder, name))] as const)),
  );
  assert.is(sums["math"], sha256(join(folder, "math")));
  const text = renderSums(sums);
  writeFileSync(join(folder, "SHA256SUMS"), text);
  const checked = await run("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: folder });
  assert.equal(checked, { stdout: "LICENSE: OK\nblock: OK\nmath: OK\nüber.txt: OK\n", stderr: "", code: 0 });
});

archives.run();

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { readTargets, targetOf } from "../build/engine/targets.ts";
import { targetNameOf } from "../build/executable/format.ts";

const targets = suite("the targets");

const host = targetOf("linux", "x64", false);
const ALL =
  "linux-x64, linux-arm64, linux-x64-musl, linux-arm64-musl, darwin-x64, darwin-arm64, windows-x64, windows-arm64";

const machines: [platform: string, arch: string, musl: boolean, name: string][] = [
  ["linux", "x64", false, "linux-x64"],
  ["linux", "arm64", true, "linux-arm64-musl"],
  ["darwin", "arm64", false, "darwin-arm64"],
  ["win32", "x64", false, "windows-x64"],
];

for (const [platform, arch, musl, name] of machines)
  targets(`${platform} on ${arch}${musl ? " with musl" : ""} is ${name}`, () =>
    assert.is(targetOf(platform, arch, musl).name, name),
  );

const named: [names: string[], targets: string][] = [
  [[], ""],
  [["host"], "linux-x64"],
  [["darwin-arm64", "host", "linux-x64"], "linux-x64, darwin-arm64"],
  [["all"], ALL],
  [["windows-x64", "all"], ALL],
];

for (const [names, expected] of named)
  targets(`${JSON.stringify(names)} are ${expected || "none"}`, () =>
    assert.is(
      readTargets(names, host)
        .map(({ name }) => name)
        .join(", "),
      expected,
    ),
  );

const wrong: [name: string, message: string][] = [
  ["linux-arm", 'there is no target "linux-arm"; did you mean "linux-arm64"?'],
  ["macos-arm64", 'there is no target "macos-arm64"; did you mean "darwin-arm64"?'],
  ["darwin_x64", 'there is no target "darwin_x64"; did you mean "darwin-x64"?'],
  ["", 'there is no target ""'],
  ["toaster", 'there is no target "toaster"'],
];

for (const [name, message] of wrong)
  targets(`${JSON.stringify(name)} is refused`, () => {
    try {
      readTargets([name], host);
      assert.unreachable();
    } catch (error) {
      assert.equal(error, Object.assign(error as Error, { message, hint: `the targets are host, all, ${ALL}` }));
      assert.is((error as Error).message, message);
    }
  });

targets("a machine that nothing is built for says so", () => {
  assert.throws(() => targetOf("freebsd", "x64", false), /^this machine is "freebsd-x64", which is no target$/);
});

targets("all have their own package of Bun's", () => {
  const rows = readTargets(["all"], host).map(({ name, bun, package: from, binary, extension }) =>
    [name, bun, from, binary, extension].join(" "),
  );
  assert.equal(rows, [
    "linux-x64 bun-linux-x64 @oven/bun-linux-x64 bin/bun ",
    "linux-arm64 bun-linux-aarch64 @oven/bun-linux-aarch64 bin/bun ",
    "linux-x64-musl bun-linux-x64-musl @oven/bun-linux-x64-musl bin/bun ",
    "linux-arm64-musl bun-linux-aarch64-musl @oven/bun-linux-aarch64-musl bin/bun ",
    "darwin-x64 bun-darwin-x64 @oven/bun-darwin-x64 bin/bun ",
    "darwin-arm64 bun-darwin-aarch64 @oven/bun-darwin-aarch64 bin/bun ",
    "windows-x64 bun-windows-x64 @oven/bun-windows-x64 bin/bun.exe .exe",
    "windows-arm64 bun-windows-aarch64 @oven/bun-windows-aarch64 bin/bun.exe .exe",
  ]);
});

const heads: [what: string, head: Buffer, name: string | undefined][] = [
  ["ELF for x64", elf(62), "linux-x64"],
  ["ELF for arm64 with musl", elf(183, "/lib/ld-musl-aarch64.so.1"), "linux-arm64-musl"],
  ["ELF for RISC-V", elf(243), undefined],
  ["Mach-O for x64", macho(0x1000007), "darwin-x64"],
  ["Mach-O for arm64", macho(0x100000c), "darwin-arm64"],
  ["Mach-O for PowerPC", macho(0x1000012), undefined],
  ["PE for x64", pe(0x8664), "windows-x64"],
  ["PE for arm64", pe(0xaa64), "windows-arm64"],
  ["PE for x86", pe(0x14c), undefined],
  ["PE whose header is far away", pe(0x8664, 0xffff), undefined],
  ["a script", Buffer.from("#!/bin/sh\n".padEnd(2048)), undefined],
  ["a file that is too short", elf(62).subarray(0, 100), undefined],
];

for (const [what, head, name] of heads)
  targets(`${what} is for ${name ?? "none"}`, () => assert.is(targetNameOf(head), name));

targets.run();

function elf(machine: number, loader = "/lib64/ld-linux-x86-64.so.2"): Buffer {
  const head = Buffer.alloc(2048);
  head.write("\x7fELF", "latin1");
  head.writeUInt16LE(machine, 18);
  head.write(loader, 0x254);
  return head;
}

function macho(machine: number): Buffer {
  const head = Buffer.alloc(2048);
  head.writeUInt32LE(0xfeedfacf, 0);
  head.writeUInt32LE(machine, 4);
  return head;
}

function pe(machine: number, at = 0x110): Buffer {
  const head = Buffer.alloc(2048);
  head.write("MZ");
  head.writeUInt32LE(at, 0x3c);
  head.write("PE\0\0", 0x110);
  head.writeUInt16LE(machine, 0x114);
  return head;
}

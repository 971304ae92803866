import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { readCarrier, renderCarrier } from "../build/executable/carrier.ts";
import type { Machine } from "../build/executable/elf.ts";
import { graft, hostOf } from "../build/executable/graft.ts";
import { bun, run, temporary } from "./harness.ts";
import { cfa, folderWith, shown, steady, told, toolWith } from "./project.ts";

const grafts = suite("a segment for an ELF file");

const LOAD = 1;
const INTERP = 3;
const NOTE = 4;
const TLS = 7;
const R = 4;
const RW = 6;
const RX = 5;

/** A program header: type, flags, offset, address, size in the file, size in memory, alignment. */
type Row = [type: number, flags: number, offset: number, address: number, file: number, memory: number, align: number];

type Made = { machine?: number; type?: number; entry?: number; headerSize?: number; table?: number; rows: Row[] };

const text: Row = [LOAD, RX, 0x1000, 0x401000, 0x800, 0x800, 0x1000];
const data: Row = [LOAD, RW, 0x2000, 0x402000, 0x100, 0x2345, 0x1000];
const note: Row = [NOTE, R, 0x200, 0x400200, 0x24, 0x24, 4];
const interp: Row = [INTERP, R, 0x300, 0x400300, 0x1c, 0x1c, 1];
const tls: Row = [TLS, R, 0x2000, 0x402000, 0x10, 0x10, 8];

type Placed = { machine: Machine; distance: bigint; entry: number; rows: Row[] };

const placed: [sentence: string, made: Made, placed: Placed][] = [
  [
    "goes above all others, behind the last of them",
    { rows: [interp, text, data, tls, note] },
    {
      machine: "x64",
      distance: 0x401010n - 0x405000n,
      entry: 0x405000,
      rows: [interp, text, data, [LOAD, RX, 0x3000, 0x405000, 3, 3, 0x1000], tls],
    },
  ],
  [
    "keeps the order of addresses where the note comes first, and other notes",
    { type: 3, rows: [note, interp, note, text, data] },
    {
      machine: "x64",
      distance: 0x401010n - 0x405000n,
      entry: 0x405000,
      rows: [note, interp, text, data, [LOAD, RX, 0x3000, 0x405000, 3, 3, 0x1000]],
    },
  ],
  [
    "is aligned to 64 kB on Arm",
    { machine: 183, rows: [text, data, note] },
    {
      machine: "arm64",
      distance: 0x401010n - 0x410000n,
      entry: 0x410000,
      rows: [text, data, [LOAD, RX, 0x10000, 0x410000, 3, 3, 0x10000]],
    },
  ],
];

for (const [sentence, made, expected] of placed) {
  grafts(sentence, async () => {
    const file = written(make(made));
    const before = readFileSync(file);
    const given: { machine: Machine; distance: bigint }[] = [];
    const opening = (machine: Machine, distance: bigint) => {
      given.push({ machine, distance });
      return Buffer.from([1, 2, 3]);
    };
    assert.is(await graft(file, { opening }), undefined);
    const after = readFileSync(file);
    assert.equal([{ ...given[0], ...readBack(after, made.rows.length) }, given.length], [expected, 1]);
    const [, , offset = 0] = expected.rows.find(([, , , address]) => address === expected.entry) ?? [];
    assert.equal(after.subarray(offset), Buffer.from([1, 2, 3]));
    assert.equal(after.subarray(0x200, before.length), before.subarray(0x200));
  });
}

const refused: [why: string, file: Buffer][] = [
  ["it is no 64-bit ELF file", Buffer.from("#!/bin/sh\n")],
  ["it is no 64-bit ELF file", make({ rows: [text, note] }).fill(1, 4, 5)],
  ["it is for another machine than x64 or arm64", make({ machine: 243, rows: [text, note] })],
  ["it is no program", make({ type: 1, rows: [text, note] })],
  ["its program headers are not where they are expected", make({ headerSize: 64, rows: [text, note] })],
  ["its program headers are not where they are expected", make({ table: 0x2f00, rows: [text, note] })],
  ["its entry point is in none of its segments", make({ entry: 0x402000, rows: [text, data, note] })],
  ["its entry point is in none of its segments", make({ entry: 0x401800, rows: [text, data, note] })],
  ["it has no PT_NOTE header to spare", make({ rows: [interp, text, data] })],
];

for (const [why, bytes] of refused) {
  grafts(`is refused, and the file left as it was: ${why}`, async () => {
    const file = written(bytes);
    assert.is(await graft(file, { opening: () => Buffer.from([1]) }), why);
    assert.equal(readFileSync(file), bytes);
  });
}

grafts("is not put in twice", async () => {
  const file = written(make({ rows: [text, data, note] }));
  const opening = () => Buffer.from([1]);
  assert.is(await graft(file, { opening }), undefined);
  assert.is(await graft(file, { opening }), "it has no PT_NOTE header to spare");
});

const compiler = spawnSync("gcc", ["--version"]).status === 0 && process.arch === "x64";
if (!compiler) console.log("left out: a segment in programs of the C compiler, gcc for x64 is missing");
const withCompiler = compiler ? grafts : grafts.skip;

for (const flags of [["-no-pie"], ["-pie"], ["-static"], ["-static-pie"]]) {
  withCompiler(`runs before a program made with ${flags}, which then runs as before`, async () => {
    const program = await compiled(flags, 'int main(int n, char **v) { printf("%d %s\\n", n, v[n - 1]); }');
    const opening = (_: Machine, distance: bigint) => {
      const jump = Buffer.from([0xe9, 0, 0, 0, 0]);
      jump.writeInt32LE(Number(distance) - jump.length, 1);
      return jump;
    };
    assert.is(await graft(program, { opening }), undefined);
    assert.equal(await run(program, ["one"]), { stdout: "2 one\n", stderr: "", code: 0 });
    assert.not.equal(readBack(readFileSync(program), 1).entry, 0);
  });
}

const showGraph = `extern char graph; __asm__(".section .bun, \\"aw\\"\\n.align 8\\ngraph: .quad 0\\n.text\\n");
int main() { puts(*(char **)&graph); }`;
const graph = Buffer.from("what bun made of the code\0");

for (const flags of [["-no-pie"], ["-static"]]) {
  withCompiler(
    `a graph is found in its place by a program made with ${flags}, and by who looks at its sections`,
    async () => {
      const program = await compiled(flags, showGraph);
      assert.equal(await hostOf(program), { machine: "x64", builtins: undefined });
      assert.is(await graft(program, { graph }), undefined);
      assert.equal(await run(program), { stdout: "what bun made of the code\n", stderr: "", code: 0 });
      assert.equal(await readCarrier(program), graph);
    },
  );
}

const noHosts: [why: string, flags: string[], source: string][] = [
  ["it may be loaded at any address", ["-pie"], showGraph],
  ["it has no .bun section of eight bytes", ["-no-pie"], "int main() {}"],
  ["it has no .bun section of eight bytes", ["-no-pie"], showGraph.replace(".quad 0", ".quad 0, 0")],
];
for (const [refused, flags, source] of noHosts) {
  withCompiler(`a program made with ${flags} takes no graph: ${refused}`, async () => {
    const program = await compiled(flags, source);
    const before = readFileSync(program);
    assert.equal(await hostOf(program), { refused });
    assert.is(await graft(program, { graph }), refused);
    assert.equal(readFileSync(program), before);
  });
}

async function compiled(flags: string[], source: string): Promise<string> {
  const program = join(temporary(), "program");
  writeFileSync(`${program}.c`, `#include <stdio.h>\n${source}`);
  assert.equal(await run("gcc", [...flags, `${program}.c`, "-o", program]), { stdout: "", stderr: "", code: 0 });
  return program;
}

const carried: [machine: Machine, name: string][] = [
  ["x64", "Advanced Micro Devices X86-64"],
  ["arm64", "AArch64"],
];
const readelf = spawnSync("readelf", ["--version"]).status === 0;
if (!readelf) console.log("left out: what readelf says of a carrier, readelf is missing");
for (const [machine, name] of carried) {
  (readelf ? grafts : grafts.skip)(`the carrier for ${machine} is a sound ELF file`, async () => {
    const file = written(Buffer.from(renderCarrier({ machine, builtins: undefined })));
    const { stdout, stderr } = await run("readelf", ["-hSlW", file]);
    assert.is(stderr, "");
    assert.match(stdout, new RegExp(`Machine: +${name}\n`));
    assert.match(stdout, /\.bun +PROGBITS +0+200078 0+78 0+08 00 +WA/);
  });
}

const onLinux = process.platform === "linux" ? grafts : grafts.skip;
if (process.platform !== "linux") console.log("left out: an engine that takes no graph, this is not Linux");

onLinux("an engine that takes no graph compiles the whole executable", async () => {
  const folder = folderWith({ "tool.ts": toolWith(), "bun.sh": `#!/bin/sh\nexec '${bun}' "$@"\n` });
  chmodSync(join(folder, "bun.sh"), 0o755);
  for (const [flags, outfile] of [
    [["--bun", "./bun.sh"], "./whole"],
    [[], "./grafted"],
  ] as const) {
    const made = await cfa(folder, ["build", "tool.ts", "-o", outfile, ...flags]);
    assert.equal(steady(made), told(outfile));
    const answer = { stdout: `${shown(1)}\n`, stderr: "", code: 0 };
    assert.equal(await run(join(folder, outfile), ["show"], { env: { BUN_BE_BUN: "1" } }), answer);
  }
  assert.ok(statSync(join(folder, "whole")).size > statSync(join(folder, "grafted")).size);
});

grafts.run();

function make({ machine = 62, type = 2, entry = 0x401010, headerSize = 56, table = 64, rows }: Made): Buffer {
  const file = Buffer.alloc(0x3000 - 10, 0xaa); // no multiple of a page
  file.fill(0, 0, 0x200);
  file.write("\x7fELF\x02\x01\x01", "latin1");
  file.writeUInt16LE(type, 16);
  file.writeUInt16LE(machine, 18);
  file.writeBigUInt64LE(BigInt(entry), 24);
  file.writeBigUInt64LE(BigInt(table), 32);
  file.writeUInt16LE(headerSize, 54);
  file.writeUInt16LE(rows.length, 56);
  rows.forEach(([type, flags, offset, address, ...sizes], at) => {
    file.writeUInt32LE(type, 64 + at * 56);
    file.writeUInt32LE(flags, 68 + at * 56);
    [offset, address, address, ...sizes].forEach((field, index) => {
      file.writeBigUInt64LE(BigInt(field), 72 + at * 56 + index * 8);
    });
  });
  return file;
}

function readBack(file: Buffer, count: number): { entry: number; rows: Row[] } {
  const long = (at: number) => Number(file.readBigUInt64LE(at));
  const rows = Array.from({ length: count }, (_, at): Row => {
    const row = 64 + at * 56;
    const fields = [8, 16, 32, 40, 48].map((field) => long(row + field)) as [number, number, number, number, number];
    return [file.readUInt32LE(row), file.readUInt32LE(row + 4), ...fields];
  });
  return { entry: long(24), rows };
}

function written(bytes: Buffer): string {
  const file = join(temporary(), "program");
  writeFileSync(file, bytes);
  return file;
}

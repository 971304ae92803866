import { createHash } from "node:crypto";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { checkSignature, signAdHoc } from "../build/executable/macho.ts";

const macho = suite("code signatures");

const TEXT = 0x8000;
const LINKEDIT = 0x9000;
const SIGNATURE = 0x9410;
const END = 0x9800;
/** Where the load commands are. */
const [AT_TEXT, AT_LINKEDIT, AT_SIGNATURE] = [32, 32 + 72, 32 + 144];

macho("a signature of our own holds, whatever was signed before", () => {
  for (const name of ["math", "ü", ""]) {
    const signed = signAdHoc(make(), name);
    checkSignature(signed);
    assert.equal(signed, signAdHoc(make(), name));
    assert.equal(signAdHoc(signed, name), signed);
  }
});

macho("signs every page, and what the format asks for", () => {
  const signed = signAdHoc(make(), "math");
  const words = Array.from({ length: 19 }, (_, at) => signed.readUInt32BE(SIGNATURE + at * 4));
  const pages = 10;
  const hashes = 88 + 5;
  const size = hashes + pages * 32;
  assert.equal(words, [
    ...[0xfade0cc0, 20 + size, 1, 0, 20],
    ...[0xfade0c02, size, 0x20400, 0x20002, hashes, 88, 0, pages, SIGNATURE, 0x2002000c, 0, 0, 0, 0],
  ]);
  const main = [0, 1, 2].map((at) => signed.readBigUInt64BE(SIGNATURE + 20 + 64 + at * 8));
  assert.equal(main, [0n, BigInt(TEXT), 1n]);
  assert.is(signed.toString("latin1", SIGNATURE + 108, SIGNATURE + 113), "math\0");
  const hashAt = (page: number) => signed.toString("hex", ...[0, 32].map((at) => SIGNATURE + 113 + page * 32 + at));
  for (let page = 0; page < pages; page++) {
    const bytes = signed.subarray(page * 4096, Math.min((page + 1) * 4096, SIGNATURE));
    assert.is(hashAt(page), createHash("sha256").update(bytes).digest("hex"));
  }
  const length = Math.ceil((20 + size) / 16) * 16;
  assert.is(signed.length, SIGNATURE + length);
  assert.is(signed.readUInt32LE(AT_SIGNATURE + 12), length);
  assert.is(signed.readBigUInt64LE(AT_LINKEDIT + 48), BigInt(signed.length - LINKEDIT));
  assert.is(signed.readBigUInt64LE(AT_LINKEDIT + 32), 0x4000n);
});

const HINT = "on a Mac, `codesign --force --sign - FILE` signs anew";

type Change = (file: Buffer) => Buffer | undefined;

const broken: [why: string, change: Change][] = [
  ["1 of 10 pages are others", (file) => flip(file, TEXT)],
  ["1 of 10 pages are others", (file) => flip(file, SIGNATURE - 1)],
  ["1 of 10 pages are others", (file) => flip(file, SIGNATURE + 113 + 40)],
  ["it has another number of pages", (file) => word(file, SIGNATURE + 20 + 28, 9)],
  ["16 bytes are outside of what is signed", (file) => word(file, SIGNATURE + 20 + 32, SIGNATURE - 16)],
  ["its pages have other hashes than SHA-256", (file) => flip(file, SIGNATURE + 20 + 37)],
  ["its pages have an unusual size", (file) => flip(file, SIGNATURE + 20 + 39)],
  ["its code signature has no hashes of pages", (file) => flip(file, SIGNATURE + 20)],
  ["its code signature is cut off", (file) => word(file, SIGNATURE + 24, 0xffff)],
  ["its code signature is cut off", (file) => word(file, SIGNATURE + 16, 0xffffffff)],
  ["its code signature is cut off", (file) => word(file, SIGNATURE + 20 + 28, 0xffffff)],
  ["its code signature is none", (file) => flip(file, SIGNATURE)],
];

for (const [why, change] of broken)
  macho(`does not hold where ${why}`, () => {
    const file = signAdHoc(make(), "math");
    assert.equal(
      refusal(() => checkSignature(change(file) ?? file)),
      [`the code signature does not hold: ${why}`, HINT],
    );
  });

const strange: [why: string, change: Change][] = [
  ["it is no 64-bit Mach-O file", () => Buffer.from("#!/bin/sh\n")],
  ["it is no 64-bit Mach-O file", (file) => flip(file, 0)],
  ["it is no program", (file) => flip(file, 12)],
  ["it lacks a segment that every program has", (file) => flip(file, AT_TEXT + 10)],
  ["it lacks a segment that every program has", (file) => flip(file, AT_LINKEDIT + 10)],
  ["it has no code signature", (file) => flip(file, AT_SIGNATURE)],
  ["its load commands do not fit", (file) => flip(file, AT_SIGNATURE + 4)],
  ["its load commands do not fit", (file) => flip(file, 17)],
  ["its load commands do not fit", (file) => file.subarray(0, 60)],
  ["it is cut off", (file) => flip(file, AT_LINKEDIT + 55)],
  ["its code signature is not its end", (file) => Buffer.concat([file, Buffer.alloc(1)])],
  ["its code signature is not its end", (file) => flip(file, AT_SIGNATURE + 8)],
];

for (const [why, change] of strange)
  macho(`neither checks nor signs a file of which it must be said: ${why}`, () => {
    for (const work of [checkSignature, (file: Buffer) => signAdHoc(file, "math")]) {
      const file = make();
      assert.equal(
        refusal(() => work(change(file) ?? file)),
        [`the code signature does not hold: ${why}`, HINT],
      );
    }
  });

macho.run();

/** A program with three load commands, three pages of nothing much, and room for a signature. */
function make(): Buffer {
  const file = Buffer.alloc(END, 0xaa);
  file.fill(0, 0, 0x200);
  [0xfeedfacf, 0x1000007, 3, 2, 3, 72 + 72 + 16].forEach((value, at) => {
    file.writeUInt32LE(value, at * 4);
  });
  segment(file, AT_TEXT, "__TEXT", 0, TEXT);
  segment(file, AT_LINKEDIT, "__LINKEDIT", LINKEDIT, END - LINKEDIT);
  [0x1d, 16, SIGNATURE, END - SIGNATURE].forEach((value, at) => {
    file.writeUInt32LE(value, AT_SIGNATURE + at * 4);
  });
  return file;
}

function segment(file: Buffer, at: number, name: string, offset: number, size: number) {
  file.writeUInt32LE(0x19, at);
  file.writeUInt32LE(72, at + 4);
  file.write(name, at + 8);
  [offset, 0x10000, offset, size].forEach((value, field) => {
    file.writeBigUInt64LE(BigInt(value), at + 24 + field * 8);
  });
}

function flip(file: Buffer, at: number): undefined {
  file[at] = (file[at] ?? 0) ^ 0x10;
}

function word(file: Buffer, at: number, value: number): undefined {
  file.writeUInt32BE(value, at);
}

function refusal(work: () => unknown): unknown {
  try {
    work();
    return "nothing";
  } catch (error) {
    return [(error as Error).message, (error as { hint?: string }).hint];
  }
}

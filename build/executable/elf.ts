import type { FileHandle } from "node:fs/promises";

/** A machine that there is a prelude for. */
export type Machine = "x64" | "arm64";

/** What is read of a 64-bit ELF file. Offsets lead into the file, addresses into memory. */
export type Elf = {
  machine: Machine;
  /** Whether it is loaded just where it was linked, so that an address may be written into it. */
  fixed: boolean;
  entry: bigint;
  headersAt: number;
  headers: Header[];
  sections: Section[];
  /** Where a new segment may go: behind and above all that there is. */
  place: { offset: bigint; address: bigint; align: bigint };
};

/** A program header, in the order of its fields. */
export type Header = {
  type: number;
  flags: number;
  offset: bigint;
  address: bigint;
  fileSize: bigint;
  memorySize: bigint;
  align: bigint;
};

/** `headerAt` is the place of its header in the file. */
type Section = { name: string; headerAt: number; address: bigint; offset: number; size: number };

const MAGIC = Buffer.from("\x7fELF\x02\x01\x01", "latin1"); // 64 bits, little endian, version 1
/** The size of a page at most: Arm has kernels with 64 kB. */
const MACHINES: Record<number, { machine: Machine; page: bigint }> = {
  62: { machine: "x64", page: 0x1000n },
  183: { machine: "arm64", page: 0x10000n },
};
const ET_EXEC = 2;
const ET_DYN = 3;
export const PT_LOAD = 1;
export const PT_NOTE = 4;
export const EXECUTABLE = 1;
export const READABLE = 4;

/** Where the fields stand, in the file header and in the header of a section. */
export const FILE = { type: 16, machine: 18, entry: 24, headersAt: 32, sectionsAt: 40, headerSize: 54 } as const;
export const SECTION = { name: 0, address: 16, offset: 24, size: 32 } as const;
export const FILE_HEADER = 64;
export const HEADER = 56;
export const SECTION_HEADER = 64;
/** Where Bun looks for its module graph: eight bytes for the address. */
export const PLACE = ".bun";
/** Where Bun's own modules are, which it compiles anew into what it makes of the code that asks for them. */
export const BUILTINS = ".bun_builtins";
/** Program headers follow the file header; what is further away is nobody's linker's. */
const HEAD = 4096;

/** Reads what stands where in a program; returns why not, where the file is another than expected. */
export async function readElf(handle: FileHandle): Promise<Elf | string> {
  const head = await readAt(handle, 0, HEAD);
  if (head.length < FILE_HEADER || !MAGIC.equals(head.subarray(0, MAGIC.length))) return "it is no 64-bit ELF file";
  const known = MACHINES[head.readUInt16LE(FILE.machine)];
  if (!known) return "it is for another machine than x64 or arm64";
  const type = head.readUInt16LE(FILE.type);
  if (type !== ET_EXEC && type !== ET_DYN) return "it is no program";
  const headersAt = head.readBigUInt64LE(FILE.headersAt);
  const [size, count] = readSizes(head);
  if (size !== HEADER || headersAt + BigInt(count * HEADER) > head.length)
    return "its program headers are not where they are expected";
  const headers = Array.from({ length: count }, (_, at) => decodeHeader(head, Number(headersAt) + at * HEADER));
  const entry = head.readBigUInt64LE(FILE.entry);
  const loads = headers.filter(({ type }) => type === PT_LOAD);
  if (!loads.some((load) => load.flags & EXECUTABLE && entry >= load.address && entry < load.address + load.fileSize))
    return "its entry point is in none of its segments";
  const { machine, page } = known;
  let top = 0n;
  for (const { address, memorySize } of loads) if (address + memorySize > top) top = address + memorySize;
  const end = BigInt((await handle.stat()).size);
  const place = { offset: roundUp(end, page), address: roundUp(top, page), align: page };
  const sections = await readSections(handle, head);
  return { machine, fixed: type === ET_EXEC, entry, headersAt: Number(headersAt), headers, sections, place };
}

/** The size and the number of program headers and of section headers, and which section has the names. */
const readSizes = (head: Buffer) =>
  [0, 2, 4, 6, 8].map((at) => head.readUInt16LE(FILE.headerSize + at)) as [number, number, number, number, number];

async function readSections(handle: FileHandle, head: Buffer): Promise<Section[]> {
  const at = Number(head.readBigUInt64LE(FILE.sectionsAt));
  const [, , size, count, namesAt] = readSizes(head);
  if (size !== SECTION_HEADER) return [];
  const table = await readAt(handle, at, count * size);
  if (table.length < count * size) return [];
  const field = (index: number, offset: number) => Number(table.readBigUInt64LE(index * size + offset));
  const places = Array.from({ length: count }, (_, index) => ({
    headerAt: at + index * size,
    address: table.readBigUInt64LE(index * size + SECTION.address),
    offset: field(index, SECTION.offset),
    size: field(index, SECTION.size),
  }));
  const { offset = 0, size: length = 0 } = places[namesAt] ?? {};
  const names = await readAt(handle, offset, Math.min(length, MOST_NAMES));
  return places.map((place, index) => ({ name: readName(names, table.readUInt32LE(index * size)), ...place }));
}

/** Bytes; a program has some hundreds. */
const MOST_NAMES = 1 << 16;

function readName(names: Buffer, start: number): string {
  return names.toString("latin1", start, names.indexOf(0, start));
}

/** The bytes of the file from there on, as far as it has any. */
export async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await handle.read(bytes, 0, length, position);
  return bytes.subarray(0, bytesRead);
}

function decodeHeader(head: Buffer, at: number): Header {
  return {
    type: head.readUInt32LE(at),
    flags: head.readUInt32LE(at + 4),
    offset: head.readBigUInt64LE(at + 8),
    address: head.readBigUInt64LE(at + 16),
    fileSize: head.readBigUInt64LE(at + 32),
    memorySize: head.readBigUInt64LE(at + 40),
    align: head.readBigUInt64LE(at + 48),
  };
}

export function encodeHeader({ type, flags, offset, address, fileSize, memorySize, align }: Header): Buffer {
  return Buffer.concat(
    [Uint32Array.of(type, flags), BigUint64Array.of(offset, address, address, fileSize, memorySize, align)].map(
      ({ buffer }) => new Uint8Array(buffer),
    ),
  );
}

export const roundUp = (value: bigint, to: bigint) => ((value + to - 1n) / to) * to;

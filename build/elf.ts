import { type FileHandle, open } from "node:fs/promises";

/** A machine that there is a prelude for. */
export type Machine = "x64" | "arm64";

/**
 * Makes what runs first in an executable: code that starts with its first byte, and whatever it needs. `distance` leads
 * from that byte to where the executable started before, wherever it is loaded.
 */
export type Opening = (machine: Machine, distance: bigint) => Uint8Array;

/**
 * Puts a segment at the end of an ELF file, above every other, and starts the program in it. Its program header takes the
 * place of a PT_NOTE, of which nothing that runs has need. Returns why not, where the file is another than expected; then
 * it is as it was.
 */
export async function prepend(file: string, opening: Opening): Promise<string | undefined> {
  const handle = await open(file, "r+");
  try {
    const elf = await readElf(handle);
    if (typeof elf === "string") return elf;
    const bytes = opening(elf.machine, elf.entry - elf.place.address);
    const start = Buffer.alloc(8);
    start.writeBigUInt64LE(elf.place.address);
    await writeAt(handle, Number(elf.place.offset), bytes);
    await writeAt(handle, elf.tableOffset, Buffer.concat(withSegment(elf, BigInt(bytes.length)).map(encodeHeader)));
    await writeAt(handle, ENTRY, start);
    return undefined;
  } finally {
    await handle.close();
  }
}

type Elf = {
  machine: Machine;
  entry: bigint;
  tableOffset: number;
  headers: Header[];
  /** Where the new segment goes, in the file and in memory. */
  place: { offset: bigint; address: bigint; align: bigint };
};

/** A program header, in the order of its fields. */
type Header = {
  type: number;
  flags: number;
  offset: bigint;
  address: bigint;
  fileSize: bigint;
  memorySize: bigint;
  align: bigint;
};

const MAGIC = Buffer.from("\x7fELF\x02\x01\x01", "latin1"); // 64 bits, little endian, version 1
/** The size of a page at most: Arm has kernels with 64 kB. */
const MACHINES: Record<number, { machine: Machine; page: bigint }> = {
  62: { machine: "x64", page: 0x1000n },
  183: { machine: "arm64", page: 0x10000n },
};
const ET_EXEC = 2;
const ET_DYN = 3;
const PT_LOAD = 1;
const PT_NOTE = 4;
const EXECUTABLE = 1;
const READABLE = 4;
/** Where the file header has its entry address. */
const ENTRY = 24;
const FILE_HEADER = 64;
const HEADER = 56;
/** Program headers follow the file header; what is further away is nobody's linker's. */
const HEAD = 4096;

async function readElf(handle: FileHandle): Promise<Elf | string> {
  const head = Buffer.alloc(HEAD);
  const { bytesRead } = await handle.read(head, 0, HEAD, 0);
  if (bytesRead < FILE_HEADER || !MAGIC.equals(head.subarray(0, MAGIC.length))) return "it is no 64-bit ELF file";
  const known = MACHINES[head.readUInt16LE(18)];
  if (!known) return "it is for another machine than x64 or arm64";
  if (![ET_EXEC, ET_DYN].includes(head.readUInt16LE(16))) return "it is no program";
  const tableOffset = head.readBigUInt64LE(32);
  const count = head.readUInt16LE(56);
  if (head.readUInt16LE(54) !== HEADER || tableOffset + BigInt(count * HEADER) > bytesRead)
    return "its program headers are not where they are expected";
  const headers = Array.from({ length: count }, (_, at) => decodeHeader(head, Number(tableOffset) + at * HEADER));
  const entry = head.readBigUInt64LE(ENTRY);
  const loads = headers.filter(({ type }) => type === PT_LOAD);
  if (!loads.some((load) => load.flags & EXECUTABLE && entry >= load.address && entry < load.address + load.fileSize))
    return "its entry point is in none of its segments";
  if (!headers.some(({ type }) => type === PT_NOTE)) return "it has no PT_NOTE header to spare";
  const { size } = await handle.stat();
  const { machine, page } = known;
  let top = 0n;
  for (const { address, memorySize } of loads) if (address + memorySize > top) top = address + memorySize;
  const place = { offset: roundUp(BigInt(size), page), address: roundUp(top, page), align: page };
  return { machine, entry, tableOffset: Number(tableOffset), headers, place };
}

/** Segments stand in the order of their addresses: the new one goes behind the last, and what followed moves up. */
function withSegment({ headers, place }: Elf, size: bigint): Header[] {
  const segment = { type: PT_LOAD, flags: READABLE | EXECUTABLE, ...place, fileSize: size, memorySize: size };
  const note = headers.findLastIndex(({ type }) => type === PT_NOTE);
  const others = headers.toSpliced(note, 1);
  return others.toSpliced(others.findLastIndex(({ type }) => type === PT_LOAD) + 1, 0, segment);
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

function encodeHeader({ type, flags, offset, address, fileSize, memorySize, align }: Header): Buffer {
  const bytes = Buffer.alloc(HEADER);
  bytes.writeUInt32LE(type, 0);
  bytes.writeUInt32LE(flags, 4);
  [offset, address, address, fileSize, memorySize, align].forEach((field, at) => {
    bytes.writeBigUInt64LE(field, 8 + at * 8);
  });
  return bytes;
}

async function writeAt(handle: FileHandle, position: number, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

const roundUp = (value: bigint, to: bigint) => ((value + to - 1n) / to) * to;

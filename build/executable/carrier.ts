import { open } from "node:fs/promises";
import {
  BUILTINS,
  encodeHeader,
  FILE_HEADER,
  HEADER,
  type Machine,
  PLACE,
  PT_LOAD,
  readAt,
  readElf,
  SECTION_HEADER,
} from "./elf.ts";
import type { Host } from "./graft.ts";

/**
 * A program of nothing but what `bun build --compile` writes a module graph into, and the engine's own modules, of which it puts
 * compiled code into the graph. Of a base executable Bun makes two copies of a hundred megabytes; with this as the base it makes
 * the graph alone.
 */
export function renderCarrier({ machine, builtins }: Host): Uint8Array {
  const { address = 0n, bytes = new Uint8Array() } = builtins ?? {};
  const header = words(
    0x00010102_464c457fn, // the magic number: 64 bits, little endian, version 1
    0n,
    2n | (CODES[machine] << 16n) | (1n << 32n), // an executable
    BASE,
    BigInt(FILE_HEADER), // the program headers
    BigInt(SECTIONS_AT),
    (BigInt(FILE_HEADER) << 32n) | (BigInt(HEADER) << 48n),
    1n | (BigInt(SECTION_HEADER) << 16n) | (BigInt(SECTIONS) << 32n) | (BigInt(SECTIONS - 1) << 48n), // one program header, then sections, the last of them their names
  );
  const size = BigInt(PLACE_AT + 8);
  const load = { type: PT_LOAD, flags: 7, offset: 0n, address: BASE, fileSize: size, memorySize: size, align: PAGE };
  const sections = [
    section(0, 0, 0n, 0n, 0, 0),
    section(nameAt(PLACE), 1, 3n, BASE + BigInt(PLACE_AT), PLACE_AT, 8), // bytes of the program, writable and loaded
    section(nameAt(BUILTINS), 1, 2n, address, BUILTINS_AT, bytes.length),
    section(nameAt(".shstrtab"), 3, 0n, 0n, NAMES_AT, NAMES.length),
  ];
  const head = [header, encodeHeader(load), words(0n), Buffer.from(NAMES, "latin1"), ...sections];
  return Buffer.concat([...head, bytes]);
}

/** The module graph that Bun has written into a carrier. */
export async function readCarrier(file: string): Promise<Uint8Array | undefined> {
  const handle = await open(file);
  try {
    const elf = await readElf(handle);
    const graph = typeof elf === "string" ? undefined : elf.sections.find(({ name }) => name === PLACE);
    return graph && graph.size > 8 ? await readAt(handle, graph.offset, graph.size) : undefined;
  } finally {
    await handle.close();
  }
}

const CODES: Record<Machine, bigint> = { x64: 62n, arm64: 183n };
const BASE = 0x200000n;
const PAGE = 0x1000n;
const NAMES = `\0${PLACE}\0${BUILTINS}\0.shstrtab\0`.padEnd(32, "\0"); // so that what follows is aligned
const nameAt = (name: string) => NAMES.indexOf(`\0${name}\0`) + 1;
const PLACE_AT = FILE_HEADER + HEADER;
const NAMES_AT = PLACE_AT + 8;
const SECTIONS_AT = NAMES_AT + NAMES.length;
const SECTIONS = 4;
const BUILTINS_AT = SECTIONS_AT + SECTIONS * SECTION_HEADER;

function section(name: number, type: number, flags: bigint, address: bigint, offset: number, size: number): Uint8Array {
  return words(BigInt(name) | (BigInt(type) << 32n), flags, address, BigInt(offset), BigInt(size), 0n, 16n, 0n);
}

function words(...values: bigint[]): Uint8Array {
  return new Uint8Array(BigUint64Array.from(values).buffer);
}

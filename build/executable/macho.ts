import { createHash } from "node:crypto";
import { BuildError } from "../errors.ts";

/*
 * A Mach-O file ends with its code signature: a SuperBlob with a CodeDirectory, which holds the SHA-256 of every page of
 * what stands before. The format is that of Apple's cs_blobs.h and loader.h; blobs are big endian, the rest little.
 */

/** Compares every page with its hash in the code signature; throws a BuildError that says what does not hold. */
export function checkSignature(file: Buffer): void {
  const { signature } = readMachO(file);
  const blobs = readBlobs(file.subarray(signature.offset, signature.offset + signature.size));
  const directory = readDirectory(blobs);
  if (directory.limit !== signature.offset)
    throw invalid(`${signature.offset - directory.limit} bytes are outside of what is signed`);
  const hashes = hashPages(file.subarray(0, directory.limit), directory.pageSize);
  if (hashes.length !== directory.pages.length) throw invalid("it has another number of pages");
  const wrong = hashes.filter((hash, page) => directory.pages[page]?.equals(hash) !== true);
  if (wrong.length > 0) throw invalid(`${wrong.length} of ${hashes.length} pages are others`);
  for (const [kind, hash] of directory.special) {
    const blob = blobs.get(kind);
    if (blob && !sha256(blob).equals(hash)) throw invalid(`its part ${kind} is another`);
  }
}

/** The file with a signature of nobody in particular, as a linker for Apple's machines makes it, in place of its own. */
export function signAdHoc(file: Buffer, identifier: string): Buffer {
  const { signature, linkedit, text } = readMachO(file);
  const pages = Math.ceil(signature.offset / PAGE);
  const name = Buffer.from(`${identifier}\0`);
  const size = SUPER_BLOB + DIRECTORY + name.length + pages * HASH;
  const signed = Buffer.alloc(signature.offset + roundUp(size, 16));
  file.copy(signed, 0, 0, signature.offset);
  signed.writeUInt32LE(signed.length - signature.offset, signature.command + 12);
  const linked = signed.length - linkedit.offset;
  signed.writeBigUInt64LE(BigInt(roundUp(linked, LARGEST_PAGE)), linkedit.command + 32);
  signed.writeBigUInt64LE(BigInt(linked), linkedit.command + 48);
  const hashes = hashPages(signed.subarray(0, signature.offset), PAGE);
  const directory = Buffer.concat([renderDirectory(signature.offset, pages, name, text), ...hashes]);
  const header = words(SUPER_BLOB_MAGIC, size, 1, DIRECTORY_SLOT, SUPER_BLOB);
  Buffer.concat([header, directory]).copy(signed, signature.offset);
  return signed;
}

const HEADER = 32;
const MACHO_64 = 0xfeedfacf;
const EXECUTE = 2;
const SEGMENT = 0x19;
const CODE_SIGNATURE = 0x1d;

const SUPER_BLOB_MAGIC = 0xfade0cc0;
const DIRECTORY_MAGIC = 0xfade0c02;
const DIRECTORY_SLOT = 0;
/** Sizes of what is written here: a SuperBlob with one entry, and a CodeDirectory up to its name. */
const SUPER_BLOB = 20;
const DIRECTORY = 88;
/** The version that knows where the main segment is. */
const VERSION = 0x20400;
const AD_HOC = 0x2;
const LINKER_SIGNED = 0x20000;
const MAIN_BINARY = 1n;
const SHA256 = 2;
const HASH = 32;
const PAGE_BITS = 12;
const PAGE = 1 << PAGE_BITS;
/** Apple's arm64 has the largest. */
const LARGEST_PAGE = 0x4000;

/** A part of the file, and where the load command is that speaks of it. */
type Part = { command: number; offset: number; size: number };

type MachO = { signature: Part; linkedit: Part; text: Part };

function readMachO(file: Buffer): MachO {
  if (file.length < HEADER || file.readUInt32LE(0) !== MACHO_64) throw invalid("it is no 64-bit Mach-O file");
  if (file.readUInt32LE(12) !== EXECUTE) throw invalid("it is no program");
  const commands = readCommands(file);
  const segment = (name: string) =>
    commands.find(
      ({ kind, at }) => kind === SEGMENT && file.toString("latin1", at + 8, at + 24).startsWith(`${name}\0`),
    );
  const [text, linkedit] = [segment("__TEXT"), segment("__LINKEDIT")];
  const signature = commands.find(({ kind }) => kind === CODE_SIGNATURE);
  if (!text || !linkedit) throw invalid("it lacks a segment that every program has");
  if (!signature) throw invalid("it has no code signature");
  const macho = {
    text: partOf(file, text.at, 40),
    linkedit: partOf(file, linkedit.at, 40),
    signature: {
      command: signature.at,
      offset: file.readUInt32LE(signature.at + 8),
      size: file.readUInt32LE(signature.at + 12),
    },
  };
  const end = macho.signature.offset + macho.signature.size;
  if (
    end !== file.length ||
    macho.linkedit.offset + macho.linkedit.size !== end ||
    macho.signature.offset < macho.linkedit.offset
  )
    throw invalid("its code signature is not its end");
  return macho;
}

function readCommands(file: Buffer): { kind: number; at: number }[] {
  const end = HEADER + file.readUInt32LE(20);
  const commands: { kind: number; at: number }[] = [];
  for (let at = HEADER, left = file.readUInt32LE(16); left > 0; left--) {
    const size = at + 8 <= Math.min(end, file.length) ? file.readUInt32LE(at + 4) : 0;
    if (size < 16 || at + size > Math.min(end, file.length)) throw invalid("its load commands do not fit");
    commands.push({ kind: file.readUInt32LE(at), at });
    at += size;
  }
  return commands;
}

function partOf(file: Buffer, command: number, at: number): Part {
  const [offset, size] = [file.readBigUInt64LE(command + at), file.readBigUInt64LE(command + at + 8)].map(Number);
  if (offset === undefined || size === undefined || offset + size > file.length) throw invalid("it is cut off");
  return { command, offset, size };
}

/** The parts of a signature by their kind. */
function readBlobs(signature: Buffer): Map<number, Buffer> {
  if (signature.length < 12 || signature.readUInt32BE(0) !== SUPER_BLOB_MAGIC)
    throw invalid("its code signature is none");
  const blobs = new Map<number, Buffer>();
  for (let row = 0; row < signature.readUInt32BE(8); row++) {
    const at = 12 + row * 8;
    const start = at + 8 <= signature.length ? signature.readUInt32BE(at + 4) : signature.length;
    const size = start + 8 <= signature.length ? signature.readUInt32BE(start + 4) : 0;
    if (size < 8 || start + size > signature.length) throw invalid("its code signature is cut off");
    blobs.set(signature.readUInt32BE(at), signature.subarray(start, start + size));
  }
  return blobs;
}

function readDirectory(blobs: Map<number, Buffer>) {
  const blob = blobs.get(DIRECTORY_SLOT);
  if (!blob || blob.length < DIRECTORY || blob.readUInt32BE(0) !== DIRECTORY_MAGIC)
    throw invalid("its code signature has no hashes of pages");
  const [hashes, count, specials] = [blob.readUInt32BE(16), blob.readUInt32BE(28), blob.readUInt32BE(24)];
  if (blob[36] !== HASH || blob[37] !== SHA256) throw invalid("its pages have other hashes than SHA-256");
  const pageBits = blob[39] ?? 0;
  if (pageBits < PAGE_BITS || pageBits > 16) throw invalid("its pages have an unusual size");
  if (specials * HASH > hashes || hashes + count * HASH > blob.length) throw invalid("its code signature is cut off");
  const hashAt = (slot: number) => blob.subarray(hashes + slot * HASH, hashes + (slot + 1) * HASH);
  return {
    limit: blob.readUInt32BE(32),
    pageSize: 2 ** pageBits,
    pages: Array.from({ length: count }, (_, page) => hashAt(page)),
    special: Array.from({ length: specials }, (_, at) => [at + 1, hashAt(-at - 1)] as const),
  };
}

function renderDirectory(limit: number, pages: number, name: Buffer, text: Part): Buffer {
  const hashes = DIRECTORY + name.length;
  const fixed = words(
    DIRECTORY_MAGIC,
    hashes + pages * HASH,
    VERSION,
    AD_HOC | LINKER_SIGNED,
    hashes,
    DIRECTORY,
    0,
    pages,
    limit,
  );
  const kinds = Buffer.from([HASH, SHA256, 0, PAGE_BITS]);
  const unused = Buffer.alloc(24); // for scattered code, teams, and files over 4 GB
  const main = Buffer.alloc(24);
  [BigInt(text.offset), BigInt(text.size), MAIN_BINARY].forEach((value, at) => {
    main.writeBigUInt64BE(value, at * 8);
  });
  return Buffer.concat([fixed, kinds, unused, main, name]);
}

function hashPages(code: Buffer, size: number): Buffer[] {
  const pages: Buffer[] = [];
  for (let at = 0; at < code.length; at += size) pages.push(sha256(code.subarray(at, at + size)));
  return pages;
}

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, at) => {
    bytes.writeUInt32BE(value, at * 4);
  });
  return bytes;
}

function invalid(why: string): BuildError {
  return new BuildError(`the code signature does not hold: ${why}`, {
    hint: "on a Mac, `codesign --force --sign - FILE` signs anew",
  });
}

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest();
const roundUp = (value: number, to: number) => Math.ceil(value / to) * to;

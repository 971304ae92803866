import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import type { Described, Manifest } from "../../src/manifest.ts";
import type { Package } from "../bundle/packages.ts";
import { BuildError } from "../errors.ts";
import { readAt } from "../executable/elf.ts";

/** What an executable tells of itself to who reads it without running it. Plain JSON. */
export type BuildRecord = {
  name: string;
  version?: string | undefined;
  description: string;
  subcommands: Pick<Described, "name" | "description" | "input" | "output">[];
  /** The version of Bun. */
  engine: string;
  /** The version of cfa. */
  cfa: string;
  packages: Pick<Package, "name" | "version" | "license">[];
};

/**
 * The sum and the size of an executable of Bun's, and the sum of its core: the part that stays as it is when a tool is put
 * in. To read all of it again would take a third of the time of a build.
 */
export type EngineSums = { sha256: string; bytes: number; core: string };

/*
 * A record is found by its magic number, and proves itself by its length and SHA-256. Between those and its text is the
 * room for the stamp, which is filled in when all else is written.
 */
const MAGIC = Buffer.from("\x89cfa record 1\r\n\x1a", "latin1");
const HASH = 32;
const LENGTH_AT = MAGIC.length;
const SUM_AT = LENGTH_AT + 4;
const STAMP_AT = SUM_AT + HASH;
/** The size of the engine in eight bytes, its SHA-256, and those of the parts. */
const PARTS = ["head", "engine", "tool"] as const;
const STAMP = 8 + HASH + PARTS.length * HASH;
const TEXT_AT = STAMP_AT + STAMP;

export type Part = (typeof PARTS)[number];

export function recordOf(
  manifest: Manifest,
  packages: readonly Package[],
  versions: { engine: string; cfa: string },
): BuildRecord {
  const { name, version, description } = manifest;
  return {
    name,
    version,
    description,
    subcommands: manifest.subcommands.map(({ name, description, input, output }) => ({
      name,
      description,
      input,
      output,
    })),
    ...versions,
    packages: packages.map(({ name, version, license }) => ({ name, version, license })),
  };
}

/** The bytes that go into the executable. */
export function renderRecord(record: BuildRecord): Buffer {
  const text = Buffer.from(JSON.stringify(record));
  const frame = Buffer.alloc(TEXT_AT);
  MAGIC.copy(frame);
  frame.writeUInt32LE(text.length, LENGTH_AT);
  sha256(text).copy(frame, SUM_AT);
  return Buffer.concat([frame, text]);
}

/** A record, and where it begins in the file. */
export type Found = { record: BuildRecord; at: number };

/** The record in a file; `damaged` where there is one that does not prove itself, nothing where there is none. */
export function findRecord(file: Buffer): Found | "damaged" | undefined {
  let damaged = false;
  for (let at = file.indexOf(MAGIC); at >= 0; at = file.indexOf(MAGIC, at + 1)) {
    const record = recordAt(file, at);
    if (record) return { record, at };
    damaged = true;
  }
  return damaged ? "damaged" : undefined;
}

function recordAt(file: Buffer, at: number): BuildRecord | undefined {
  if (at + TEXT_AT > file.length) return undefined;
  const text = file.subarray(at + TEXT_AT, at + TEXT_AT + file.readUInt32LE(at + LENGTH_AT));
  const sum = file.subarray(at + SUM_AT, at + STAMP_AT);
  return sha256(text).equals(sum) ? (JSON.parse(text.toString()) as BuildRecord) : undefined;
}

/** Writes the stamp into the record of an executable; all else that is in it must be there. */
export async function stamp(executable: string, engine: EngineSums): Promise<void> {
  const handle = await open(executable, "r+");
  try {
    const { from, to } = coreOf(engine.bytes);
    const { size } = await handle.stat();
    const [head, tool] = [await readAt(handle, 0, from), await readAt(handle, to, size - to)];
    const found = findRecord(tool);
    if (!found || found === "damaged")
      throw new BuildError("the executable lacks the record that was put into it", {
        hint: "please report this with the version of Bun",
      });
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(engine.bytes));
    const own = Buffer.concat([bytes, Buffer.from(engine.sha256, "hex")]);
    own.copy(tool, found.at + STAMP_AT);
    const parts = [sha256(head), Buffer.from(engine.core, "hex"), sha256(tool)];
    await writeAll(handle, Buffer.concat([own, ...parts]), to + found.at + STAMP_AT);
  } finally {
    await handle.close();
  }
}

/** The engine inside, and the parts of the file that are others than when it was made; nothing where it has no stamp. */
export function readStamp(
  file: Buffer,
  { at }: Found,
): { engine: Omit<EngineSums, "core">; damaged: Part[] } | undefined {
  const start = at + STAMP_AT;
  const bytes = Number(file.readBigUInt64LE(start));
  if (bytes === 0) return undefined;
  const stamped = start + 8 + HASH;
  const { from, to } = coreOf(bytes);
  const tool = createHash("sha256")
    .update(file.subarray(to, stamped))
    .update(Buffer.alloc(PARTS.length * HASH));
  const hashes = [
    sha256(file.subarray(0, from)),
    sha256(file.subarray(from, to)),
    tool.update(file.subarray(at + TEXT_AT)).digest(),
  ];
  const partAt = (part: number) => file.subarray(stamped + part * HASH, stamped + (part + 1) * HASH);
  return {
    engine: { sha256: file.toString("hex", start + 8, stamped), bytes },
    damaged: PARTS.filter((_, part) => !hashes[part]?.equals(partAt(part))),
  };
}

/**
 * The part of an engine that stays as it is. Headers stand before it, and behind it what leads to the tool: the last bytes
 * of an ELF or PE file, in a Mach-O file a segment before the symbols.
 */
export function coreOf(bytes: number): { from: number; to: number } {
  return { from: HEADERS, to: Math.max(HEADERS, Math.floor(bytes / MARGIN - 1) * MARGIN) };
}

const HEADERS = 1 << 16;
const MARGIN = 1 << 21;

async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  const { bytesWritten } = await handle.write(bytes, 0, bytes.length, position);
  if (bytesWritten < bytes.length) await writeAll(handle, bytes.subarray(bytesWritten), position + bytesWritten);
}

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest();

import { open, readFile, stat } from "node:fs/promises";
import { BuildError, quote } from "../errors.ts";
import { readElf } from "../executable/elf.ts";
import { HEAD, targetNameOf } from "../executable/format.ts";
import { checkSignature } from "../executable/macho.ts";
import { type BuildRecord, findRecord, type Part, readStamp } from "./record.ts";

/** What can be known of an executable without running it. */
export type Inspection = Omit<BuildRecord, "engine"> & {
  target: string;
  /** The Bun inside; its size and SHA-256 are those that it had before the tool was put in. */
  engine: { version: string; sha256: string; bytes: number };
  /** Whether it answers for itself before Bun starts. */
  prelude: boolean;
  /** What is not as it was when it was made, a line each; nothing where all is. */
  damage: string[];
};

/** Reads an executable of any target. Throws a BuildError where `cfa` has not made it, or where it cannot tell. */
export async function inspect(path: string): Promise<Inspection> {
  const file = await readExecutable(path);
  const found = findRecord(file);
  const target = targetNameOf(file.subarray(0, HEAD));
  if (!found || !target) throw new BuildError(`${quote(path)} is no executable that cfa has made`, { hint: HINT });
  const stamp = found === "damaged" ? undefined : readStamp(file, found);
  if (found === "damaged" || !stamp)
    throw new BuildError(`${quote(path)} is an executable of cfa's, but its record is damaged`, {
      hint: "get it again",
    });
  const damage = target.startsWith("darwin-") ? signatureOf(file) : stamp.damaged.map((part) => MEANING[part]);
  const engine = { version: found.record.engine, ...stamp.engine };
  return { ...found.record, target, engine, prelude: await hasPrelude(path), damage };
}

const HINT = "cfa build makes one of a tool; who strips or compresses it loses what is inside";

const MEANING: Record<Part, string> = {
  head: "its headers are others",
  engine: "the Bun inside is another",
  tool: "the tool inside is another",
};

async function readExecutable(path: string): Promise<Buffer> {
  const cannot = (cause: NodeJS.ErrnoException) => {
    throw new BuildError(`cannot read ${quote(path)}: ${cause.code}`, { cause, hint: "name an executable" });
  };
  const there = await stat(path).catch(cannot);
  if (!there.isFile()) throw new BuildError(`${quote(path)} is no regular file`, { hint: "name an executable" });
  return readFile(path).catch(cannot);
}

/** On Apple's machines the code signature covers the file. */
function signatureOf(file: Buffer): string[] {
  try {
    checkSignature(file);
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

/** The prelude is at the beginning of the segment that stands behind all others. */
async function hasPrelude(path: string): Promise<boolean> {
  const handle = await open(path);
  try {
    const elf = await readElf(handle);
    if (typeof elf === "string") return false;
    const last = elf.headers.reduce((one, other) => (other.offset > one.offset ? other : one));
    return elf.entry === last.address;
  } finally {
    await handle.close();
  }
}

import { type FileHandle, open } from "node:fs/promises";
import {
  BUILTINS,
  type Elf,
  EXECUTABLE,
  encodeHeader,
  FILE,
  type Header,
  type Machine,
  PLACE,
  PT_LOAD,
  PT_NOTE,
  READABLE,
  readAt,
  readElf,
  roundUp,
  SECTION,
} from "./elf.ts";

/**
 * Makes what runs first in an executable: code that starts with its first byte, and whatever it needs. `distance` leads
 * from that byte to where the executable started before, wherever it is loaded.
 */
export type Opening = (machine: Machine, distance: bigint) => Uint8Array;

/**
 * What is put into a program: an opening that it starts with, and the module graph, which is what `bun build --compile`
 * makes of the code.
 */
export type Graft = { opening?: Opening | undefined; graph?: Uint8Array | undefined };

/**
 * Puts a graft into a segment at the end of an ELF file, above every other. Its program header takes the place of a
 * PT_NOTE, of which nothing that runs has need. Returns why not, where the file is another than expected; then it is as it
 * was.
 */
export async function graft(file: string, { opening, graph }: Graft): Promise<string | undefined> {
  const handle = await open(file, "r+");
  try {
    const elf = await readHost(handle, graph !== undefined);
    if (typeof elf === "string") return elf;
    const { address, offset } = elf.place;
    const code = opening?.(elf.machine, elf.entry - address) ?? new Uint8Array();
    const graphAt = graph ? roundUp(BigInt(code.length), GRAPH_ALIGN) : BigInt(code.length);
    const size = graphAt + BigInt(graph?.length ?? 0);
    await writeAt(handle, offset, code);
    await writeAt(handle, BigInt(elf.headersAt), Buffer.concat(withSegment(elf, size).map(encodeHeader)));
    if (opening) await writeAt(handle, BigInt(FILE.entry), encode(address));
    if (graph) await writeGraph(handle, elf, graph, graphAt);
    return undefined;
  } finally {
    await handle.close();
  }
}

/** A program that can hold a module graph: its machine, and what its own modules are made of. */
export type Host = { machine: Machine; builtins: { address: bigint; bytes: Uint8Array } | undefined };

/** Reads a program that is to hold a module graph, or why it cannot. */
export async function hostOf(file: string): Promise<Host | { refused: string }> {
  const handle = await open(file);
  try {
    const elf = await readHost(handle, true);
    if (typeof elf === "string") return { refused: elf };
    const section = elf.sections.find(({ name }) => name === BUILTINS);
    const builtins = section && { address: section.address, bytes: await readAt(handle, section.offset, section.size) };
    return { machine: elf.machine, builtins };
  } finally {
    await handle.close();
  }
}

async function readHost(handle: FileHandle, withGraph: boolean): Promise<Elf | string> {
  const elf = await readElf(handle);
  if (typeof elf === "string") return elf;
  if (!elf.headers.some(({ type }) => type === PT_NOTE)) return "it has no PT_NOTE header to spare";
  if (withGraph && !elf.fixed) return "it may be loaded at any address";
  if (withGraph && placeIn(elf)?.size !== 8) return `it has no ${PLACE} section of eight bytes`;
  return elf;
}

const placeIn = ({ sections }: Elf) => sections.find(({ name }) => name === PLACE);

/** What Bun's own compiler gives it: that of a page. */
const GRAPH_ALIGN = 0x1000n;

/** Writes the graph, and its address where Bun looks for it; the section is then the graph, for who looks at the file. */
async function writeGraph(handle: FileHandle, elf: Elf, graph: Uint8Array, at: bigint): Promise<void> {
  const address = elf.place.address + at;
  const offset = elf.place.offset + at;
  const { offset: place, headerAt } = placeIn(elf) as Elf["sections"][number];
  await writeAt(handle, offset, graph);
  await writeAt(handle, BigInt(place), encode(address));
  await writeAt(handle, BigInt(headerAt + SECTION.address), encode(address, offset, BigInt(graph.length)));
}

/** Segments stand in the order of their addresses: the new one goes behind the last, and what followed moves up. */
function withSegment({ headers, place }: Elf, size: bigint): Header[] {
  const segment = { type: PT_LOAD, flags: READABLE | EXECUTABLE, ...place, fileSize: size, memorySize: size };
  const note = headers.findLastIndex(({ type }) => type === PT_NOTE);
  const others = headers.toSpliced(note, 1);
  return others.toSpliced(others.findLastIndex(({ type }) => type === PT_LOAD) + 1, 0, segment);
}

const encode = (...words: bigint[]) => new Uint8Array(BigUint64Array.from(words).buffer);

async function writeAt(handle: FileHandle, position: bigint, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, Number(position) + done);
    done += bytesWritten;
  }
}

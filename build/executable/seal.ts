/// <reference path="../prelude/bin.d.ts" />
import { readFile, writeFile } from "node:fs/promises";
import { type FrozenLine, freezeLines, type Manifest } from "../../src/manifest.ts";
import { BuildError } from "../errors.ts";
import type { Plan } from "../plan.ts";
import arm64 from "../prelude/arm64.bin";
import x64 from "../prelude/x64.bin";
import type { Making } from "../release/products.ts";
import { stamp } from "../release/record.ts";
import type { Compiled } from "./compile.ts";
import type { Machine } from "./elf.ts";
import { graft, type Opening } from "./graft.ts";
import { signAdHoc } from "./macho.ts";

const PRELUDES: Record<Machine, Uint8Array> = { x64, arm64 };

/** Whether there is a prelude, and why not where there should be one. */
export type Sealed = { prelude: boolean; refused: string | undefined };

/** Puts all that is missing into an executable that was compiled. */
export async function seal(compiled: Compiled, manifest: Manifest, making: Making, plan: Plan): Promise<Sealed> {
  const { target, base } = making;
  const prelude = plan.prelude && target.name.startsWith("linux-");
  const refused = await putPrelude(compiled, manifest, prelude);
  await stamp(compiled.executable, await base.sums);
  if (target.name.startsWith("darwin-")) await signFile(compiled.executable, manifest.name);
  return { prelude: prelude && refused === undefined, refused };
}

/** What Bun signed before the record was stamped, or did not sign at all, is signed anew. */
async function signFile(executable: string, name: string): Promise<void> {
  await writeFile(executable, signAdHoc(await readFile(executable), name));
}

/**
 * Puts the module graph into the executable, and the prelude before Bun: what the manifest can answer is answered without
 * Bun, and no variable makes the tool something else. Returns why not, where the prelude cannot be put in.
 */
export async function putPrelude(
  { executable, graph }: Compiled,
  manifest: Manifest,
  prelude: boolean,
): Promise<string | undefined> {
  const opening = prelude ? openingOf(await freezeLines(manifest)) : undefined;
  const refused = opening || graph ? await graft(executable, { opening, graph }) : undefined;
  if (graph && refused)
    throw new BuildError(`the engine cannot hold the code of the tool: ${refused}`, {
      hint: "please report this with the version of Bun",
    });
  return prelude ? refused : undefined;
}

function openingOf(lines: readonly FrozenLine[]): Opening {
  return (machine, distance) => {
    const code = PRELUDES[machine];
    return Buffer.concat([code, renderTable(lines, distance - BigInt(code.length))]);
  };
}

const HEADER = 16;
const ROW = 20;
/** As in prelude.c. */
const ONLY_WHERE_NO_TERMINAL = 1;

/** The table of prelude.c. The command lines stand together, so that the search through them touches few pages. */
export function renderTable(lines: readonly FrozenLine[], entry: bigint): Buffer {
  const start = HEADER + lines.length * ROW;
  const { places, bytes } = layOut([...lines.map(tokensOf), ...lines.map(({ text }) => text)], start);
  const rows = lines.flatMap((line) => [
    ...(places.get(tokensOf(line)) ?? []),
    ...(places.get(line.text) ?? []),
    line.notOnTerminal ? ONLY_WHERE_NO_TERMINAL : 0,
  ]);
  const words = Uint32Array.from([lines.length, 0, ...rows]);
  return Buffer.concat([bytesOf(BigInt64Array.of(entry)), bytesOf(words), bytes]);
}

const tokensOf = ({ argv }: FrozenLine) => argv.map((token) => `${token}\0`).join("");
const bytesOf = ({ buffer }: { buffer: ArrayBuffer }) => new Uint8Array(buffer);

/** Puts texts one behind the other, each once, and tells where and how long each is. */
function layOut(texts: readonly string[], start: number) {
  const places = new Map<string, [offset: number, size: number]>();
  const pieces: Buffer[] = [];
  let end = start;
  for (const text of new Set(texts)) {
    const piece = Buffer.from(text);
    places.set(text, [end, piece.length]);
    pieces.push(piece);
    end += piece.length;
  }
  return { places, bytes: Buffer.concat(pieces) };
}

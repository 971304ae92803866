import { createHash } from "node:crypto";
import { basename, dirname } from "node:path";

type Names = ReadonlyMap<string, string>;
type File = { name: string; text: string };

/**
 * Names chunks by what is in them, and returns all texts by the names of their files. esbuild's own names depend on where
 * packages and `cfa` are, and end up in the executable.
 */
export function nameChunks(files: readonly File[]): Map<string, string> {
  const chunks = new Map<string, string>();
  for (const { name, text } of files) {
    const [chunk] = CHUNK.exec(basename(name)) ?? [];
    if (chunk) chunks.set(chunk, text);
  }
  const names = distinct(namesOf(chunks));
  return new Map(files.map(({ name, text }) => [renameIn(dirname(name), basename(name), names), rename(text, names)]));
}

const renameIn = (folder: string, name: string, names: Names) =>
  folder === "." ? rename(name, names) : `${folder}/${rename(name, names)}`;
const CHUNK = /^chunk-[A-Z0-9]{8}(?=\.js$)/;
const CHUNKS = /\bchunk-[A-Z0-9]{8}\b/g;

const rename = (text: string, names: Names) => text.replace(CHUNKS, (name) => names.get(name) ?? name);

/** Chunks that differ only in what they import differ in the names of that: as long as it tells more of them apart, again. */
function namesOf(chunks: ReadonlyMap<string, string>): Names {
  const count = (names: Names) => new Set(names.values()).size;
  let names: Names = new Map([...chunks.keys()].map((name) => [name, "chunk"]));
  for (let before = 0; count(names) > before; ) {
    before = count(names);
    names = new Map([...chunks].map(([name, text]) => [name, hash(rename(text, names))]));
  }
  return names;
}

/** What nothing tells apart is still two modules. */
function distinct(names: Names): Names {
  const given = new Map<string, number>();
  return new Map(
    [...names].map(([name, hash]) => {
      const before = given.get(hash) ?? 0;
      given.set(hash, before + 1);
      return [name, before === 0 ? `chunk-${hash}` : `chunk-${hash}-${before + 1}`];
    }),
  );
}

const hash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 8).toUpperCase();

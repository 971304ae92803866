import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { OutputFile } from "esbuild";

type Names = ReadonlyMap<string, string>;

/**
 * Names chunks by what is in them, and returns all files by their names. esbuild's own names depend on the way from the
 * project to its packages and to `cfa`, and end up in the executable.
 */
export function nameChunks(files: readonly Pick<OutputFile, "path" | "text">[]): Map<string, string> {
  const chunks = new Map<string, string>();
  for (const { path, text } of files) {
    const [name] = CHUNK.exec(basename(path)) ?? [];
    if (name) chunks.set(name, text);
  }
  const names = distinct(namesOf(chunks));
  const inFile = (path: string, text: string) => (path.endsWith(".map") ? text : rename(text, names));
  return new Map(files.map(({ path, text }) => [rename(basename(path), names), inFile(path, text)]));
}

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

import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { OutputFile } from "esbuild";

/**
 * Names chunks by what is in them, and returns all files by their names. esbuild's own names depend on the way from the
 * project to its packages and to `cfa`, and end up in the executable.
 */
export function nameChunks(files: readonly Pick<OutputFile, "path" | "text">[]): Map<string, string> {
  const names = new Map(
    files.flatMap(({ path, text }) => {
      const [name] = CHUNK.exec(basename(path)) ?? [];
      return name && !path.endsWith(".map") ? [[name, nameOf(text)] as const] : [];
    }),
  );
  const renamed = (text: string) => text.replace(CHUNKS, (name) => names.get(name) ?? name);
  return new Map(
    files.map(({ path, text }) => [renamed(basename(path)), path.endsWith(".map") ? text : renamed(text)]),
  );
}

const CHUNK = /^chunk-[A-Z0-9]{8}/;
const CHUNKS = /\bchunk-[A-Z0-9]{8}\b/g;

function nameOf(text: string): string {
  const hash = createHash("sha256").update(text.replace(CHUNKS, "chunk"));
  return `chunk-${hash.digest("hex").slice(0, 8).toUpperCase()}`;
}

import type { Metafile } from "esbuild";
import { applied, type Edit } from "../rewrite/edits.ts";
import { movedBy } from "./mappings.ts";

export type File = { path: string; text: string };

/**
 * esbuild names the modules of a bundle: in a comment before each, and where one is loaded late. For those outside the project
 * that is the way there, which is another one on another machine, and in the executable would tell about this one.
 */
export function withoutPlaces(files: readonly File[], { inputs }: Metafile): File[] {
  const sources = new Map(files.map((file) => [`${file.path}.map`, { ...file, edits: editsIn(file.text, inputs) }]));
  return files.map(({ path, text }) => {
    const source = sources.get(path);
    if (!source) return { path, text: applied(text, sources.get(`${path}.map`)?.edits ?? []) };
    const map = JSON.parse(text) as { mappings: string };
    return { path, text: JSON.stringify({ ...map, mappings: movedBy(source.edits, source.text, map.mappings) }) };
  });
}

/** What is in front of a name, and the name. */
const COMMENT = /^(?<before>\/\/ )(?<name>\.\.\/.+)$/gm;
const KEY = /(?<before>\b__(?:esm|commonJS)\w*\(\{\s*)"(?<name>[^"\n]*\.\.\/[^"\n]+)"(?=\()/g;

function editsIn(text: string, inputs: Metafile["inputs"]): Edit[] {
  return [COMMENT, KEY].flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(({ 0: whole, index, groups: { before = "", name = "" } = {} }) =>
      Object.hasOwn(inputs, name)
        ? [{ at: index + before.length, end: index + whole.length, text: pattern === KEY ? keyOf(name) : "" }]
        : [],
    ),
  );
}

/** A file of a package by its place in that, another one by its name. */
const keyOf = (name: string) => JSON.stringify(/(?:.*\bnode_modules\/|.*\/)(.+)$/.exec(name)?.[1] ?? name);

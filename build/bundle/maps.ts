import { relative, resolve, sep } from "node:path";
import type { SourceMap, SourceMaps } from "../../src/frames.ts";
import { runtime } from "../runtime.ts";
import type { File } from "./places.ts";

/**
 * The files of a bundle with source maps that lead to the author's files only, by names that do not tell where this machine
 * keeps them. Their sources are named as seen from `outdir`.
 */
export function withLeanMaps(files: readonly File[], outdir: string, root: string): File[] {
  return files.map(({ path, text }) => {
    if (!path.endsWith(".map")) return { path, text };
    const { sources, mappings } = JSON.parse(text) as { sources: string[]; mappings: string };
    const names = sources.map((source) => (OURS.test(source) ? null : nameOf(resolve(outdir, source), root)));
    return { path, text: JSON.stringify(lean(names, mappings)) };
  });
}

/** The source maps among files that are known by their names. */
export function mapsIn(files: ReadonlyMap<string, string>): SourceMaps {
  const maps = [...files].filter(([name]) => name.endsWith(MAP)).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(maps.map(([name, text]) => [name.slice(0, -MAP.length), JSON.parse(text) as SourceMap]));
}

const MAP = ".map";

/** A module that a build makes up. */
const OURS = /^cfa:/;

function lean(sources: (string | null)[], mappings: string): SourceMap {
  return sources.some((source) => source !== null) ? { sources, mappings } : { sources: [], mappings: "" };
}

/** A source as its author knows it; null for those of the framework and of Zod. */
function nameOf(path: string, root: string): string | null {
  const installed = path.split(`${sep}node_modules${sep}`).at(-1) as string;
  if (path.startsWith(runtime.folder) || (installed !== path && /^zod\b/.test(installed))) return null;
  if (installed !== path) return `node_modules/${installed}`;
  const fromRoot = relative(root, path);
  return fromRoot.startsWith("..") ? path.split(sep).slice(-2).join("/") : fromRoot.split(sep).join("/");
}

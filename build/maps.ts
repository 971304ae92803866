import { readdir, readFile } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import type { SourceMap, SourceMaps } from "../src/frames.ts";
import { runtime } from "./runtime.ts";

/**
 * Reads the source maps of a bundle in a folder, whose sources are named as seen from `outdir`, with names that do not tell
 * where this machine keeps things.
 */
export async function readMaps(folder: string, outdir: string, root: string): Promise<SourceMaps> {
  const maps: [string, SourceMap][] = [];
  for (const name of (await readdir(folder)).sort()) {
    if (!name.endsWith(".js.map")) continue;
    const { sources, mappings } = JSON.parse(await readFile(join(folder, name), "utf8")) as {
      sources: string[];
      mappings: string;
    };
    maps.push([
      name.slice(0, -".map".length),
      lean(
        sources.map((source) => (OURS.test(source) ? null : nameOf(resolve(outdir, source), root))),
        mappings,
      ),
    ]);
  }
  return Object.fromEntries(maps);
}

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

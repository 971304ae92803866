import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Module } from "./discover.ts";
import type { Links } from "./link.ts";

/**
 * The settings of TypeScript by the folders that they hold for, as the engine looks for them: those of a file are in the nearest
 * folder that has any. The whole folder has those of the tool, as where it is run.
 */
export function tsconfigsOf(
  modules: readonly Module[],
  { names, request }: Links,
): (readonly [file: string, text: string])[] {
  const own = nearest(dirname(request.entry));
  const configs = new Map<string, string>(own === undefined ? [] : [["tsconfig.json", own]]);
  for (const { path, isAuthors } of modules) {
    const config = isAuthors ? nearest(dirname(path)) : undefined;
    if (config === undefined) continue;
    const above = relative(dirname(config), path).split(/[\\/]/).length;
    const place = names.placed(path).split("/").slice(0, -above);
    configs.set([...(place.length > 0 ? place : ["app"]), "tsconfig.json"].join("/"), config);
  }
  return [...configs].map(([file, config]) => [file, render(config)] as const);
}

/** Paths have been resolved by now. */
const render = (config: string) => JSON.stringify({ extends: config, compilerOptions: { paths: {} } });

const memory = new Map<string, string | undefined>();

function nearest(folder: string): string | undefined {
  if (memory.has(folder)) return memory.get(folder);
  const own = ["tsconfig.json", "jsconfig.json"].map((name) => join(folder, name)).find((path) => existsSync(path));
  const above = dirname(folder);
  const found = own ?? (above === folder ? undefined : nearest(above));
  memory.set(folder, found);
  return found;
}

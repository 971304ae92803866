import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseJSONC } from "confbox";
import type { Module } from "./discover.ts";
import type { Links } from "./link.ts";
import { resolve } from "./resolve.ts";

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

/** The options of the compiler for the files of a folder, those that are extended among them. */
export function compilerOptionsFor(folder: string): Record<string, unknown> {
  const config = nearest(folder);
  return config === undefined ? {} : optionsIn(config);
}

function optionsIn(config: string, depth = 0): Record<string, unknown> {
  const { extends: extended = [], compilerOptions = {} } = read(config);
  const bases =
    depth < DEEPEST
      ? [extended]
          .flat()
          .map((base) => resolve(base.replace(/^(\.{0,2}\/.*?)(\.json)?$/, "$1.json"), config, "require"))
      : [];
  const inherited = bases.flatMap((base) => (base.to === "file" ? [optionsIn(base.path, depth + 1)] : []));
  return Object.assign({}, ...inherited, compilerOptions) as Record<string, unknown>;
}

/** A file may extend itself. */
const DEEPEST = 20;

type Config = { extends?: string | string[]; compilerOptions?: object };

function read(config: string): Config {
  try {
    return parseJSONC<Config>(readFileSync(config, "utf8")) ?? {};
  } catch {
    return {}; // which the engine says itself
  }
}

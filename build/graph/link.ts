import { relative, sep } from "node:path";
import type { Module, Target } from "./discover.ts";
import { between, type Names } from "./names.ts";
import type { Request } from "./request.ts";

/** The modules of a graph, and what they are called in the folder. */
export type Links = { request: Request; zod: string; byPath: ReadonlyMap<string, Module>; names: Names };

/** Where an ES module of the folder imports a target from; undefined where there is none. */
export function linkTo(target: Target, from: string, { zod, names }: Links): string | undefined {
  switch (target.to) {
    case "engine":
      return WRAPPED[target.name] ? between(from, WRAPPED[target.name] as string) : target.name;
    case "macro":
      return target.path; // the engine runs it while it compiles, and keeps what it returns
    case "runtime":
      return between(from, "index.js");
    case "lazy":
      return between(from, "framework.js");
    case "lazy zod":
      return between(from, lazyZodModule(target.path, zod));
    case "zod":
      return between(from, zodModule(target.path, zod));
    case "module":
      return between(from, names.named(target.path, "code").module);
    case "data":
      return between(from, names.named(target.path, kindOf(target.type)).module);
    case "nowhere":
      return undefined;
  }
}

/** Modules of the engine that would open an executable to the folder it runs in: named imports are bound before any hook. */
export const WRAPPED: Record<string, string> = {
  module: "module.js",
  "node:module": "module.js",
  worker_threads: "threads.js",
  "node:worker_threads": "threads.js",
};

export const kindOf = (type: string | undefined) => `data ${type ?? ""}`;

/** The module that has what is used of one of Zod's. */
export function zodModule(path: string, zod: string): string {
  return `zod/${zodName(path, zod)}.js`;
}

/** The module that loads one of Zod's when it is first asked. */
export const lazyZodModule = (path: string, zod: string) => `lazy-zod-${zodName(path, zod).replaceAll("/", "-")}.js`;

const zodName = (path: string, zod: string) =>
  relative(zod, path)
    .replaceAll(sep, "/")
    .replace(/\.m?js$/, "");

/** What an ES module imports from where, the engine's modules apart, by statements: each with the names that are asked for. */
export function statementsOf({ parsed, imports, isImported, format }: Module) {
  if (format !== "esm") return [];
  return parsed.imports
    .filter(({ specifier, type }) => type === "macro" || isImported(specifier))
    .map((statement) => ({ ...statement, target: imports(statement.specifier, statement.type) }));
}

/**
 * The modules of CommonJS that ES modules import which are imported from here. The engine runs them as soon as it has read
 * them, before all ES modules: those of one file after those of the files that import it.
 */
export function commonsFrom(start: Module, { byPath }: Links): string[] {
  const seen = new Set([start.path]);
  const commons = new Set<string>();
  for (const path of seen) {
    const module = byPath.get(path);
    if (!module) continue;
    if (module.format !== "esm") commons.add(path);
    for (const { target } of statementsOf(module)) if (target.to === "module") seen.add(target.path);
  }
  return [...commons];
}

/** Where `require` finds a target, as `src/commonjs` reads it. */
export function requiredAs(target: Target, links: Links): [module: string] | string | undefined {
  const { byPath, names, zod } = links;
  if (target.to === "nowhere" || target.to === "macro" || target.to === "lazy" || target.to === "lazy zod")
    return undefined;
  if (target.to === "engine") return target.name;
  if (target.to === "runtime") return "index.js";
  if (target.to === "zod") return zodModule(target.path, zod);
  if (target.to === "data" && isAddon(target)) return names.placed(target.path);
  if (target.to === "data") return `${names.named(target.path, kindOf(target.type)).module}#default`;
  return byPath.get(target.path)?.format === "esm"
    ? names.named(target.path, "code").module
    : [names.placed(target.path)];
}

/** Files that the executable holds as they are, since something asks the engine for them by their paths. */
export const isAddon = ({ path }: { path: string }) => path.endsWith(".node");

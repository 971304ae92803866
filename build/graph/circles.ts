import type { Module } from "./discover.ts";
import { statementsOf } from "./link.ts";

/**
 * The author's ES modules that import each other in a circle. There a constant can be read before it is made, which is an error in
 * the source; what the engine compiles has `var` for `const`.
 */
export function inCircles(modules: readonly Module[]): ReadonlySet<string> {
  const imported = new Map(
    modules.filter(({ isAuthors }) => isAuthors).map((module) => [module.path, importsOf(module)]),
  );
  const circles = [...imported.keys()].filter((path) => reaches(path, path, imported));
  return new Set(circles);
}

function importsOf(module: Module): string[] {
  return statementsOf(module).flatMap(({ target }) => (target.to === "module" ? [target.path] : []));
}

function reaches(from: string, to: string, imported: ReadonlyMap<string, readonly string[]>): boolean {
  const seen = new Set(imported.get(from));
  for (const path of seen) for (const next of imported.get(path) ?? []) seen.add(next);
  return seen.has(to);
}

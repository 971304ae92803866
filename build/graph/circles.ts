import type { Module } from "./discover.ts";
import { statementsOf } from "./link.ts";

/**
 * The ES modules that import each other in a circle with one of the author's. There a constant can be read before it is made,
 * which is an error in the source; what the engine compiles has `var` for `const`.
 */
export function inCircles(modules: readonly Module[]): ReadonlySet<string> {
  const imported = new Map(modules.map((module) => [module.path, importsOf(module)]));
  const reached = new Map<string, ReadonlySet<string>>();
  const from = (path: string): ReadonlySet<string> => {
    const known = reached.get(path) ?? reachedFrom(path, imported);
    reached.set(path, known);
    return known;
  };
  const circles = new Set<string>();
  for (const { path, isAuthors } of modules) {
    if (!isAuthors || circles.has(path) || !from(path).has(path)) continue;
    for (const other of from(path)) if (from(other).has(path)) circles.add(other);
  }
  return circles;
}

function importsOf(module: Module): string[] {
  return statementsOf(module).flatMap(({ target }) => (target.to === "module" ? [target.path] : []));
}

function reachedFrom(path: string, imported: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const seen = new Set(imported.get(path));
  for (const one of seen) for (const next of imported.get(one) ?? []) seen.add(next);
  return seen;
}

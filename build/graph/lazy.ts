import { makeLazy } from "../lazy/lazy.ts";
import type { Resolved } from "../lazy/modules.ts";
import { type Asking, type Module, moduleOf, targetsOf } from "./discover.ts";
import { nameIn } from "./where.ts";

/** The modules with the author's rewritten so that schemas are made when they are asked for, and why some are not. */
export function withLazy(modules: readonly Module[], asking: Asking): { modules: Module[]; notes: string[] } {
  const open = openedIn(modules);
  const authors = modules.filter(({ isAuthors, format }) => isAuthors && format === "esm");
  const { code, notes } = makeLazy(
    authors.map((module) => ({
      file: module.path,
      code: module.code,
      resolve: (specifier: string) => resolvedAs(module, specifier, modules),
      isOpen: open.has(module.path),
    })),
  );
  const rewritten = (module: Module): Module => {
    const text = code.get(module.path);
    if (text === undefined) return module;
    const { imports } = module;
    return { ...moduleOf(module.path, text, asking, imports), isAuthors: true, original: module.code };
  };
  return {
    modules: modules.map(rewritten),
    notes: notes.map(({ file, line, text }) => `${nameIn(file, asking.root)}:${line}: ${text}`),
  };
}

function resolvedAs(module: Module, specifier: string, modules: readonly Module[]): Resolved {
  const target = module.imports(specifier);
  if (target.to === "runtime") return { kind: "runtime" };
  if (target.to === "zod") return { kind: "zod", specifier };
  if (target.to !== "module") return { kind: "other" };
  const found = modules.find(({ path }) => path === target.path);
  return found?.isAuthors && found.format === "esm" ? { kind: "author", file: found.path } : { kind: "other" };
}

/** The modules whose exports somebody may read whom nobody has looked into. */
function openedIn(modules: readonly Module[]): ReadonlySet<string> {
  const open = modules.flatMap((module) => {
    const called = module.parsed.calls.flatMap(({ specifier, type }) =>
      specifier === undefined || module.format === "json" ? [] : [module.imports(specifier, type)],
    );
    const targets =
      module.isAuthors && module.format === "esm" ? [...module.requires.values(), ...called] : targetsOf(module);
    return targets.flatMap((target) => (target.to === "module" ? [target.path] : []));
  });
  return new Set(open);
}

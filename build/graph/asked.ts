import { usesOfZod } from "../lazy/uses.ts";
import type { Module } from "./discover.ts";
import { exportedNames } from "./exported.ts";
import { type Links, statementsOf } from "./link.ts";

/** What the ES modules of a graph ask of modules that are not theirs. */
export type Asked = {
  /** Modules of CommonJS, and the names that are imported from each. */
  commons: ReadonlyMap<string, ReadonlySet<string>>;
  /** Modules of Zod. */
  zod: ReadonlyMap<string, ReadonlySet<string> | "all">;
  /** Files that are no code. */
  data: readonly { path: string; type: string | undefined }[];
};

type Names = ReadonlySet<string> | "all";

export function askedOf(modules: readonly Module[], { byPath, request }: Links): Asked {
  const commons = new Map<string, Names>();
  const zod = new Map<string, Names>();
  const data = new Map<string, { path: string; type: string | undefined }>();
  for (const module of modules) {
    for (const [path, names] of zodIn(module)) zod.set(path, joined(zod.get(path), names));
    for (const { target, names } of usesOf(module)) {
      if (target.to === "data") data.set(`${target.type} ${target.path}`, target);
      if (target.to === "module" && byPath.get(target.path)?.format !== "esm")
        commons.set(target.path, joined(commons.get(target.path), names));
    }
  }
  const whole = [...commons].flatMap(([path, names]) => (names === "all" ? [path] : []));
  const known = exportedNames(whole, request.folder);
  const named = [...commons].map(
    ([path, names]) => [path, names === "all" ? new Set(known.get(path)) : names] as const,
  );
  return { commons: new Map(named), zod, data: [...data.values()] };
}

/** What a module asks of Zod, lazily or not; of a namespace that goes elsewhere all. */
function zodIn({
  path,
  code,
  original = code,
  format,
  imports,
  requires,
}: Module): (readonly [path: string, names: Names])[] {
  const required = [...requires.values()].flatMap((target) =>
    target.to === "zod" ? [[target.path, "all"] as const] : [],
  );
  if (format !== "esm" || !original.includes("zod")) return required;
  const pathOf = (specifier: string) => {
    const target = /^[a-z]|^\./.test(specifier) ? imports(specifier) : undefined;
    return target?.to === "zod" ? target.path : undefined;
  };
  const uses = usesOfZod(original, path, (specifier) => pathOf(specifier) !== undefined);
  return [...required, ...[...uses].map(([specifier, names]) => [pathOf(specifier) ?? "", names] as const)];
}

function usesOf(module: Module) {
  const calls = module.parsed.calls.flatMap(({ specifier, type }) =>
    specifier === undefined ? [] : [{ specifier, type }],
  );
  const dynamic =
    module.format === "json"
      ? []
      : calls.map(({ specifier, type }) => ({ target: module.imports(specifier, type), names: "all" as Names }));
  const required = [...module.requires.values()].flatMap((target) =>
    target.to === "data" && !target.path.endsWith(".node") ? [{ target, names: "all" as Names }] : [],
  );
  return [...statementsOf(module), ...dynamic, ...required];
}

const joined = (one: Names | undefined, other: Names): Names =>
  one === "all" || other === "all" ? "all" : new Set([...(one ?? []), ...other]);

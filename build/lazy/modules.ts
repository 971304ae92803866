import { type Binding, type Scopes, scopesOf } from "./scope.ts";
import { bare, child, list, maybe, type Node, nameOf, treeOf } from "./tree.ts";

/** What an import leads to: the author's own file, the project's Zod, the runtime, or what nobody has looked into. */
export type Resolved =
  | { kind: "author"; file: string }
  | { kind: "zod"; specifier: string }
  | { kind: "runtime" }
  | { kind: "other" };

/** An ES module of the author's, before anything else touches it. `isOpen`: somebody unseen may read its exports. */
export type AuthorModule = {
  file: string;
  code: string;
  resolve: (specifier: string) => Resolved;
  isOpen: boolean;
};

export type Read = AuthorModule & Scopes & { program: Node; isWatched: boolean };

/** What a name comes from in the end; `name` is `*` for a namespace. */
export type Origin =
  | { from: "zod"; specifier: string; name: string }
  | { from: "runtime"; name: string }
  | { from: "author"; binding: Binding; module: Read }
  | { from: "namespace"; module: Read }
  | { from: "unknown" };

const UNKNOWN: Origin = { from: "unknown" };

/** The author's modules with their names followed through imports and exports. */
export class Modules {
  readonly all: ReadonlyMap<string, Read>;
  /** Uses of a declaration in other modules. */
  readonly #importers = new Map<Binding, Binding[]>();

  constructor(modules: readonly AuthorModule[]) {
    const read = modules.flatMap((module): [string, Read][] => {
      const program = treeOf(module.code, module.file);
      return program
        ? [[module.file, { ...module, ...scopesOf(program, module.file), program, isWatched: module.isOpen }]]
        : [];
    });
    this.all = new Map(read);
    for (const module of this.all.values()) this.#link(module);
  }

  /** The imports of a declaration elsewhere. */
  importersOf(binding: Binding): readonly Binding[] {
    return this.#importers.get(binding) ?? [];
  }

  moduleOf(file: string): Read {
    return this.all.get(file) as Read;
  }

  /** What a name of a module is. */
  originOf(binding: Binding, module: Read): Origin {
    if (binding.kind !== "import") return { from: "author", binding, module };
    const declaration = binding.above.at(-1) as Node;
    const name =
      binding.node.type === "ImportSpecifier"
        ? nameOf(child(binding.node, "imported"))
        : binding.node.type === "ImportNamespaceSpecifier"
          ? "*"
          : "default";
    return this.#imported(module, String(child(declaration, "source")["value"]), name, 0);
  }

  /** Whether somebody may read a declaration whom nobody has looked into. */
  isExposed(binding: Binding, module: Read): boolean {
    if (!binding.isTop || !module.isWatched) return false;
    return (
      [...binding.above, binding.node].some(({ type }) => type.startsWith("Export")) ||
      binding.refs.some(
        ({ above }) =>
          above.some(({ type }) => type.startsWith("Export") && type !== "ExportNamedDeclaration") ||
          above.at(-1)?.type === "ExportSpecifier",
      )
    );
  }

  exportOf(module: Read, name: string, depth = 0): Origin {
    if (depth > 20) return UNKNOWN;
    const stars: string[] = [];
    for (const node of list(module.program, "body")) {
      const source = maybe(node, "source")?.["value"];
      if (node.type === "ExportAllDeclaration" && typeof source === "string") {
        const exported = maybe(node, "exported");
        if (!exported) stars.push(source);
        else if (nameOf(exported) === name) return this.#imported(module, source, "*", depth);
      }
      if (node.type === "ExportDefaultDeclaration" && name === "default") {
        const value = bare(child(node, "declaration"));
        const binding = value.type === "Identifier" ? module.of.get(value) : undefined;
        return binding ? this.originOf(binding, module) : UNKNOWN;
      }
      if (node.type !== "ExportNamedDeclaration") continue;
      const declared = maybe(node, "declaration") ? module.top.get(name) : undefined;
      if (declared?.above.includes(node) || (declared && declared.node === node["declaration"]))
        return { from: "author", binding: declared as Binding, module };
      for (const specifier of list(node, "specifiers")) {
        if (nameOf(child(specifier, "exported")) !== name) continue;
        const local = nameOf(child(specifier, "local"));
        if (typeof source === "string") return this.#imported(module, source, local, depth);
        const binding = module.top.get(local);
        return binding ? this.originOf(binding, module) : UNKNOWN;
      }
    }
    if (name === "default") return UNKNOWN;
    const found = stars
      .map((star) => this.#imported(module, star, name, depth))
      .filter(({ from }) => from !== "unknown");
    return found.length === 1 && stars.every((star) => module.resolve(star).kind === "author")
      ? (found[0] as Origin)
      : UNKNOWN;
  }

  #imported(module: Read, specifier: string, name: string, depth: number): Origin {
    const to = module.resolve(specifier);
    if (to.kind === "zod") return { from: "zod", specifier: to.specifier, name };
    if (to.kind === "runtime") return { from: "runtime", name };
    const next = to.kind === "author" ? this.all.get(to.file) : undefined;
    if (!next) return UNKNOWN;
    return name === "*" ? { from: "namespace", module: next } : this.exportOf(next, name, depth + 1);
  }

  #link(module: Read): void {
    for (const node of list(module.program, "body")) {
      const source = maybe(node, "source")?.["value"];
      if (node.type !== "ExportAllDeclaration" || typeof source !== "string") continue;
      const origin = this.#imported(module, source, "*", 0); // who sees this module sees that one
      if (origin.from === "namespace" && (module.isOpen || maybe(node, "exported"))) origin.module.isWatched = true;
    }
    for (const binding of module.top.values()) {
      if (binding.kind !== "import") continue;
      const origin = this.originOf(binding, module);
      if (origin.from === "namespace") origin.module.isWatched = true;
      if (origin.from === "author")
        this.#importers.set(origin.binding, [...(this.#importers.get(origin.binding) ?? []), binding]);
    }
    if (!module.isOpen) return;
    for (const node of list(module.program, "body"))
      if (node.type === "ExportNamedDeclaration" && typeof maybe(node, "source")?.["value"] === "string") {
        const to = module.resolve(String(child(node, "source")["value"]));
        const next = to.kind === "author" ? this.all.get(to.file) : undefined;
        if (next) next.isWatched = true;
      }
  }
}

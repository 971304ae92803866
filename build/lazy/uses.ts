import { scopesOf } from "./scope.ts";
import { child, keyOf, list, maybe, type Node, nameOf, treeOf } from "./tree.ts";

export type Uses = ReadonlyMap<string, ReadonlySet<string> | "all">;

/** The exports of Zod that an ES module asks for, by the specifier of Zod; all of them where a namespace goes elsewhere. */
export function usesOfZod(code: string, file: string, isZod: (specifier: string) => boolean): Uses {
  const program = treeOf(code, file);
  const uses = new Map<string, Set<string> | "all">();
  if (!program) return uses;
  const { declaredAt } = scopesOf(program, file);
  const add = (specifier: string, names: readonly string[] | "all") => {
    const known = uses.get(specifier) ?? new Set();
    uses.set(specifier, known === "all" || names === "all" ? "all" : new Set([...known, ...names]));
  };
  for (const node of list(program, "body")) {
    const specifier = String(maybe(node, "source")?.["value"]);
    if (!maybe(node, "source") || !isZod(specifier) || [node["importKind"], node["exportKind"]].includes("type"))
      continue;
    if (node.type === "ExportAllDeclaration") add(specifier, "all");
    if (node.type === "ExportNamedDeclaration") {
      const names = list(node, "specifiers").map((one) => nameOf(child(one, "local")));
      add(specifier, names.some(isNamespace) ? "all" : names);
    }
    if (node.type !== "ImportDeclaration") continue;
    for (const one of list(node, "specifiers")) {
      if (one["importKind"] === "type") continue;
      const imported = one.type === "ImportSpecifier" ? nameOf(child(one, "imported")) : "default";
      const refs = declaredAt.get(child(one, "local"))?.refs ?? [];
      if (!isNamespace(imported)) add(specifier, refs.length > 0 ? [imported] : []);
      else add(specifier, membersOf(refs));
    }
  }
  visitImports(program, (source) => isZod(source) && add(source, "all"));
  return uses;
}

/** Zod exports itself as `z` and as its default. */
const isNamespace = (name: string) => name === "z" || name === "default";

function membersOf(refs: readonly { node: Node; above: readonly Node[] }[]): string[] | "all" {
  const members = refs.map(({ node, above }) => {
    const parent = above.at(-1) as Node;
    return parent.type === "MemberExpression" && parent["object"] === node ? keyOf(parent, "property") : undefined;
  });
  return members.every((member) => member !== undefined) ? members : "all";
}

function visitImports(node: Node, seen: (specifier: string) => void): void {
  if (node.type === "ImportExpression") seen(String(child(node, "source")["value"]));
  for (const value of Object.values(node).flat())
    if (typeof value === "object" && value !== null && "type" in value) visitImports(value as Node, seen);
}

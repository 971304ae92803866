import { visitorKeys } from "oxc-parser";

/** A node of a syntax tree, of any type. */
export type Node = { type: string; start: number; end: number } & Record<string, unknown>;

/** Calls `visit` with every node, parents first, and what they stand in. */
export function walk(root: unknown, visit: (node: Node, parent: Node | undefined) => void): void {
  const pending: [node: Node, parent: Node | undefined][] = [[root as Node, undefined]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [node, parent] = next;
    visit(node, parent);
    const keys = visitorKeys[node.type] ?? [];
    for (let at = keys.length - 1; at >= 0; at--) {
      const value = node[keys[at] as string];
      if (!Array.isArray(value)) isNode(value) && pending.push([value, node]);
      else
        for (let index = value.length - 1; index >= 0; index--)
          isNode(value[index]) && pending.push([value[index], node]);
    }
  }
}

export function childrenOf(node: Node): Node[] {
  return (visitorKeys[node.type] ?? []).flatMap((key) => {
    const value = node[key];
    return (Array.isArray(value) ? value : [value]).filter(isNode);
  });
}

export const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;

/** The text of a string, or of a template without expressions. */
export function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === "Literal") return typeof node["value"] === "string" ? node["value"] : undefined;
  const { quasis } = node as { quasis?: { value: { cooked?: string } }[] };
  return node.type === "TemplateLiteral" && quasis?.length === 1 ? quasis[0]?.value.cooked : undefined;
}

/** `a.b.c` for a name or a chain of members by their names; `import.meta` too. */
export function pathOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === "Identifier") return String(node["name"]);
  if (node.type === "MetaProperty") return "import.meta";
  if (node.type === "ChainExpression") return pathOf(node["expression"]);
  if (node.type !== "MemberExpression") return undefined;
  const object = pathOf(node["object"]);
  const property = node["computed"] ? textOf(node["property"]) : pathOf(node["property"]);
  return object === undefined || property === undefined ? undefined : `${object}.${property}`;
}

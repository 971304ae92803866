import { childrenOf, isNode, type Node } from "../graph/tree.ts";

/** The names that a function, or the whole of a source, declares; those of blocks count for all of it. */
export type Scope = {
  has: (name: string) => boolean;
  /** Whether it is a parameter of the innermost function, which has one value with its `arguments`. */
  follows: (name: string) => boolean;
};

/** The scope that begins with a node; undefined where none does. */
export function scopeOf(node: Node, outer: Scope | undefined): Scope | undefined {
  const isArrow = node.type === "ArrowFunctionExpression";
  if (node.type !== "Program" && !isArrow && !/^Function(Declaration|Expression)$/.test(node.type)) return undefined;
  const parameters = node.type === "Program" ? [] : listOf(node["params"]);
  const names = new Set([...parameters, node["id"]].flatMap(namesIn));
  const seen = { arguments: false };
  collect(node, names, seen, true);
  const isSimple = !isArrow && seen.arguments && parameters.every(({ type }) => type === "Identifier");
  const followed = new Set(isSimple ? parameters.flatMap(namesIn) : []);
  return {
    has: (name) => names.has(name) || (outer ? outer.has(name) : GLOBALS.has(name)),
    follows: (name) => followed.has(name) || (isArrow && outer?.follows(name) === true),
  };
}

/** Those that assigning to makes, or leaves, as it is in either mode. */
const GLOBALS = new Set([
  ..."exports require module __filename __dirname".split(" "),
  ...Object.getOwnPropertyNames(globalThis),
]);

function collect(node: Node, names: Set<string>, seen: { arguments: boolean }, isRoot = false): void {
  if (node.type === "Identifier" && node["name"] === "arguments") seen.arguments = true;
  if (!isRoot && /^Class|^FunctionDeclaration/.test(node.type)) for (const name of namesIn(node["id"])) names.add(name);
  if (!isRoot && /^Function(Declaration|Expression)$/.test(node.type)) return;
  if (node.type === "VariableDeclarator") for (const name of namesIn(node["id"])) names.add(name);
  if (node.type === "CatchClause") for (const name of namesIn(node["param"])) names.add(name);
  for (const child of childrenOf(node)) collect(child, names, seen);
}

/** The names that a pattern binds, or assigns; a member binds none. */
export function namesIn(pattern: unknown): string[] {
  if (!isNode(pattern)) return [];
  switch (pattern.type) {
    case "Identifier":
      return [String(pattern["name"])];
    case "AssignmentPattern":
      return namesIn(pattern["left"]);
    case "RestElement":
      return namesIn(pattern["argument"]);
    case "ArrayPattern":
      return listOf(pattern["elements"]).flatMap(namesIn);
    case "ObjectPattern":
      return listOf(pattern["properties"]).flatMap((property) => namesIn(property["value"] ?? property));
    default:
      return [];
  }
}

const listOf = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

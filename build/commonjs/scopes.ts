import { childrenOf, isNode, type Node } from "../graph/tree.ts";

/** A function, or the whole of a source, and what stands in it; what is said of names that it does not declare goes to the outer one. */
export type Scope = {
  node: Node;
  outer: Scope | undefined;
  /** What it declares; names of blocks count for all of it. */
  names: Map<string, "function" | "self" | "parameter" | "other">;
  uses: Use[];
  /** The places in its `arguments` that are looked at. */
  looked: Set<number | "all">;
  /** The functions that its blocks declare, with the blocks. */
  inBlocks: { declared: Node; block: Node }[];
};

/** What happens to a name or to a member of what it stands for, in which scope. */
export type Use = { name: string; member: string | undefined; is: "assigned" | "fixed"; node: Node; scope: Scope };

export function scopeOf(node: Node, outer: Scope | undefined): Scope {
  const names: Scope["names"] = new Map();
  if (node.type === "FunctionExpression") for (const name of namesIn(node["id"])) names.set(name, "self");
  for (const parameter of parametersOf(node)) for (const name of namesIn(parameter)) names.set(name, "parameter");
  return { node, outer, names, uses: [], looked: new Set(), inBlocks: [] };
}

export const parametersOf = ({ params }: Node): Node[] => listOf(params);

export const isFunction = ({ type }: Node) => type === "FunctionDeclaration" || type === "FunctionExpression";

/** The names of simple parameters in their order, which have one value with the function's `arguments`. */
export function followed({ node }: Scope): string[] {
  const parameters = isFunction(node) ? parametersOf(node) : [];
  return parameters.every(({ type }) => type === "Identifier") ? parameters.flatMap(namesIn) : [];
}

/** The function whose `arguments` are those of a scope. */
export function ownerOf(scope: Scope): Scope {
  return scope.node.type === "ArrowFunctionExpression" && scope.outer ? ownerOf(scope.outer) : scope;
}

/** Whether a name is spoken of outside of the blocks that declare it. */
export function isUsed(name: string, node: Node, isRoot = true): boolean {
  if (node.type === "Identifier") return node["name"] === name;
  if (!isRoot && declares(name, node)) return false;
  const skipped = node["computed"] ? undefined : (NAMED[node.type] ?? undefined);
  return childrenOf(node).some((child) => {
    if (skipped !== undefined && child === node[skipped] && node["shorthand"] !== true) return false;
    if (child === node["id"]) return false;
    return isUsed(name, child, false);
  });
}

/** Where a name stands that is no reference. */
const NAMED: Record<string, string> = {
  MemberExpression: "property",
  Property: "key",
  MethodDefinition: "key",
  PropertyDefinition: "key",
  LabeledStatement: "label",
  BreakStatement: "label",
  ContinueStatement: "label",
};

function declares(name: string, node: Node): boolean {
  if (isFunction(node) || node.type === "ArrowFunctionExpression")
    return [...parametersOf(node), node["id"]].flatMap(namesIn).includes(name) || declaresWithin(name, node);
  if (node.type === "CatchClause") return namesIn(node["param"]).includes(name);
  const statements = node.type === "SwitchStatement" ? listOf(node["cases"]).flatMap(childrenOf) : childrenOf(node);
  return statements.some(
    (one) =>
      (/^(Function|Class)Declaration$/.test(one.type) && one !== node && namesIn(one["id"]).includes(name)) ||
      (one.type === "VariableDeclaration" && one["kind"] !== "var" && declaredIn(one).includes(name)),
  );
}

function declaresWithin(name: string, node: Node): boolean {
  return childrenOf(node).some((child) => {
    if (child.type === "VariableDeclaration" && declaredIn(child).includes(name)) return true;
    if (child.type === "FunctionDeclaration" && namesIn(child["id"]).includes(name)) return true;
    return !isFunction(child) && declaresWithin(name, child);
  });
}

const declaredIn = (node: Node) => listOf(node["declarations"]).flatMap(({ id }) => namesIn(id));

/** The names that a pattern binds, or assigns; a member binds none. */
export function namesIn(pattern: unknown): string[] {
  return targetsIn(pattern).flatMap(({ type, name }) => (type === "Identifier" ? [String(name)] : []));
}

/** The names and members that a pattern assigns. */
export function targetsIn(pattern: unknown): Node[] {
  if (!isNode(pattern)) return [];
  switch (pattern.type) {
    case "Identifier":
    case "MemberExpression":
      return [pattern];
    case "AssignmentPattern":
      return targetsIn(pattern["left"]);
    case "RestElement":
      return targetsIn(pattern["argument"]);
    case "ParenthesizedExpression":
      return targetsIn(pattern["expression"]);
    case "ArrayPattern":
      return listOf(pattern["elements"]).flatMap(targetsIn);
    case "ObjectPattern":
      return listOf(pattern["properties"]).flatMap((property) => targetsIn(property["value"] ?? property));
    default:
      return [];
  }
}

export const listOf = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

import { parseSync } from "oxc-parser";

/** A node of the syntax tree, of any type; types of TypeScript are never looked into. */
export type Node = { type: string; start: number; end: number; [field: string]: unknown };

/** The tree of a module; undefined where it cannot be read. */
export function treeOf(code: string, file: string): Node | undefined {
  const lang = /\.[cm]?js$/.test(file) ? "jsx" : /\.tsx$/.test(file) ? "tsx" : /\.jsx$/.test(file) ? "jsx" : "ts";
  const { program, errors } = parseSync(file, code, { lang, sourceType: "module" });
  return errors.some(({ severity }) => severity === "Error") ? undefined : (program as unknown as Node);
}

export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";

export const child = (node: Node, field: string): Node => node[field] as Node;
export const maybe = (node: Node, field: string): Node | undefined =>
  isNode(node[field]) ? (node[field] as Node) : undefined;
export const list = (node: Node, field: string): Node[] => (node[field] as (Node | null)[]).filter(isNode);
export const nameOf = (node: Node): string => String(node.type === "Literal" ? node["value"] : node["name"]);

/** The nodes right below, but for types. */
export function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isNode)
    .filter(({ type }) => !isType(type));
}

const isType = (type: string) => type.startsWith("TS") && !VALUES.has(type);
const VALUES = new Set([
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSNonNullExpression",
  "TSTypeAssertion",
  "TSInstantiationExpression",
  "TSEnumDeclaration",
  "TSEnumBody",
  "TSEnumMember",
  "TSParameterProperty",
  "TSExportAssignment",
  "TSModuleDeclaration",
  "TSModuleBlock",
]);

const WRAPPERS = new Set([
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSNonNullExpression",
  "TSTypeAssertion",
  "TSInstantiationExpression",
  "ParenthesizedExpression",
  "ChainExpression",
]);
export const isWrapper = ({ type }: Node) => WRAPPERS.has(type);

/** What stands inside of brackets, `as`, `satisfies` and `!`. */
export const bare = (node: Node): Node => (isWrapper(node) ? bare(child(node, "expression")) : node);

export const isFunction = ({ type }: Node) =>
  type === "ArrowFunctionExpression" || type === "FunctionExpression" || type === "FunctionDeclaration";

/** The name of a key or of a member that is written out; undefined for one that is worked out. */
export function keyOf(node: Node, field: "key" | "property"): string | undefined {
  const key = child(node, field);
  if (!node["computed"] || (key.type === "Literal" && typeof key["value"] === "string")) return nameOf(key);
  return undefined;
}

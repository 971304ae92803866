import { isNode, type Node, pathOf, textOf, walk } from "../graph/tree.ts";

/** Whether a program may make code of text, in which no build sees what is imported. It may also only look like it. */
export function mayEvaluate(program: unknown): boolean {
  let found = false;
  walk(program, (node, parent) => {
    found ||= node.type === "Identifier" ? isMaker(node, parent) : isConstructor(node, parent);
  });
  return found;
}

/** The name of what makes code, where it is no key of something else. */
function isMaker({ name, start }: Node, parent: Node | undefined): boolean {
  if (name === "eval" || name === "ShadowRealm") return !isKey(start, parent) || parent?.type === "MemberExpression";
  if (name !== "Function" || (isKey(start, parent) && parent?.type !== "MemberExpression")) return false;
  if (parent?.type === "MemberExpression" && (parent["object"] as Node).start === start) return false; // Function.prototype
  if (parent?.type === "BinaryExpression") return false; // `instanceof`
  const [given, more] = (parent?.["arguments"] ?? []) as Node[];
  return !(more === undefined && textOf(given) === "return this"); // an old name of globalThis
}

const isKey = (start: number, parent: Node | undefined) => {
  const key = parent?.["key"] ?? parent?.["property"];
  return isNode(key) && key.start === start && parent?.["computed"] !== true && parent?.["shorthand"] !== true;
};

/** AsyncFunction has no other name than that of the constructor of one. */
function isConstructor(node: Node, parent: Node | undefined): boolean {
  if (node.type !== "MemberExpression") return false;
  const name = node["computed"] ? textOf(node["property"]) : pathOf(node["property"]);
  if (node["computed"] && /^(eval|Function|ShadowRealm)$/.test(name ?? "")) return true;
  if (name !== "constructor") return false;
  const isCompared = parent?.type === "BinaryExpression";
  return !isCompared && !(parent?.type === "MemberExpression" && parent["object"] === node);
}

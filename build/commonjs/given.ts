import { isNode, pathOf, textOf } from "../graph/tree.ts";

/** Whether a test asks for what every module of CommonJS has: `typeof globalThis !== "undefined"`, in the ways of wrappers. */
export function isGiven(test: unknown): boolean {
  if (!isNode(test)) return false;
  const { type, operator, left, right, expression } = test;
  if (type === "ParenthesizedExpression") return isGiven(expression);
  if (type === "LogicalExpression") return operator === "&&" && isGiven(left) && isGiven(right);
  if (type !== "BinaryExpression") return false;
  return isNode(left) && left.type === "UnaryExpression"
    ? isDefined(left, String(operator), right)
    : isDefined(right, MIRRORED[String(operator)] ?? String(operator), left);
}

const MIRRORED: Record<string, string> = { ">": "<", "<": ">" };

/** A comparison of a type with a word; `< "u"` is that of minifiers with "undefined". */
function isDefined(type: unknown, operator: string, word: unknown): boolean {
  if (!isNode(type) || type["operator"] !== "typeof") return false;
  if (!/^(globalThis|global|self|module|exports)$/.test(pathOf(type["argument"]) ?? "")) return false;
  const text = textOf(word);
  if (operator === "==" || operator === "===") return text === "object";
  return /^!==?$/.test(operator) ? text === "undefined" : operator === "<" && text === "u";
}

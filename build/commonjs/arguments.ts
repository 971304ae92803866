import { isNode, type Node, pathOf } from "../graph/tree.ts";
import { followed, listOf, ownerOf, type Scope } from "./scopes.ts";

/** The place that `arguments` is looked at in, "all" where it is handed on; its length follows nothing. */
export function argumentsLooked(node: Node, parent: Node): (number | "all")[] {
  if (parent.type !== "MemberExpression" || parent["object"] !== node) {
    const isKey = parent["property"] === node || parent["key"] === node;
    return isKey && !parent["computed"] ? [] : ["all"];
  }
  const { property, computed } = parent as unknown as { property: Node; computed: boolean };
  if (!computed) return [];
  return typeof property["value"] === "number" ? [property["value"]] : ["all"];
}

/** What changes the `arguments` of a function with parameters, which follow them. */
export function changesArguments(node: Node, scope: Scope): string | undefined {
  const parameters = followed(ownerOf(scope));
  if (parameters.length === 0) return undefined;
  const target = node["left"] ?? node["argument"];
  if (isNode(target) && target.type === "MemberExpression" && pathOf(target["object"]) === "arguments") {
    const place = (target["property"] as Node)["value"];
    return typeof place === "number" && place >= parameters.length ? undefined : "`arguments` is assigned to";
  }
  const [first] = listOf(node["arguments"]);
  const isChanged = pathOf(first) === "arguments" && CHANGING.test(methodOf(node["callee"]));
  return isChanged ? "`arguments` is changed" : undefined;
}

/** `shift.call` of `[].shift.call`, too. */
function methodOf(callee: unknown): string {
  if (!isNode(callee) || callee.type !== "MemberExpression") return "";
  const { object, property } = callee as unknown as { object: Node; property: Node };
  return `${pathOf(object.type === "MemberExpression" ? object["property"] : object)}.${pathOf(property)}`;
}

const CHANGING = /\b(shift|unshift|pop|push|splice|reverse|sort|fill|copyWithin)\.call$/;

import { isNode, type Node, pathOf, textOf } from "../graph/tree.ts";
import { listOf, type Scope, type Use } from "./scopes.ts";

/** What a node makes read-only: a whole object, its member "*", or one member. */
export function fixedIn(node: Node, scope: Scope): Use[] {
  const fix = (path: string | undefined, member = "*"): Use[] => {
    const [name, ...members] = path?.split(".") ?? [];
    return name === undefined ? [] : [{ name, member: [...members, member].join("."), is: "fixed", node, scope }];
  };
  if (node.type === "CallExpression") {
    const object = pathOf(listOf(node["arguments"])[0]);
    return fixedBy(node).flatMap((member) => fix(object, member));
  }
  const [target, value] =
    node.type === "VariableDeclarator" ? [node["id"], node["init"]] : [node["left"], node["right"]];
  if (!isNode(value)) return [];
  if (value.type === "CallExpression") return fixedBy(value).flatMap((member) => fix(pathOf(target), member));
  if (value.type !== "ObjectExpression") return [];
  return gettersOf(value).flatMap((name) => fix(pathOf(target), name));
}

/** What a call makes read-only of the object that it is given and returns. */
function fixedBy(call: Node): string[] {
  const called = pathOf(call["callee"]);
  if (called === "Object.freeze") return ["*"];
  const [object, key, descriptor] = listOf(call["arguments"]);
  const name = textOf(key);
  const isNew = object?.type === "ObjectExpression" && listOf(object["properties"]).length === 0;
  return called === "Object.defineProperty" && name !== undefined && isReadOnly(descriptor, isNew) ? [name] : [];
}

/** A descriptor that is written out and allows no assignment. */
function isReadOnly(descriptor: Node | undefined, isNew: boolean): boolean {
  if (descriptor?.type !== "ObjectExpression") return false;
  const properties = listOf(descriptor["properties"]);
  if (properties.some(({ type, computed }) => type !== "Property" || computed)) return false;
  const value = (name: string) => properties.find(({ key }) => nameOf(key) === name)?.["value"];
  const writable = value("writable");
  if (writable !== undefined) return isNode(writable) && writable["value"] === false;
  return value("set") === undefined && (isNew || value("value") !== undefined || value("get") !== undefined);
}

function gettersOf(object: Node): string[] {
  const properties = listOf(object["properties"]).filter(({ computed }) => computed !== true);
  const named = (kind: string) => properties.flatMap((one) => (one["kind"] === kind ? [nameOf(one["key"]) ?? ""] : []));
  const setters = named("set");
  return named("get").filter((name) => !setters.includes(name));
}

const nameOf = (key: unknown) => textOf(key) ?? pathOf(key);

import { parseSync } from "oxc-parser";
import { childrenOf, isNode, type Node, pathOf } from "../graph/tree.ts";
import { namesIn, type Scope, scopeOf } from "./scopes.ts";

/** What in a source of CommonJS means something else in strict code, or nothing, and on which line. */
export type Sloppy = { line: number; what: string };

/** The first thing that does; undefined where a source may as well be strict. */
export function sloppyIn(code: string): Sloppy | undefined {
  if (parsed(code).errors.length > 0) return undefined; // it runs nowhere
  const [refused] = parsed(`${STRICT}${code}`, true).errors;
  if (refused) return { line: lineAt(code, (refused.labels[0]?.start ?? 0) - STRICT.length), what: refused.message };
  if (!MAY_DIFFER.test(code)) return undefined;
  const found = search(parsed(code).program as unknown as Node, { scope: undefined, free: false });
  return found && { line: lineAt(code, found.node.start), what: found.what };
}

const STRICT = '"use strict";';
/** Without one of these nothing differs that a parser does not refuse; a look at the text costs less than a tree. */
const MAY_DIFFER = /=|\+\+|--|\b(?:this|arguments|caller|eval|in|of)\b/;

const OPTIONS = { sourceType: "commonjs", lang: "js", preserveParens: false } as const;
const parsed = (code: string, showSemanticErrors = false) =>
  parseSync("source.cjs", code, { ...OPTIONS, showSemanticErrors });
const lineAt = (code: string, at: number) => code.slice(0, Math.max(0, at)).split("\n").length;

type Found = { node: Node; what: string };
type Around = {
  scope: Scope | undefined;
  /** Inside of a function that is called where it stands. */
  free: boolean;
};

function search(node: Node, { scope, free }: Around, parent?: Node): Found | undefined {
  if (isStrict(node)) return undefined;
  const inner = scopeOf(node, scope) ?? scope;
  const isFree = isFunction(node) ? isCalledPlainly(node, parent) : free;
  const what = whatOf(node, inner, isFree);
  if (what !== undefined) return { node, what };
  for (const child of childrenOf(node)) {
    const found = search(child, { scope: inner, free: isFree }, node);
    if (found) return found;
  }
  return undefined;
}

function isStrict(node: Node): boolean {
  if (node.type.startsWith("Class")) return true;
  const body =
    node.type === "Program" ? node["body"] : isFunction(node) && isNode(node["body"]) && node["body"]["body"];
  return Array.isArray(body) && body.some(({ directive }: { directive?: string }) => directive === "use strict");
}

const isFunction = ({ type }: Node) => /^Function(Declaration|Expression)$/.test(type);

/** One that is called where it stands; a declared one may be put on a prototype elsewhere. */
const isCalledPlainly = (node: Node, parent: Node | undefined) =>
  parent?.type === "CallExpression" && parent["callee"] === node;

function whatOf(node: Node, scope: Scope | undefined, free: boolean): string | undefined {
  switch (node.type) {
    case "AssignmentExpression":
    case "UpdateExpression":
    case "ForInStatement":
    case "ForOfStatement":
      return assigned(node["left"] ?? node["argument"], scope);
    case "MemberExpression":
      return STACK.test(pathOf(node) ?? "") ? String(pathOf(node)) : undefined;
    case "ThisExpression":
      return free ? "`this` of a function that is called where it stands" : undefined;
    case "CallExpression":
      return pathOf(node["callee"]) === "eval" ? "eval, which may declare names" : undefined;
    default:
      return undefined;
  }
}

/** What tells of the calls that led here. */
const STACK = /^(arguments\.(callee|caller)|\w+\.caller)$/;

function assigned(target: unknown, scope: Scope | undefined): string | undefined {
  for (const name of namesIn(target)) {
    if (scope?.follows(name)) return `${name} is assigned, and \`arguments\` follows it`;
    if (!scope?.has(name)) return `${name} is assigned and declared nowhere`;
  }
  return undefined;
}

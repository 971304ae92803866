import type { Node } from "../graph/tree.ts";
import { followed, isFunction, type Scope, type Use } from "./scopes.ts";

type Judged = { node: Node; what: string };

/** What a scope tells of the names that it declares, once all of it has been seen; all else goes to the outer one. */
export function judge(scope: Scope): Judged[] {
  const { names, uses, outer } = scope;
  const own = outer ? uses.filter(({ name }) => names.has(name)) : uses;
  if (outer && own.length < uses.length) for (const use of uses) if (!names.has(use.name)) outer.uses.push(use);
  const fixed = own.filter(({ is }) => is === "fixed");
  return own.flatMap((use) => {
    if (use.is === "fixed") return [];
    const what = use.member === undefined ? ofName(use, scope) : ofMember(use, use.member, scope, fixed);
    return what === undefined ? [] : [{ node: use.node, what }];
  });
}

function ofName({ name }: Use, scope: Scope): string | undefined {
  const kind = scope.names.get(name);
  if (kind === undefined) return GLOBALS.has(name) ? undefined : `${name} is assigned and declared nowhere`;
  if (kind === "self") return `${name} is assigned, the name of its function`;
  if (!isFunction(scope.node) || scope.looked.size === 0) return undefined;
  const place = followed(scope).indexOf(name);
  const isFollowed = place >= 0 && (scope.looked.has("all") || scope.looked.has(place));
  return isFollowed ? `${name} is assigned, and \`arguments\` follows it` : undefined;
}

function ofMember(use: Use, member: string, { names }: Scope, fixed: readonly Use[]): string | undefined {
  const isFunctions = /^(function|self)$/.test(names.get(use.name) ?? "");
  if (isFunctions && /^(caller|arguments)$/.test(member)) return `${use.name}.${member}`;
  const all = `${member.split(".").slice(0, -1).concat("*").join(".")}`;
  const before = fixed.find((one) => (one.member === member || one.member === all) && isBefore(one, use));
  return before && `${use.name}.${member} is assigned, which is read-only`;
}

/** Text that stands earlier in another function may run later. */
const isBefore = (one: Use, other: Use) =>
  one.node.start < other.node.start || (one.scope !== other.scope && other.scope.outer !== undefined);

/** Those that assigning to makes, or leaves, as it is in either mode. */
const GLOBALS = new Set([
  ..."exports require module __filename __dirname arguments".split(" "),
  ...Object.getOwnPropertyNames(globalThis).filter((name) => !/^(undefined|NaN|Infinity)$/.test(name)),
]);

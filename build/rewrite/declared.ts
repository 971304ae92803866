import type { Token } from "./tokens.ts";

/** The names that a source declares: those that never change, and among them those that only make schemas when called. */
export type Names = { fixed: ReadonlySet<string>; makers: ReadonlyMap<string, Import> };

/** What a name stands for: `*` is all that a module exports. */
export type Import = { local: string; imported: string; from: string };

export function declaredIn(tokens: readonly Token[]): Names {
  const fixed = new Set<string>();
  const variable = new Set<string>();
  const makers = new Map<string, Import>();
  tokens.forEach((token, index) => {
    if (token.kind !== "name" || tokens[index - 1]?.text === ".") return;
    if (changes(tokens, index)) variable.add(token.text);
    if (/^(function|class|enum)$/.test(token.text)) fixed.add(tokens[index + 1]?.text ?? "");
    if (/^(const|let|var)$/.test(token.text) && tokens[index - 1]?.text !== "as")
      for (const name of patternAt(tokens, index + 1)) (token.text === "const" ? fixed : variable).add(name);
    if (token.text === "import" && !/^[(.]$/.test(tokens[index + 1]?.text ?? ""))
      for (const named of importAt(tokens, index + 1)) {
        fixed.add(named.local);
        if (isZod(named.from) || named.from === "@code-first-agents/tool") makers.set(named.local, named);
      }
  });
  for (const name of variable) fixed.delete(name);
  return { fixed, makers };
}

/** The names of Zod and its parts, with what `Namespaces` puts behind them. */
export const ZOD = /^zod($|[/?])/;
export const isZod = (module: string) => ZOD.test(module);

/** Whether what a name stands for is changed here, however deep inside: a list that grows, a field that is set. */
function changes(tokens: readonly Token[], index: number): boolean {
  const [callee = "", before = ""] = tokens.slice(Math.max(0, index - 2), index).map(({ text }) => text);
  if (/^(delete|\+\+|--)$/.test(before)) return true;
  if (before === "(" && /^(assign|definePropert(y|ies)|setPrototypeOf)$/.test(callee)) return true;
  const end = endOfMembers(tokens, index + 1);
  const next = tokens[end]?.text ?? "";
  if (end === index + 1) return false;
  return ASSIGNING.test(next) || (next === "(" && CHANGING.test(tokens[end - 1]?.text ?? ""));
}

/** The index behind the members that follow a name, up to a call. */
function endOfMembers(tokens: readonly Token[], start: number): number {
  const { text, match = start } = tokens[start] ?? {};
  if (text === "." || text === "?.") return endOfMembers(tokens, start + (tokens[start + 1]?.text === "[" ? 1 : 2));
  return text === "[" ? endOfMembers(tokens, match + 1) : start;
}

const CHANGING = /^(push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin|set|add|delete|clear)$/;
/** What sets what stands in front of it. */
export const ASSIGNING = /^(\+\+|--|=|<<=|>{2,3}=|[^=!<>]+=)$/;

/** A name, or all that stand in a pattern. */
function patternAt(tokens: readonly Token[], index: number): string[] {
  const first = tokens[index];
  const pattern = first?.match === undefined ? [first] : tokens.slice(index, first.match);
  return pattern.flatMap((token) => (token?.kind === "name" ? [token.text] : []));
}

/** The names that an import brings; of a type, it brings one that is never asked for. */
function importAt(tokens: readonly Token[], start: number): Import[] {
  const end = tokens.findIndex((token, index) => index >= start && token.kind === "string");
  const from = tokens[end]?.text.slice(1, -1) ?? "";
  const words = tokens.slice(start, Math.max(start, end)).map(({ text }) => text);
  const clauses = words
    .join(" ")
    .replace(/ ?\bfrom$/, "")
    .split(/ ?[{},] ?/);
  const isInBraces = (index: number) => index > 0;
  return clauses.flatMap((clause, index) => {
    const [, imported, local = imported] = /^(?:type )?(\S+)(?: as (\S+))?$/.exec(clause) ?? [];
    if (imported === undefined || local === undefined) return [];
    return [{ local, imported: imported === "*" || isInBraces(index) ? imported : "default", from }];
  });
}

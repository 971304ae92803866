import { type Names, refusalOf } from "./purity.ts";
import { type Token, tokensOf } from "./tokens.ts";

/** Where a spec stands in the source: the `line` counts from 1. */
export type Place = { file: string; line: number; name: string };

/** What `late` of the runtime is called in the author's source. */
const LATE = "__cfa_late";
export const LATE_MODULE = "cfa:late";

/**
 * With 200 subcommands a call needs one pair of schemas, and would make 200. So the object literal of each `subcommand({ … })`
 * becomes a function, as far as it shows that it does not matter when that is called: its schemas are made by Zod and the
 * runtime alone, of what is declared once. Whether they then come out the same is for `evaluate` to find out.
 */
export class Lates {
  /** What is made late; a spec is known by its index. */
  readonly places: Place[] = [];
  /** Why the others are not. */
  readonly refusals: string[] = [];

  wrapIn(source: string, file: string): string {
    if (!CALL.test(source) || /\bglobalRegistry\b/.test(source) || /\.[cm]?[jt]sx$/.test(file)) return source;
    const tokens = tokensOf(source);
    if (!tokens?.some(({ text }) => text === "import")) return source;
    const names = declaredIn(tokens);
    const inserts: [at: number, text: string][] = [];
    for (const { from, to, name } of literalsIn(tokens)) {
      const [open, close] = [tokens[from] as Token, tokens[to] as Token];
      const line = source.slice(0, open.at).split("\n").length;
      const refused = name === undefined ? "its name is no plain text" : refusalOf(tokens, from + 1, to, names);
      if (name === undefined || refused !== undefined) {
        this.refusals.push(`${file}:${line}: the subcommand is made at every start, because ${refused}`);
        continue;
      }
      inserts.push([open.at, `${LATE}(${this.places.length}, ${JSON.stringify(name)}, () => (`], [close.at + 1, "))"]);
      this.places.push({ file, line, name });
    }
    if (inserts.length === 0) return source;
    return `${insert(source, inserts)}\nimport { late as ${LATE} } from "${LATE_MODULE}";`;
  }
}

const CALL = /\.\s*(?:subcommand|(?:data|classification|procedure)Subcommand)\s*\(/;
const METHODS = new Set(["subcommand", "dataSubcommand", "classificationSubcommand", "procedureSubcommand"]);

function insert(source: string, inserts: readonly [at: number, text: string][]): string {
  let end = 0;
  const pieces = inserts.map(([at, text]) => {
    const piece = source.slice(end, at) + text;
    end = at;
    return piece;
  });
  return pieces.join("") + source.slice(end);
}

/** `from` and `to` are the indices of the braces. */
type Literal = { from: number; to: number; name: string | undefined };

/** The object literals that are all that a `subcommand` is called with. */
function literalsIn(tokens: readonly Token[]): Literal[] {
  return tokens.flatMap((token, index) => {
    const [dot, paren, open] = [tokens[index - 1], tokens[index + 1], tokens[index + 2]];
    if (dot?.text !== "." || !METHODS.has(token.text) || paren?.text !== "(" || open?.text !== "{") return [];
    const end = open.match as number;
    const after = tokens[end + 1]?.text === "," ? end + 2 : end + 1;
    if (after !== paren.match) return [];
    return [{ from: index + 2, to: end, name: nameIn(tokens, index + 2, end) }];
  });
}

function nameIn(tokens: readonly Token[], from: number, to: number): string | undefined {
  for (let index = from + 1; index < to; index = (tokens[index]?.match ?? index) + 1) {
    const [key, colon, value, comma] = tokens.slice(index, index + 4);
    const isFirst = /^[{,]$/.test(tokens[index - 1]?.text ?? "");
    if (!isFirst || key?.text !== "name" || colon?.text !== ":" || value?.kind !== "string") continue;
    return /^[,}]$/.test(comma?.text ?? "") && !value.text.includes("\\") ? value.text.slice(1, -1) : undefined;
  }
  return undefined;
}

function declaredIn(tokens: readonly Token[]): Names {
  const fixed = new Set<string>();
  const variable = new Set<string>();
  const makers = new Set<string>();
  tokens.forEach((token, index) => {
    if (token.kind !== "name" || tokens[index - 1]?.text === ".") return;
    if (/^(function|class|enum)$/.test(token.text)) fixed.add(tokens[index + 1]?.text ?? "");
    if (/^(const|let|var)$/.test(token.text))
      for (const name of patternAt(tokens, index + 1)) (token.text === "const" ? fixed : variable).add(name);
    if (token.text === "import" && !/^[(.]$/.test(tokens[index + 1]?.text ?? "")) {
      const { names, from } = importAt(tokens, index + 1);
      for (const name of names) fixed.add(name);
      if (/^(zod$|zod[/?]|@code-first-agents\/tool$)/.test(from)) for (const name of names) makers.add(name);
    }
  });
  for (const name of variable) fixed.delete(name);
  return { fixed, makers };
}

/** A name, or all that stand in a pattern. */
function patternAt(tokens: readonly Token[], index: number): string[] {
  const first = tokens[index];
  const pattern = first?.match === undefined ? [first] : tokens.slice(index, first.match);
  return pattern.flatMap((token) => (token?.kind === "name" ? [token.text] : []));
}

function importAt(tokens: readonly Token[], start: number): { names: string[]; from: string } {
  const end = tokens.findIndex((token, index) => index >= start && token.kind === "string");
  const names = tokens.slice(start, Math.max(start, end)).filter(({ kind }) => kind === "name");
  return { names: names.map(({ text }) => text), from: tokens[end]?.text.slice(1, -1) ?? "" };
}

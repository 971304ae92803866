import { declaredIn, type Names } from "./declared.ts";
import { applied, insertion } from "./edits.ts";
import { LATE_CONST, Lazy } from "./lazy.ts";
import { Makers } from "./makers.ts";
import { refusalOf } from "./purity.ts";
import { type Token, tokensOf } from "./tokens.ts";

/** Where a spec stands in the source: the `line` counts from 1. `saysAll` tells that its schemas depend on nothing else. */
export type Place = { file: string; line: number; name: string; saysAll: boolean };

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

  readonly makers = new Makers();

  wrapIn(source: string, file: string): string {
    if (!CALL.test(source) || GLOBAL.test(source) || /\.[cm]?[jt]sx$/.test(file)) return source;
    const tokens = tokensOf(source);
    if (!tokens?.some(({ text }) => text === "import")) return source;
    const names = declaredIn(tokens);
    const lazy = new Lazy(source, tokens, names);
    const specs = literalsIn(tokens).flatMap((literal) => this.#placed(literal, { source, file, tokens, names, lazy }));
    if (specs.length === 0) return source;
    const calls = specs.flatMap(({ from, to, place, name }) => [
      insertion((tokens[from] as Token).at, `${LATE}(${place}, ${JSON.stringify(name)}, () => (`),
      insertion((tokens[to] as Token).at + 1, "))"),
    ]);
    const { edits, used } = lazy.rewritten(specs);
    const imports = `import { late as ${LATE}, lateConst as ${LATE_CONST} } from "${LATE_MODULE}";`;
    return `${applied(source, [...calls, ...edits])}\n${imports}${this.makers.importOf(used, file)}`;
  }

  /** A spec that may be made late, with its place. */
  #placed({ from, to, name }: Literal, { source, file, tokens, names, lazy }: Source): (Literal & { place: number })[] {
    const line = source.slice(0, (tokens[from] as Token).at).split("\n").length;
    const refused = name === undefined ? "its name is no plain text" : refusalOf(tokens, from + 1, to, names);
    if (name === undefined || refused !== undefined) {
      this.refusals.push(`${file}:${line}: the subcommand is made at every start, because ${refused}`);
      return [];
    }
    const place = this.places.push({ file, line, name, saysAll: lazy.saysAllIn(from, to) }) - 1;
    return [{ from, to, name, place }];
  }
}

type Source = { source: string; file: string; tokens: readonly Token[]; names: Names; lazy: Lazy };

/** What looks into all schemas that there are, or changes how they are made. */
const GLOBAL = /\b(globalRegistry|globalConfig|postProcessor|memoizer)\b/;
const CALL = /\.\s*(?:subcommand|(?:data|classification|procedure)Subcommand)\s*\(/;
const METHODS = new Set(["subcommand", "dataSubcommand", "classificationSubcommand", "procedureSubcommand"]);

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

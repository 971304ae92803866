import { type Import, isZod, type Names } from "./declared.ts";
import { type Edit, insertion } from "./edits.ts";
import { endOfData, endOfItem, endOfSchema, past } from "./purity.ts";
import type { Token } from "./tokens.ts";

/** What is put before the names of what is made late. */
export const LATE_NAME = "__cfa_get_";
export const LATE_CONST = "__cfa_const";

/** A maker that late code uses, and what it takes of it where that is a namespace. */
export type Used = Import & { members: Set<string> };

/** A constant of a schema, or of plain data, which need not be made late. */
type Const = { name: string; at: number; from: number; to: number; isSchema: boolean; saysAll: boolean };

/** The indices of those round an object literal. */
type Braces = { from: number; to: number };

/** A property of an object literal; its value stands between two indices. */
type Item = { key: Token; from: number; to: number; isSchema: boolean };

/**
 * Most calls need no schema. So the schemas of a late spec are written as getters, which get Zod when they are asked, and the
 * constants that only they use become functions too: `const input = z.object({})` is made when a getter wants it. Where
 * anything else uses one, or Zod, esbuild keeps the statement that is there for that, and all is made at the start.
 *
 * Only at the top level of a file, where no parameter can have the same name.
 */
export class Lazy {
  readonly #used = new Map<string, Used>();
  readonly #source: string;
  readonly #tokens: readonly Token[];
  readonly #names: Names;
  readonly #top: ReadonlySet<number>;
  readonly #consts: Const[] = [];
  readonly #wanted = new Set<Const>();

  constructor(source: string, tokens: readonly Token[], names: Names) {
    this.#source = source;
    this.#tokens = tokens;
    this.#names = names;
    this.#top = topOf(tokens);
    for (const index of this.#top) this.#consts.push(...this.#constAt(index));
  }

  /** What is written otherwise so that the schemas of some object literals are made late, and the makers that getters get. */
  rewritten(literals: readonly Braces[]): { edits: Edit[]; used: ReadonlyMap<string, Used> } {
    const getters = literals.flatMap(({ from, to }) => this.#schemasIn(from, to)); // these say which constants are wanted
    return { edits: [...this.#constants(), ...getters], used: this.#used };
  }

  /** Makes getters of the schemas in an object literal between two braces. */
  #schemasIn(open: number, close: number): Edit[] {
    if (!this.#top.has(open - 1)) return [];
    return this.#itemsIn(open, close).flatMap(({ key, from, to, isSchema }) => {
      const getting = isSchema ? this.#gettingIn(from, to, open) : "";
      if (getting === "" && !(isSchema && this.#namedIn(from, to).some((name) => this.#names.makers.has(name))))
        return [];
      const [start, end] = [this.#startOf(from), this.#endOf(to - 1)];
      const lines = this.#source.slice(key.at, start).replace(/[^\n]/g, ""); // so that what follows keeps its line
      const value = `(${lines}${this.#source.slice(start, end)})`;
      return [{ at: key.at, end, text: `get ${key.text}() { ${getting}return ${value}; }` }];
    });
  }

  /** Whether the schemas in an object literal are written out: of literals and of constants that are, without a function. */
  saysAllIn(open: number, close: number): boolean {
    const items = this.#top.has(open - 1) ? this.#itemsIn(open, close) : [];
    const saysAll = ({ key, from, to, isSchema }: Item) =>
      isSchema ? this.#saysAll(from, to, open) : /^(name|description|async|handler)$/.test(key.text);
    return items.some(({ key }) => key.text === "input") && items.every(saysAll);
  }

  #itemsIn(open: number, close: number): Item[] {
    const items: Item[] = [];
    for (let index = open + 1; index < close; ) {
      const [key, colon] = this.#tokens.slice(index, index + 2) as [Token, Token];
      const isSchema = /^(input|output)$/.test(key.text) && /^[:,}]$/.test(colon.text);
      const to = endOfItem(this.#tokens, index);
      items.push({ key, from: colon.text === ":" ? index + 2 : index, to, isSchema });
      index = to + 1;
    }
    return items;
  }

  #saysAll(from: number, to: number, limit: number): boolean {
    const isKnown = (name: string) =>
      /^(true|false|null|undefined)$/.test(name) || this.#names.makers.has(name) || this.#constOf(name, limit)?.saysAll;
    const calls = this.#tokens.slice(from, to).some(({ text }) => text === "=>");
    return !calls && this.#namedIn(from, to).every(isKnown);
  }

  /** Makes functions of the constants that the getters want. */
  #constants(): Edit[] {
    return this.#consts.toReversed().flatMap((one) => {
      if (!this.#wanted.has(one)) return [];
      const { name, at, from, to } = one;
      const [start, end] = [this.#startOf(from), this.#endOf(to - 1)];
      const make = `() => { ${this.#gettingIn(from, to, at)}return (${this.#source.slice(start, end)}); }`;
      const function_ = `${LATE_NAME}${name}`;
      return [
        insertion(this.#startOf(at), `${function_} = ${LATE_CONST}(${make}), `),
        { at: start, end, text: `/* @__PURE__ */ ${function_}()` },
      ];
    });
  }

  /** The statement that gets what the tokens between two indices name, of makers and of constants that stand before `limit`. */
  #gettingIn(from: number, to: number, limit: number): string {
    const getting = this.#namedIn(from, to).filter((name) => this.#get(name, from, to) || this.#want(name, limit));
    return getting.length > 0 ? `const ${getting.map((name) => `${name} = ${LATE_NAME}${name}()`).join(", ")}; ` : "";
  }

  #namedIn(from: number, to: number): string[] {
    return [...new Set(this.#tokens.slice(from, to).flatMap((_, index) => this.#nameAt(from + index)))];
  }

  #nameAt(index: number): string[] {
    const [before, token, after] = [this.#tokens[index - 1]?.text, this.#tokens[index], this.#tokens[index + 1]?.text];
    const isKey = after === ":" && (before === "{" || before === ",");
    return token?.kind !== "name" || before === "." || before === "?." || isKey ? [] : [token.text];
  }

  #get(name: string, from: number, to: number): boolean {
    const maker = this.#names.makers.get(name);
    if (!maker || !isZod(maker.from)) return false; // the runtime is there in any case
    const members = maker.imported === "*" ? this.#membersOf(name, from, to) : [];
    if (!members) return false;
    const { members: known = [] } = this.#used.get(name) ?? {};
    this.#used.set(name, { ...maker, members: new Set([...known, ...members]) });
    return true;
  }

  /** What stands behind the dots of a namespace; undefined where it is used otherwise. */
  #membersOf(name: string, from: number, to: number): string[] | undefined {
    const members: string[] = [];
    for (let index = from; index < to; index++) {
      if (!this.#nameAt(index).includes(name)) continue;
      const [dot, member] = this.#tokens.slice(index + 1, index + 3);
      if (dot?.text !== "." || member?.kind !== "name") return undefined;
      members.push(member.text);
    }
    return members;
  }

  #want(name: string, limit: number): boolean {
    const wanted = this.#constOf(name, limit);
    if (!wanted?.isSchema) return false;
    this.#wanted.add(wanted);
    return true;
  }

  #constOf(name: string, limit: number): Const | undefined {
    return this.#consts.find((one) => one.name === name && one.at < limit);
  }

  /** The constant that a `const` declares here: one schema, or plain data. */
  #constAt(index: number): Const[] {
    const [keyword, named] = this.#tokens.slice(index, index + 2);
    if (keyword?.text !== "const" || named?.kind !== "name" || !this.#names.fixed.has(named.text)) return [];
    let equals = index + 2;
    if (this.#tokens[equals]?.text === ":")
      while (equals < this.#tokens.length && !/^[=;]$/.test(this.#tokens[equals]?.text ?? ""))
        equals = past(this.#tokens, equals);
    if (this.#tokens[equals]?.text !== "=") return [];
    const from = equals + 1;
    const schemas = new Set(this.#consts.flatMap(({ name, isSchema }) => (isSchema ? [name] : [])));
    const end = endOfSchema(this.#tokens, from, this.#names, schemas);
    const to = end ?? endOfData(this.#tokens, from);
    if (to === undefined || !this.#endsStatement(to)) return [];
    const saysAll = end === undefined || this.#saysAll(from, to, index + 1);
    return [{ name: named.text, at: index + 1, from, to, isSchema: end !== undefined, saysAll }];
  }

  #endsStatement(index: number): boolean {
    const next = this.#tokens[index];
    if (next === undefined || next.text === ";") return true;
    const isOnNextLine = this.#source.slice(this.#endOf(index - 1), next.at).includes("\n");
    return next.kind === "name" && isOnNextLine && !/^(as|satisfies|in|instanceof)$/.test(next.text);
  }

  #startOf(index: number): number {
    return (this.#tokens[index] as Token).at;
  }

  #endOf(index: number): number {
    const { at, text } = this.#tokens[index] as Token;
    return at + text.length;
  }
}

/** The tokens that stand in no brackets. */
function topOf(tokens: readonly Token[]): Set<number> {
  const top = new Set<number>();
  for (let index = 0; index < tokens.length; index = past(tokens, index)) top.add(index);
  return top;
}

import { admitsBoolean, type Branch, branchesOf } from "./branches.ts";
import { type Given, takesWord } from "./coerce.ts";
import { branchesByKey, declares } from "./fields.ts";
import { narrow } from "./narrow.ts";
import type { JsonSchema, ParsedArgs } from "./types.ts";

/** Told what a caller should know although the call goes on. */
export type Warn = (message: string) => void;

export type Sent = { flag: string; key: string; given: Given; isNegated: boolean };
export type Line = {
  sent: Sent[];
  positional: readonly string[];
  fields: readonly Branch[];
  branchesOfKey: (key: string) => Branch[];
};

export const isBuiltin = (name: string): name is "schema" | "help" => name === "schema" || name === "help";
const isFlag = (token: string) => token.startsWith("--");
export const withoutDashes = (token: string) => (isFlag(token) ? token.slice(2) : token);

/**
 * Reads a command line without looking at any schema: `--key value` and positionals behind a subcommand, every value a
 * text, a flag without one `true`, the last of a repeated flag. `--help` and `--schema` take the subcommand's place.
 */
export function parseArgs(argv: readonly string[]): { subcommand: string; parsed: ParsedArgs } {
  const { head, tail } = splitAtDashes(argv.slice(1));
  const flags: [string, string | true][] = [];
  const positional: string[] = [];
  let subcommand = withoutDashes(argv[0] ?? "");

  for (let at = 0; at < head.length; at++) {
    const token = head[at] ?? "";
    const key = withoutDashes(token);
    const next = head[at + 1];
    if (!isFlag(token)) positional.push(token);
    else if (isBuiltin(key) && !isBuiltin(subcommand)) subcommand = key;
    else if (next === undefined || isFlag(next)) flags.push([key, true]);
    else flags.push([key, head[++at] ?? ""]);
  }
  return { subcommand, parsed: { flags: Object.fromEntries(flags), positional: positional.concat(tail) } };
}

/** The input that `parseArgs` read: the flags, and the positionals under `_`, which beat a flag of that name. */
export function mergeParsed({ flags, positional }: ParsedArgs, warn: Warn = () => {}): Record<string, unknown> {
  if (positional.length === 0) return { ...flags };
  if (Object.hasOwn(flags, "_")) warn(lostUnderscore);
  return { ...flags, _: positional };
}

export const lostUnderscore = "--_ was ignored: positional arguments were given, and they take its place";

/** Splits tokens into flags and positionals, by the alternative of the schema that the flags themselves choose. */
export function readLine(tokens: readonly string[], schema: JsonSchema): Line {
  const all = branchesOf(schema, schema);
  const line = scan(tokens, all, schema);
  if (all.length < 2) return line;
  const given = [...groupByKey(line.sent)].map(([key, ofKey]) => [key, ofKey.map((one) => one.given)] as const);
  const fields = narrow(all, new Map(given), schema);
  return fields.length === all.length ? line : scan(tokens, fields, schema);
}

function scan(tokens: readonly string[], fields: readonly Branch[], root: JsonSchema): Line {
  const { head, tail } = splitAtDashes(tokens);
  const sent: Sent[] = [];
  const positional: string[] = [];
  const branchesOfKey = branchesByKey(fields, root);
  for (let at = 0; at < head.length; at++) {
    const token = head[at] ?? "";
    const isShortHelp = (token === "-h" || token.startsWith("-h=")) && declares(fields, "h");
    if (!isFlag(token) && !isShortHelp) {
      positional.push(token);
      continue;
    }
    const [flag = "", value] = splitAtEquals(token);
    const { key, isNegated } = findKey(isShortHelp ? "h" : withoutDashes(flag), fields, branchesOfKey);
    const next = head[at + 1];
    const takesNext = value === undefined && !isNegated && next !== undefined && !isFlag(next);
    const word = takesNext && takesWord(next, branchesOfKey(key)) ? head[++at] : value;
    sent.push({ flag, key, given: word ?? !isNegated, isNegated });
  }
  return { sent, positional: positional.concat(tail), fields, branchesOfKey };
}

export function splitAtDashes(tokens: readonly string[]): { head: readonly string[]; tail: readonly string[] } {
  const dashes = tokens.indexOf("--");
  return dashes < 0 ? { head: tokens, tail: [] } : { head: tokens.slice(0, dashes), tail: tokens.slice(dashes + 1) };
}

function splitAtEquals(token: string): [flag: string, value?: string] {
  const equals = token.indexOf("=");
  return equals < 0 ? [token] : [token.slice(0, equals), token.slice(equals + 1)];
}

/** The key that a flag means: its own name, that name in camelCase, or what `no-` stands before. */
function findKey(
  name: string,
  fields: readonly Branch[],
  branchesOfKey: (key: string) => Branch[],
): { key: string; isNegated: boolean } {
  if (name === "input-json") return { key: name, isNegated: false };
  const declared = declaredAs(name, fields);
  if (declared !== undefined || !name.startsWith("no-")) return { key: declared ?? name, isNegated: false };
  const positive = declaredAs(name.slice(3), fields, (key) => admitsBoolean(branchesOfKey(key)));
  return { key: positive ?? name, isNegated: positive !== undefined };
}

function declaredAs(name: string, fields: readonly Branch[], suits = (_key: string) => true): string | undefined {
  for (const key of [name, camelCase(name)]) if (declares(fields, key) && suits(key)) return key;
  return undefined;
}

const camelCase = (name: string) => (name.includes("-") ? toCamelCase(name) : name);
const toCamelCase = (name: string) => name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

export function groupByKey(sent: readonly Sent[]): Map<string, Sent[]> {
  const byKey = new Map<string, Sent[]>();
  for (const one of sent) {
    const ofKey = byKey.get(one.key);
    if (ofKey) ofKey.push(one);
    else byKey.set(one.key, [one]);
  }
  return byKey;
}

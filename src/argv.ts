import { closest } from "./closest.ts";
import {
  admitsBoolean,
  type Branch,
  branchesOf,
  coerce,
  declaredKeys,
  declares,
  fieldSchema,
  type Given,
  isStrict,
  itemOf,
  narrow,
  quote,
  Refusal,
  takesWord,
} from "./coerce.ts";
import { InputError } from "./errors.ts";
import type { Issue, JsonSchema, ParsedArgs } from "./types.ts";

/** What a command line asks for; `json` tells that `--json` stood behind it, `tokens` is what the input is read from. */
export type Request =
  | { to: "schema" | "help"; name?: string; json: boolean }
  | { to: "call"; name: string; tokens: readonly string[] };

/** An input that was typed by its schema, the flag that each key was written as, and what the schema declares. */
export type TypedInput = {
  input: Record<string, unknown>;
  flags: ReadonlyMap<string, string>;
  fields: readonly Branch[];
};

/** Told what a caller should know although the call goes on. */
export type Warn = (message: string) => void;

type Sent = { flag: string; key: string; given: Given; isNegated: boolean };
type Line = { sent: Sent[]; positional: readonly string[]; fields: readonly Branch[] };

const isBuiltin = (name: string): name is "schema" | "help" => name === "schema" || name === "help";
const isFlag = (token: string) => token.startsWith("--");
const isWord = (token: string) => !token.startsWith("-");
const withoutDashes = (token: string) => (isFlag(token) ? token.slice(2) : token);

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

const lostUnderscore = "--_ was ignored: positional arguments were given, and they take its place";

/**
 * Finds out what a command line asks for. `inputSchema` is called only where the answer depends on it, and gives
 * undefined for a name that is no subcommand: `--help`, `--schema` and `-h` belong to a subcommand that declares them.
 */
export async function readRequest(
  argv: readonly string[],
  inputSchema: (subcommand: string) => JsonSchema | undefined | Promise<JsonSchema | undefined>,
): Promise<Request> {
  const name = argv[0] === "-h" ? "help" : withoutDashes(argv[0] ?? "");
  const tokens = argv.slice(1);
  if (isBuiltin(name)) return builtin(name, tokens.find(isWord), tokens);

  const call: Request = { to: "call", name, tokens };
  const { head } = splitAtDashes(tokens);
  if (!head.some((token) => token === "-h" || /^--(help|schema)(=|$)/.test(token))) return call;
  const schema = await inputSchema(name);
  if (name === "version" && schema === undefined) return call; // a builtin: what stands behind it is ignored

  const { sent, positional, fields } = readLine(head, schema ?? {});
  const asked = sent.map(({ key }) => key).find((key) => isBuiltin(key) && !declares(fields, key));
  if (asked === undefined && !positional.includes("-h")) return call;
  return builtin(asked === "schema" ? asked : "help", name || undefined, head);
}

function builtin(to: "schema" | "help", name: string | undefined, tokens: readonly string[]): Request {
  return { to, ...(name !== undefined && { name }), json: tokens.includes("--json") };
}

/**
 * Types what stands behind a subcommand by its input schema, or finds the argument of `--input-json`, which stands for
 * the whole input. Throws an `InputError` with everything that it refuses.
 */
export function readInput(
  tokens: readonly string[],
  schema: JsonSchema,
  warn: Warn = () => {},
): TypedInput | { document: string } {
  const { sent, positional, fields } = readLine(tokens, schema);
  const documents = sent.filter(({ key }) => key === "input-json" && !declares(fields, key));
  if (documents.length > 0)
    return { document: onlyDocument(documents, [...sent.map(({ flag }) => flag), ...positional]) };

  const byKey = groupByKey(sent);
  if (positional.length > 0 && byKey.delete("_")) warn(lostUnderscore);
  const reads = [...byKey].map(([key, ofKey]) => readFlag(key, ofKey, fieldSchema(fields, key), schema));
  if (positional.length > 0) reads.push(readPositional(positional, fieldSchema(fields, "_"), schema));

  const typed = {
    input: Object.fromEntries(reads.map(({ key, value }) => [key, value])),
    flags: new Map([...byKey].map(([key, ofKey]) => [key, ofKey.at(-1)?.flag ?? ""])),
    fields,
  };
  const issues = reads.flatMap((read) => read.issues);
  if (issues.length > 0) throw new InputError([...issues, ...(isStrict(fields) ? unknownIssues(typed) : [])]);
  return typed;
}

/** Adds to the issues of an input the flags that they are about, and to an unknown flag the one that was meant. */
export function flagIssues(issues: readonly Issue[], { input, flags, fields }: TypedInput): Issue[] {
  const unknown = unknownIssues({ input, flags, fields });
  return issues.flatMap((issue) => {
    const [key] = issue.path;
    if (key === undefined && issue.code === "unrecognized_keys") return unknown.length > 0 ? unknown : issue;
    if (key === undefined && issue.code === "invalid_union" && isStrict(fields)) return [issue, ...unknown];
    const flag = flags.get(String(key)) ?? (declares(fields, String(key)) ? `--${key}` : undefined);
    return flag === undefined || issue.flag !== undefined ? issue : { ...issue, flag };
  });
}

/** Splits tokens into flags and positionals, by the alternative of the schema that the flags themselves choose. */
function readLine(tokens: readonly string[], schema: JsonSchema): Line {
  const all = branchesOf(schema, schema);
  const line = scan(tokens, all, schema);
  const given = [...groupByKey(line.sent)].map(([key, ofKey]) => [key, ofKey.map((one) => one.given)] as const);
  const fields = narrow(all, new Map(given), schema);
  return fields.length === all.length ? line : scan(tokens, fields, schema);
}

function scan(tokens: readonly string[], fields: readonly Branch[], root: JsonSchema): Line {
  const { head, tail } = splitAtDashes(tokens);
  const sent: Sent[] = [];
  const positional: string[] = [];
  for (let at = 0; at < head.length; at++) {
    const token = head[at] ?? "";
    const isShortHelp = token === "-h" && declares(fields, "h");
    if (!isFlag(token) && !isShortHelp) {
      positional.push(token);
      continue;
    }
    const [flag = "", value] = splitAtEquals(token);
    const { key, isNegated } = findKey(isShortHelp ? "h" : withoutDashes(flag), fields, root);
    const next = head[at + 1];
    const takesNext = value === undefined && !isNegated && next !== undefined && !isFlag(next);
    const word = takesNext && takesWord(next, fieldSchema(fields, key), root) ? head[++at] : value;
    sent.push({ flag, key, given: word ?? !isNegated, isNegated });
  }
  return { sent, positional: positional.concat(tail), fields };
}

function splitAtDashes(tokens: readonly string[]): { head: readonly string[]; tail: readonly string[] } {
  const dashes = tokens.indexOf("--");
  return dashes < 0 ? { head: tokens, tail: [] } : { head: tokens.slice(0, dashes), tail: tokens.slice(dashes + 1) };
}

function splitAtEquals(token: string): [flag: string, value?: string] {
  const equals = token.indexOf("=");
  return equals < 0 ? [token] : [token.slice(0, equals), token.slice(equals + 1)];
}

/** The key that a flag means: its own name, that name in camelCase, or what `no-` stands before. */
function findKey(name: string, fields: readonly Branch[], root: JsonSchema): { key: string; isNegated: boolean } {
  if (name === "input-json") return { key: name, isNegated: false };
  const declared = [name, camelCase(name)].find((key) => declares(fields, key));
  if (declared !== undefined || !name.startsWith("no-")) return { key: declared ?? name, isNegated: false };
  const positive = [name.slice(3), camelCase(name.slice(3))].find(
    (key) => declares(fields, key) && admitsBoolean(fieldSchema(fields, key), root),
  );
  return { key: positive ?? name, isNegated: positive !== undefined };
}

const camelCase = (name: string) => name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

function groupByKey(sent: readonly Sent[]): Map<string, Sent[]> {
  const byKey = new Map<string, Sent[]>();
  for (const one of sent) {
    const ofKey = byKey.get(one.key);
    if (ofKey) ofKey.push(one);
    else byKey.set(one.key, [one]);
  }
  return byKey;
}

type Read = { key: string; value?: unknown; issues: Issue[] };

function readFlag(key: string, sent: readonly Sent[], field: JsonSchema, root: JsonSchema): Read {
  const flag = sent.at(-1)?.flag ?? "";
  try {
    for (const { isNegated, given } of sent) {
      if (isNegated && given !== false) throw new Refusal("no value", quote(String(given)), "invalid_value");
    }
    return {
      key,
      value: coerce(
        sent.map(({ given }) => given),
        field,
        root,
      ),
      issues: [],
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message } = error;
    const hint = code === "missing_value" ? `; a value that is empty or starts with -- is written ${flag}=VALUE` : "";
    return { key, issues: [{ path: [key], code, message: `${flag}: ${message}${hint}`, flag }] };
  }
}

function readPositional(texts: readonly string[], field: JsonSchema, root: JsonSchema): Read {
  const issues: Issue[] = [];
  const value = texts.map((text, index) => {
    try {
      const item = itemOf(field, index, root);
      return item === undefined ? text : coerce([text], item, root);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, message } = error;
      issues.push({ path: ["_", index], code, message: `argument ${index + 1}: ${message}` });
      return undefined;
    }
  });
  return { key: "_", value, issues };
}

function onlyDocument(documents: readonly Sent[], all: readonly string[]): string {
  const [document] = documents;
  const refuse = (code: string, message: string) =>
    new InputError([{ path: [], code, message: `--input-json: ${message}`, flag: "--input-json" }]);
  if (all.length > 1)
    throw refuse("invalid_value", `is the whole input and stands alone, got ${all.map(quote).join(" ")}`);
  if (typeof document?.given === "string") return document.given;
  throw refuse("missing_value", "expected JSON, @FILE or - (standard input), got no value");
}

function unknownIssues({ input, flags, fields }: TypedInput): Issue[] {
  const unknown = Object.keys(input).filter((key) => !declares(fields, key));
  return unknown.map((key) => {
    const issue = { path: [], code: "unrecognized_keys" };
    const flag = flags.get(key);
    if (flag === undefined)
      return { ...issue, message: `unexpected argument ${quote(String([input[key]].flat()[0]))}` };
    const [meant] = closest(key, declaredKeys(fields));
    return {
      ...issue,
      message: `unknown flag ${flag}${meant === undefined ? "" : `, did you mean --${meant}?`}`,
      flag,
    };
  });
}

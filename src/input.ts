import { groupByKey, lostUnderscore, readLine, type Sent, type Warn } from "./argv.ts";
import { type Branch, itemOf } from "./branches.ts";
import { closest } from "./closest.ts";
import { coerce } from "./coerce.ts";
import { InputError } from "./errors.ts";
import { quote, Refusal } from "./exact.ts";
import { declaredKeys, declares, fieldSchema, isStrict } from "./fields.ts";
import type { Issue, JsonSchema } from "./types.ts";

/** An input that was typed by its schema, the flag that each key was written as, and what the schema declares. */
export type TypedInput = {
  input: Record<string, unknown>;
  flags: ReadonlyMap<string, string>;
  fields: readonly Branch[];
};

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
    if (key === undefined || issue.flag !== undefined) return issue;
    const isMissing = key !== "_" && declares(fields, String(key));
    const flag = flags.get(String(key)) ?? (isMissing ? `--${key}` : undefined);
    return flag === undefined ? issue : { ...issue, flag };
  });
}

type Read = { key: string; value?: unknown; issues: Issue[] };

function readFlag(key: string, sent: readonly Sent[], field: JsonSchema, root: JsonSchema): Read {
  const flag = sent.at(-1)?.flag ?? "";
  try {
    for (const { isNegated, given } of sent) {
      if (isNegated && given !== false) throw new Refusal("no value", quote(String(given)), "invalid_value");
    }
    const all = sent.map(({ given }) => given);
    return { key, value: coerce(all, field, root), issues: [] };
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

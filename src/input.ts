import { groupByKey, lostUnderscore, readLine, type Sent, type Warn } from "./argv.ts";
import { type Branch, isList, itemsOf } from "./branches.ts";
import { closest } from "./closest.ts";
import { coerce } from "./coerce.ts";
import type { Complaint } from "./complaints.ts";
import { lostKey } from "./conform.ts";
import { documentRefused } from "./document.ts";
import { InputError } from "./errors.ts";
import { cut, quote, Refusal, readOr, where } from "./exact.ts";
import { declaredKeys, declares, isLost, isStrict } from "./fields.ts";
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
  const { sent, positional, fields, branchesOfKey } = readLine(tokens, schema);
  const documents = sent.filter(({ key }) => key === "input-json" && !declares(fields, key));
  if (documents.length > 0)
    return { document: onlyDocument(documents, [...sent.map(({ flag }) => flag), ...positional]) };

  const byKey = groupByKey(sent);
  if (positional.length > 0 && byKey.delete("_")) warn(lostUnderscore);
  const reads = [...byKey].map(([key, ofKey]) =>
    isLost(key, fields) ? lose(key, ofKey) : readFlag(key, ofKey, branchesOfKey(key), schema),
  );
  if (positional.length > 0) reads.push(readPositional(positional, branchesOfKey("_"), schema));

  const typed = {
    input: Object.fromEntries(reads.map(({ key, value }) => [key, value])),
    flags: new Map([...byKey].map(([key, ofKey]) => [key, ofKey.at(-1)?.flag ?? ""])),
    fields,
  };
  const issues: Issue[] = [];
  for (const read of reads) issues.push(...read.issues);
  if (issues.length > 0) throw new InputError([...issues, ...undeclared(typed).map((key) => unknownIssue(key, typed))]);
  return typed;
}

/** Adds to what a schema has against an input the flags that it is about; what it does not know is told flag by flag. */
export function flagIssues(complaints: readonly Complaint[], read: TypedInput): Issue[] {
  const refused = complaints.filter(isUnknown).flatMap(({ keys = [] }) => keys);
  const unknown = new Set([...undeclared(read), ...refused.filter((key) => Object.hasOwn(read.input, key))]);
  const others = unknown.size > 0 ? complaints.filter((complaint) => !isUnknown(complaint)) : complaints;
  return [
    ...others.map((complaint) => flagged(complaint, read)),
    ...[...unknown].map((key) => unknownIssue(key, read)),
  ];
}

const isUnknown = ({ path, code }: Complaint) => path.length === 0 && code === "unrecognized_keys";

function flagged({ path, code, message }: Complaint, { flags, fields }: TypedInput): Issue {
  const key = String(path[0]);
  const isMissing = key !== "_" && declares(fields, key);
  const flag = path.length === 0 ? undefined : (flags.get(key) ?? (isMissing ? `--${key}` : undefined));
  return { path, code, message, ...(flag !== undefined && { flag }) };
}

type Read = { key: string; value?: unknown; issues: Issue[] };

function readFlag(key: string, sent: readonly Sent[], branches: Branch[], root: JsonSchema): Read {
  const flag = sent.at(-1)?.flag ?? "";
  return readOr(
    (): Read => ({ key, value: coerce(sent.map(valueOf), branches, root), issues: [] }),
    ({ code, message, path }) => {
      const hint = code === "missing_value" ? `; a value that is empty or starts with -- is written ${flag}=VALUE` : "";
      return {
        key,
        issues: [{ path: [key, ...path], code, message: `${flag}${where(path)}: ${message}${hint}`, flag }],
      };
    },
  );
}

function lose(key: string, sent: readonly Sent[]): Read {
  const flag = sent.at(-1)?.flag ?? "";
  const { code, message } = lostKey();
  return { key, issues: [{ path: [], code, message: `${flag}: ${message}`, flag }] };
}

function valueOf({ isNegated, given }: Sent): Sent["given"] {
  if (isNegated && given !== false) throw new Refusal("no value", quote(String(given)), "invalid_value");
  return given;
}

function readPositional(texts: readonly string[], branches: Branch[], root: JsonSchema): Read {
  const issues: Issue[] = [];
  const lists = branches.filter(isList);
  const branchesAt = itemsOf(lists, root);
  const value = texts.map((text, index) => {
    if (lists.length === 0) return text;
    return readOr(
      () => coerce([text], branchesAt(index), root),
      ({ code, message, path }) =>
        void issues.push({
          path: ["_", index, ...path],
          code,
          message: `argument ${index + 1}${where(path)}: ${message}`,
        }),
    );
  });
  return { key: "_", value, issues };
}

function onlyDocument(documents: readonly Sent[], all: readonly string[]): string {
  const [document] = documents;
  if (all.length > 1)
    throw documentRefused("invalid_value", `is the whole input and stands alone, got ${all.map(quote).join(" ")}`);
  if (typeof document?.given === "string") return document.given;
  throw documentRefused("missing_value", "expected JSON, @FILE or - (standard input), got no value");
}

/** The keys that were sent to an input that takes none but its own. */
function undeclared({ input, fields }: TypedInput): string[] {
  return isStrict(fields) ? Object.keys(input).filter((key) => !declares(fields, key)) : [];
}

function unknownIssue(key: string, { input, flags, fields }: TypedInput): Issue {
  const issue = { path: [], code: "unrecognized_keys" };
  const flag = flags.get(key);
  const value = input[key];
  const text = String(Array.isArray(value) ? value[0] : value);
  const known = declaredKeys(fields).filter((key) => key !== "_");
  const whole =
    text.trimStart().startsWith("{") && !declares(fields, "input-json")
      ? "; a whole input is sent by --input-json"
      : "";
  if (flag === undefined)
    return { ...issue, message: `unexpected argument ${quote(text)}${whole || flagsHint(known)}` };
  if (declares(fields, key)) return { ...issue, message: `${flag} does not go with the other flags`, flag };
  const [meant] = closest(key, known);
  const hint = meant === undefined ? whole : `, did you mean --${meant}?`;
  return { ...issue, message: `unknown flag ${cut(flag)}${hint}`, flag };
}

function flagsHint(known: readonly string[]): string {
  if (known.length === 0) return "";
  const some = known.slice(0, MOST_NAMED).map((key) => `--${key}`);
  return `; use flags: ${some.join(", ")}${known.length > some.length ? ", …" : ""}`;
}

const MOST_NAMED = 6;

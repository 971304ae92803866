import { type Branch, branchesOf, fits, isList, itemSchema, typeOf } from "./branches.ts";
import { describe } from "./describe.ts";
import { quote, Refusal, readBoolean, readNumber } from "./exact.ts";
import { fieldSchema } from "./fields.ts";
import { COERCED, type JsonSchema } from "./types.ts";

type Path = readonly (string | number)[];

/**
 * A value as `z.coerce` must get it, at any depth: of the type that it would make of anything. It makes 0 of a blank and of
 * null, and true of "false"; here a text is read as strictly as on the command line, and what is of another type is refused.
 */
export function conform(value: unknown, branches: Branch[], root: JsonSchema, path: Path = []): unknown {
  const settled = settle(value, branches, path);
  if (Array.isArray(settled)) {
    const lists = branches.filter(isList);
    if (lists.length === 0) return settled;
    return settled.map((item, at) => conform(item, branchesOf(itemSchema(lists, at), root), root, [...path, at]));
  }
  const objects = branches.filter((branch) => typeOf(branch) === "object");
  if (typeof settled !== "object" || settled === null || objects.length === 0) return settled;
  const entries = Object.entries(settled).map(([key, field]) => [
    key,
    conform(field, branchesOf(fieldSchema(objects, key), root), root, [...path, key]),
  ]);
  return Object.fromEntries(entries);
}

function settle(value: unknown, branches: Branch[], path: Path): unknown {
  const kinds = new Set(branches.flatMap((parts) => parts.flatMap((part) => (part[COERCED] as string[]) ?? [])));
  if (kinds.size === 0) return value;
  const refuse = () => new Refusal(describe(branches), quote(String(value)), "invalid_type", path);
  if (typeof value === "string") return readFor(kinds, value, refuse);
  if (kinds.has(typeof value) || branches.some((branch) => typeOf(branch) !== undefined && fits(value, branch)))
    return value;
  throw refuse();
}

function readFor(kinds: ReadonlySet<string>, text: string, refuse: () => Refusal): string | boolean {
  const lost =
    (kinds.has("number") && readNumber(text) === undefined && !Number.isNaN(Number(text))) ||
    (kinds.has("bigint") && !/^-?\d+$/.test(text) && isBigInt(text));
  if (lost) throw refuse();
  if (!kinds.has("boolean")) return text;
  const boolean = readBoolean(text);
  if (boolean === undefined) throw refuse();
  return boolean;
}

function isBigInt(text: string): boolean {
  try {
    return typeof BigInt(text) === "bigint";
  } catch {
    return false;
  }
}

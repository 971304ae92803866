import { type Branch, branchesOf, fits, isList, isText, itemsOf, typeOf } from "./branches.ts";
import { describe } from "./describe.ts";
import { matches, quote, Refusal, readBoolean, readDate, readNumber, shown } from "./exact.ts";
import { declares, isLost, property } from "./fields.ts";
import { COERCED, DATED, PREPROCESSED } from "./marks.ts";
import type { JsonSchema } from "./types.ts";

type Path = readonly (string | number)[];

/**
 * A value as Zod must get it, at any depth. What `z.coerce` would make something else of is refused: it makes 0 of a blank
 * and of null, and true of "false"; here a text is read as strictly as on the command line. The text of a `z.date()` is a Date.
 */
export function conform(value: unknown, branches: readonly Branch[], root: JsonSchema, path: Path = []): unknown {
  const settled = settle(value, branches, path);
  if (Array.isArray(settled)) {
    const lists = branches.filter(isList);
    if (lists.length === 0) return settled;
    const branchesAt = itemsOf(lists, root);
    return settled.map((item, at) => conform(item, branchesAt(at), root, [...path, at]));
  }
  if (!isRecord(settled)) return settled;
  const objects = branches.filter((branch) => typeOf(branch) === "object");
  if (objects.length === 0) return settled;
  return conformObject(settled, agreeing(objects, settled, root), root, path);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !(value instanceof Date);

function conformObject(value: Record<string, unknown>, branches: Branch[], root: JsonSchema, path: Path): object {
  if (Object.keys(value).some((key) => isLost(key, branches))) throw lostKey(path);
  const names = {
    anyOf: branches.map((parts) => ({ allOf: parts.map(({ propertyNames }) => propertyNames ?? true) })),
  };
  const nameBranches = branchesOf(names, root);
  const entries = Object.entries(value).map(([key, field]) => {
    const inside = [...path, key];
    conform(key, nameBranches, root, inside);
    const schema = { anyOf: branches.map((parts) => property(parts, key)) };
    return [key, conform(field, branchesOf(schema, root), root, inside)];
  });
  return Object.fromEntries(entries);
}

/** The refusal of a key that would be lost. */
export const lostKey = (path: Path = []) =>
  new Refusal("any other key", '"__proto__", which cannot be carried', "unrecognized_keys", path);

/** The alternatives that an object can be, by its fixed values, what they require and what they forbid; else all. */
function agreeing(branches: Branch[], value: Record<string, unknown>, root: JsonSchema): Branch[] {
  if (branches.length < 2) return branches;
  const keys = Object.keys(value);
  const able = branches.filter((parts) =>
    parts.every(
      ({ required, additionalProperties }) =>
        (!Array.isArray(required) || required.every((key) => Object.hasOwn(value, key))) &&
        (additionalProperties !== false || keys.every((key) => declares([parts], key))),
    ),
  );
  const agreed = able.filter((parts) => keys.every((key) => isPossible(value[key], property(parts, key), root)));
  return agreed.length > 0 ? agreed : branches;
}

function isPossible(value: unknown, schema: JsonSchema, root: JsonSchema): boolean {
  const options = branchesOf(schema, root);
  const isFixed = options.every((option) => option.some((part) => "const" in part || "enum" in part));
  return !isFixed || options.some((option) => fits(value, option));
}

/** Goes through the alternatives as Zod does, to the first that takes the value as it is or makes something of it. */
function settle(value: unknown, branches: readonly Branch[], path: Path): unknown {
  if (!branches.some(isMarkedBranch)) return value;
  for (const branch of branches) {
    const kinds = branch.flatMap((part) => (part[COERCED] as Kind[] | undefined) ?? []);
    if (kinds.length === 0 && takesAsItIs(value, branch)) return value;
    for (const kind of kinds) {
      if (COERCIONS[kind].reads(value)) return kind === "boolean" ? settleBoolean(value, branch, path) : value;
      if (COERCIONS[kind].makes(value)) throw new Refusal(wanted(kind, branch), shown(value), "invalid_type", path);
    }
  }
  return typeof value === "string" && branches.some(isDate) ? settleDate(value, branches, path) : value;
}

const isMarkedBranch = (branch: Branch) => branch.some((part) => COERCED in part || DATED in part);

/** Behind a pipe from a text, what the text is made. */
const wanted = (kind: Kind, branch: Branch) =>
  (isText(branch) && { number: "a number", boolean: "true or false" }[kind as string]) || describe([branch]);

function settleDate(text: string, branches: readonly Branch[], path: Path): unknown {
  if (branches.some((branch) => typeOf(branch) === undefined)) return text; // which takes it as it is
  const date = readDate(text);
  if (date === undefined) throw new Refusal(describe(branches), quote(text), "invalid_type", path);
  return date;
}

/** A boolean where a text may stand for one; behind a pipe from a text it stays the text. */
function settleBoolean(value: unknown, branch: Branch, path: Path): unknown {
  const boolean = typeof value === "string" ? readBoolean(value) : value;
  if (fits(boolean, branch)) return boolean;
  if (boolean === true) return value;
  throw new Refusal("true", shown(value), "invalid_type", path);
}

const takesAsItIs = (value: unknown, branch: Branch) =>
  typeOf(branch) !== undefined && fits(value, branch) && !branch.some((part) => part[DATED]) && follows(value, branch);

const follows = (value: unknown, branch: Branch) =>
  typeof value !== "string" || branch.every(({ pattern }) => matches(value, pattern));

/** Not under a function of the author's, which gets the text. */
const isDate = (branch: Branch) => branch.some((part) => part[DATED]) && !branch.some((part) => part[PREPROCESSED]);

type Kind = "boolean" | "number" | "bigint" | "date" | "string";

/** What `z.coerce` may be given of the values that JSON has, and what else it would make something of. */
const COERCIONS: Record<Kind, { reads: (value: unknown) => boolean; makes: (value: unknown) => boolean }> = {
  boolean: {
    reads: (value) => typeof value === "boolean" || (typeof value === "string" && readBoolean(value) !== undefined),
    makes: () => true,
  },
  number: {
    reads: (value) => typeof value === "number" || (typeof value === "string" && readNumber(value) !== undefined),
    makes: (value) => !Number.isNaN(Number(value)),
  },
  bigint: {
    reads: (value) => Number.isInteger(value) || (typeof value === "string" && /^-?\d+$/.test(value)),
    makes: isBigInt,
  },
  date: {
    reads: (value) => typeof value === "string",
    makes: (value) => !Number.isNaN(new Date(value as string).getTime()),
  },
  string: {
    reads: (value) => ["string", "number", "boolean"].includes(typeof value),
    makes: () => true,
  },
};

function isBigInt(value: unknown): boolean {
  try {
    return typeof BigInt(value as string) === "bigint";
  } catch {
    return false;
  }
}

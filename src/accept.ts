import { isPlainObject, withoutPrototype } from "./json.ts";
import type { Plain } from "./plain.ts";

// Taken before any code of the author runs, who may replace them.
const { RegExp, structuredClone } = globalThis;
const { isArray } = Array;
const { hasOwn, keys } = Object;
const { apply, ownKeys } = Reflect;
const { test } = RegExp.prototype;
const { codePointAt } = String.prototype;
const { isFinite, isSafeInteger } = Number;

/** Zod refuses the value. */
export const REFUSED = Symbol("refused");
/** Zod has to judge: versions of it differ, or the value is more than JSON has. */
export const DOUBTED = Symbol("doubted");

type Of<Kind> = Extract<Plain, { is: Kind }>;

/** What Zod makes of a value, where that is certain: a copy of it with its defaults, or `REFUSED`; else `DOUBTED`. */
export function accept(plain: Plain, value: unknown): unknown {
  switch (plain.is) {
    case "string":
      return typeof value === "string" ? acceptText(plain, value) : REFUSED;
    case "number":
      return isFinite(value) && keeps(value as number, plain) ? value : REFUSED;
    case "boolean":
      return typeof value === "boolean" ? value : REFUSED;
    case "null":
      return value === null ? value : REFUSED;
    case "any":
      return value === undefined ? DOUBTED : value;
    case "value":
      return isOneOf(value, plain.of) ? value : REFUSED;
    case "array":
      return isArray(value) ? acceptItems(plain, value) : REFUSED;
    case "object":
      return isPlainObject(value) ? acceptFields(plain, value) : otherThanPlain(value);
    case "record":
      return isPlainObject(value) ? acceptEntries(plain, value) : otherThanPlain(value);
    case "optional":
      return value === undefined ? value : accept(plain.of, value);
    case "nullable":
      return value === null ? value : accept(plain.of, value);
    case "default":
      return value === undefined ? structuredClone(plain.value) : accept(plain.of, value);
    case "union":
      return acceptFirst(plain, value);
  }
}

export const isAccepted = (value: unknown) => value !== REFUSED && value !== DOUBTED;

/** Zod takes instances of classes, and reads what they inherit. */
const otherThanPlain = (value: unknown) =>
  typeof value === "object" && value !== null && !isArray(value) ? DOUBTED : REFUSED;

// Loops by index, because a handler may replace the methods of lists and their iterator before its output is checked.

function isOneOf(value: unknown, values: readonly unknown[]): boolean {
  for (let index = 0; index < values.length; index++) if (values[index] === value) return true;
  return false;
}

/** The length counts code points or, for some versions, units of UTF-16, which are never fewer. */
function acceptText(plain: Of<"string">, text: string): unknown {
  const { least = 0, most = Infinity, like = [] } = withoutPrototype(plain);
  for (let index = 0; index < like.length; index++) {
    const pattern = like[index] as [source: string, flags: string];
    if (!apply(test, new RegExp(pattern[0], pattern[1]), [text])) return REFUSED;
  }
  const units = text.length;
  const points = units > most || units < 2 * least ? codePointsOf(text) : units;
  if (units < least || points > most) return REFUSED;
  return units > most || (units < 2 * least && points < least) ? DOUBTED : text;
}

function codePointsOf(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; count++)
    index += (apply(codePointAt, text, [index]) as number) > 0xffff ? 2 : 1;
  return count;
}

function keeps(value: number, plain: Of<"number">): boolean {
  const { whole, bounds = [] } = withoutPrototype(plain);
  if (whole && !isSafeInteger(value)) return false;
  for (let index = 0; index < bounds.length; index++) {
    const bound = bounds[index] as [sign: keyof typeof COMPARISONS, limit: number];
    if (!COMPARISONS[bound[0]](value, bound[1])) return false;
  }
  return true;
}

const COMPARISONS = {
  "<": (value: number, limit: number) => value < limit,
  "<=": (value: number, limit: number) => value <= limit,
  ">": (value: number, limit: number) => value > limit,
  ">=": (value: number, limit: number) => value >= limit,
};

function acceptItems(plain: Of<"array">, list: readonly unknown[]): unknown {
  const { of, least = 0, most = Infinity } = withoutPrototype(plain);
  if (list.length < least || list.length > most) return REFUSED;
  const copy: unknown[] = [];
  for (let index = 0; index < list.length; index++) {
    const item = accept(of, list[index]);
    if (!isAccepted(item)) return item;
    copy[index] = item;
  }
  return copy;
}

function acceptFields({ fields, others }: Of<"object">, object: Record<string, unknown>): unknown {
  const copy: Record<string, unknown> = {};
  const declared = keys(fields);
  for (let index = 0; index < declared.length; index++) {
    const key = declared[index] as string;
    const isPresent = hasOwn(object, key);
    const field = accept(fields[key] as Plain, isPresent ? object[key] : undefined);
    if (!isAccepted(field)) return field;
    if (isPresent || field !== undefined) copy[key] = field;
  }
  if (others === "dropped") return copy;
  const sent = keys(object);
  for (let index = 0; index < sent.length; index++) {
    const key = sent[index] as string;
    if (hasOwn(fields, key)) continue;
    if (key === "__proto__") return DOUBTED;
    if (others === "refused") return REFUSED;
    copy[key] = object[key];
  }
  return copy;
}

function acceptEntries({ of }: Of<"record">, object: Record<string, unknown>): unknown {
  const copy: Record<string, unknown> = {};
  const names = keys(object);
  if (names.length !== ownKeys(object).length || hasOwn(object, "__proto__")) return DOUBTED;
  for (let index = 0; index < names.length; index++) {
    const name = names[index] as string;
    const value = accept(of, object[name]);
    if (!isAccepted(value)) return value;
    copy[name] = value;
  }
  return copy;
}

function acceptFirst({ of }: Of<"union">, value: unknown): unknown {
  for (let index = 0; index < of.length; index++) {
    const accepted = accept(of[index] as Plain, value);
    if (accepted !== REFUSED) return accepted;
  }
  return REFUSED;
}

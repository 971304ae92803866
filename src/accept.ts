import { isPlainObject } from "./json.ts";
import type { Plain } from "./plain.ts";

// Taken before any code of the author runs, who may replace them.
const { RegExp } = globalThis;
const { isArray } = Array;
const { hasOwn, keys } = Object;
const { ownKeys } = Reflect;
const { structuredClone } = globalThis;
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
      return plain.of.includes(value as never) ? value : REFUSED;
    case "array":
      return isArray(value) ? acceptItems(plain, value) : REFUSED;
    case "object":
      return isPlainObject(value) ? acceptFields(plain, value) : isObject(value) ? DOUBTED : REFUSED;
    case "record":
      return isPlainObject(value) ? acceptEntries(plain, value) : isObject(value) ? DOUBTED : REFUSED;
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

const isObject = (value: unknown) => typeof value === "object" && value !== null && !isArray(value);

/** The length counts code points or, for some versions, units of UTF-16, which are never fewer. */
function acceptText({ least = 0, most = Infinity, like = [] }: Of<"string">, text: string): unknown {
  if (!like.every(([source, flags]) => new RegExp(source, flags).test(text))) return REFUSED;
  const units = text.length;
  const points = units > most || units < 2 * least ? [...text].length : units;
  if (units < least || points > most) return REFUSED;
  return units > most || (units < 2 * least && points < least) ? DOUBTED : text;
}

function keeps(value: number, { whole, bounds = [] }: Of<"number">): boolean {
  return (!whole || isSafeInteger(value)) && bounds.every(([sign, limit]) => COMPARISONS[sign](value, limit));
}

const COMPARISONS = {
  "<": (value: number, limit: number) => value < limit,
  "<=": (value: number, limit: number) => value <= limit,
  ">": (value: number, limit: number) => value > limit,
  ">=": (value: number, limit: number) => value >= limit,
};

function acceptItems({ of, least = 0, most = Infinity }: Of<"array">, list: readonly unknown[]): unknown {
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
  for (const key of keys(fields)) {
    const isPresent = hasOwn(object, key);
    const field = accept(fields[key] as Plain, isPresent ? object[key] : undefined);
    if (!isAccepted(field)) return field;
    if (isPresent || field !== undefined) copy[key] = field;
  }
  if (others === "dropped") return copy;
  for (const key of keys(object)) {
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
  for (const name of names) {
    const value = accept(of, object[name]);
    if (!isAccepted(value)) return value;
    copy[name] = value;
  }
  return copy;
}

function acceptFirst({ of }: Of<"union">, value: unknown): unknown {
  for (const option of of) {
    const accepted = accept(option, value);
    if (accepted !== REFUSED) return accepted;
  }
  return REFUSED;
}

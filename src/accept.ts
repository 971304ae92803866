import { isPlainObject } from "./json.ts";
import type { Plain } from "./plain.ts";

// Taken before any code of the author runs, who may replace them.
const { RegExp } = globalThis;
const { isArray } = Array;
const { hasOwn, keys } = Object;
const { ownKeys } = Reflect;
const { structuredClone } = globalThis;
const { isFinite, isSafeInteger } = Number;

/** What `accept` returns of a value that Zod has to judge. */
export const DOUBTED = Symbol("doubted");

type Of<Kind> = Extract<Plain, { is: Kind }>;

/**
 * What Zod makes of a value that a schema accepts without doubt: a copy of it, with its defaults. Anything else is
 * `DOUBTED`, which says neither that it is wrong nor what is: Zod finds the words for that.
 */
export function accept(plain: Plain, value: unknown): unknown {
  switch (plain.is) {
    case "string":
      return typeof value === "string" && follows(value, plain) ? value : DOUBTED;
    case "number":
      return isFinite(value) && keeps(value as number, plain) ? value : DOUBTED;
    case "boolean":
      return typeof value === "boolean" ? value : DOUBTED;
    case "null":
      return value === null ? value : DOUBTED;
    case "value":
      return plain.of.includes(value as never) ? value : DOUBTED;
    case "array":
      return isArray(value) ? acceptItems(plain, value) : DOUBTED;
    case "object":
      return isPlainObject(value) ? acceptFields(plain, value) : DOUBTED;
    case "record":
      return isPlainObject(value) ? acceptEntries(plain, value) : DOUBTED;
    case "optional":
      return value === undefined ? value : accept(plain.of, value);
    case "nullable":
      return value === null ? value : accept(plain.of, value);
    case "default":
      return value === undefined ? structuredClone(plain.value) : accept(plain.of, value);
    case "union":
      return acceptOne(plain, value);
  }
}

/** Versions of Zod differ in whether they count code points: a text that is long enough one way and too long the other is doubted. */
function follows(text: string, { least = 0, most = Infinity, like = [] }: Of<"string">): boolean {
  const isLong = text.length >= 2 * least || [...text].length >= least;
  return isLong && text.length <= most && like.every(([source, flags]) => new RegExp(source, flags).test(text));
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
  if (list.length < least || list.length > most) return DOUBTED;
  const copy: unknown[] = [];
  for (let index = 0; index < list.length; index++) {
    const item = accept(of, list[index]);
    if (item === DOUBTED) return DOUBTED;
    copy[index] = item;
  }
  return copy;
}

function acceptFields({ fields, others }: Of<"object">, object: Record<string, unknown>): unknown {
  const copy: Record<string, unknown> = {};
  for (const key of keys(fields)) {
    const isPresent = hasOwn(object, key);
    const field = accept(fields[key] as Plain, isPresent ? object[key] : undefined);
    if (field === DOUBTED) return DOUBTED;
    if (isPresent || field !== undefined) copy[key] = field;
  }
  if (others === "dropped") return copy;
  for (const key of keys(object)) {
    if (hasOwn(fields, key)) continue;
    if (others === "refused" || key === "__proto__") return DOUBTED;
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
    if (value === DOUBTED) return DOUBTED;
    copy[name] = value;
  }
  return copy;
}

function acceptOne({ of }: Of<"union">, value: unknown): unknown {
  for (const option of of) {
    const accepted = accept(option, value);
    if (accepted !== DOUBTED) return accepted;
  }
  return DOUBTED;
}

import { isPlainObject, withoutPrototype } from "./json.ts";
import type { Plain } from "./plain.ts";
import { acceptDate, acceptNumber, acceptText, DOUBTED, isAccepted, REFUSED } from "./scalars.ts";

// Taken before any code of the author runs, who may replace them.
const { structuredClone } = globalThis;
const { isArray } = Array;
const { freeze, hasOwn, keys } = Object;
const { ownKeys } = Reflect;
const { isFinite } = Number;

type Of<Kind> = Extract<Plain, { is: Kind }>;

/** What Zod makes of a value, where that is certain: a copy of it with its defaults, or `REFUSED`; else `DOUBTED`. */
export function accept(plain: Plain, value: unknown): unknown {
  switch (plain.is) {
    case "string":
      return typeof value === "string" ? acceptText(plain, value) : REFUSED;
    case "number":
      return isFinite(value) ? acceptNumber(plain, value as number) : REFUSED;
    case "date":
      return value instanceof Date ? acceptDate(plain, value) : REFUSED;
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
    case "tuple":
      return isArray(value) ? acceptTuple(plain, value) : REFUSED;
    case "optional":
      return value === undefined ? value : accept(plain.of, value);
    case "present":
      return value === undefined ? DOUBTED : accept(plain.of, value);
    case "nullable":
      return value === null ? value : accept(plain.of, value);
    case "default":
      return value === undefined ? structuredClone(plain.value) : accept(plain.of, value);
    case "prefault":
      return accept(plain.of, value === undefined ? structuredClone(plain.value) : value);
    case "readonly":
      return acceptFrozen(plain, value);
    case "pipe":
      return acceptBoth(plain, value);
    case "coerced":
      return acceptTyped(plain.of, value);
    case "union":
      return acceptFirst(plain, value);
  }
}

/** Zod takes instances of classes, and reads what they inherit. */
const otherThanPlain = (value: unknown) =>
  typeof value === "object" && value !== null && !isArray(value) ? DOUBTED : REFUSED;

// Loops by index, because a handler may replace the methods of lists and their iterator before its output is checked.

function isOneOf(value: unknown, values: readonly unknown[]): boolean {
  for (let index = 0; index < values.length; index++) if (values[index] === value) return true;
  return false;
}

/** What has its type already is left as it is; of dates all texts are made in one way. */
function acceptTyped(plain: Plain, value: unknown): unknown {
  if (plain.is === "date" && (typeof value === "string" || value instanceof Date))
    return acceptDate(plain, new Date(value));
  return typeof value === plain.is ? accept(plain, value) : DOUBTED;
}

function acceptItems(plain: Of<"array">, list: readonly unknown[]): unknown {
  const { of, least = 0, most = Infinity } = withoutPrototype(plain);
  return list.length < least || list.length > most ? REFUSED : acceptEach(list, [], of);
}

/** Versions differ in what they make of one that is too short. */
function acceptTuple(plain: Of<"tuple">, list: readonly unknown[]): unknown {
  const { of, rest } = withoutPrototype(plain);
  const fits = list.length === of.length || (rest && list.length > of.length);
  return fits ? acceptEach(list, of, rest) : DOUBTED;
}

function acceptEach(list: readonly unknown[], first: readonly Plain[], rest: Plain | undefined): unknown {
  const copy: unknown[] = [];
  for (let index = 0; index < list.length; index++) {
    const item = accept((index < first.length ? first[index] : rest) as Plain, list[index]);
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

function acceptEntries(plain: Of<"record">, object: Record<string, unknown>): unknown {
  const { of, keys: kind } = withoutPrototype(plain);
  const copy: Record<string, unknown> = {};
  const names = keys(object);
  if (names.length !== ownKeys(object).length || hasOwn(object, "__proto__")) return DOUBTED;
  for (let index = 0; index < names.length; index++) {
    const name = names[index] as string;
    const key = kind ? accept(kind, name) : name;
    const value = isAccepted(key) ? accept(of, object[name]) : key;
    if (!isAccepted(value)) return value;
    copy[name] = value;
  }
  return copy;
}

/** Zod freezes what it refuses, too, which another alternative may then take. */
function acceptFrozen({ of }: Of<"readonly">, value: unknown): unknown {
  const accepted = accept(of, value);
  return isAccepted(accepted) ? freeze(accepted) : DOUBTED;
}

/** What the first refuses, some versions let the second take. */
function acceptBoth({ of }: Of<"pipe">, value: unknown): unknown {
  const accepted = accept(of[0], value);
  return isAccepted(accepted) ? accept(of[1], accepted) : DOUBTED;
}

function acceptFirst({ of }: Of<"union">, value: unknown): unknown {
  for (let index = 0; index < of.length; index++) {
    const accepted = accept(of[index] as Plain, value);
    if (accepted !== REFUSED) return accepted;
  }
  return REFUSED;
}

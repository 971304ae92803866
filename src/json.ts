import { isA, stringifyError } from "./errors.ts";

// Taken before any code of the author runs, who may replace them.
const { stringify } = JSON;
const { apply } = Reflect;
const { isArray } = Array;
const { slice } = Array.prototype;
const { assign, create, getPrototypeOf, hasOwn, keys, prototype } = Object;
const { isFinite, isNaN } = Number;
const { getTime, toISOString } = Date.prototype;

/** Far more than data needs, and little enough for every stack that this and its readers run on. */
const DEEPEST = 1000;

export type Path = readonly (string | number)[];

/** Called for a value that JSON cannot carry: throws, or returns the JSON text to put in its place. */
export type Refuse = (path: Path, why: string) => string;

/** A value that JSON cannot carry unchanged. */
export class Unfaithful extends Error {
  override readonly name = "Unfaithful";
  readonly path: Path;

  constructor(path: Path, why: string) {
    super(why);
    this.path = path;
  }
}

const strict: Refuse = (path, why) => {
  throw new Unfaithful(path, why);
};

/** For text that must come about whatever it holds: says in its place what could not be carried. */
export const lenient: Refuse = (_path, why) => stringify(`[${why}]`);

/**
 * The JSON text of a value that JSON carries unchanged: plain objects, arrays, strings, finite numbers, booleans, null.
 * A valid Date is its ISO string, an `undefined` property is absent. Anything else is refused with its path.
 *
 * Not `JSON.stringify`, which prints NaN as null and a Map as {}, and calls a `toJSON` that anybody may have planted.
 */
export function renderJson(value: unknown, refuse: Refuse = strict): string {
  const path: (string | number)[] = [];
  const entered: object[] = [];
  const no = (why: string) => refuse(apply(slice, path, []), why);

  function render(value: unknown): string {
    if (typeof value === "string" || typeof value === "boolean" || value === null) return stringify(value);
    if (typeof value === "number" && isFinite(value)) return stringify(value);
    if (typeof value !== "object") return no(`${kindOf(value)} has no JSON form`);
    for (let depth = 0; depth < entered.length; depth++)
      if (entered[depth] === value) return no("a cycle has no JSON form");
    if (entered.length >= DEEPEST) return no(`nested deeper than ${DEEPEST} levels`);
    return renderObject(value);
  }

  function renderObject(value: object): string {
    const depth = path.length;
    entered[depth] = value;
    try {
      if (isArray(value)) return renderItems(value);
      if (isPlainObject(value)) return renderProperties(value);
      const time = timeOf(value);
      return time === undefined || isNaN(time)
        ? no(`${kindOf(value)} has no JSON form`)
        : stringify(apply(toISOString, value, []));
    } catch (error) {
      if (isA(Unfaithful, error)) throw error;
      const text = no(`reading it failed: ${stringifyError(error)}`); // a getter or a proxy that throws
      path.length = depth;
      return text;
    } finally {
      entered.length = depth;
    }
  }

  function renderItems(items: readonly unknown[]): string {
    const depth = path.length;
    let text = "";
    for (let index = 0; index < items.length; index++) {
      path[depth] = index;
      const item = items[index];
      text += index ? "," : "";
      text += item === undefined ? no("undefined in an array has no JSON form") : render(item);
      path.length = depth;
    }
    return `[${text}]`;
  }

  function renderProperties(holder: object): string {
    const depth = path.length;
    const names = keys(holder);
    let text = "";
    for (let index = 0; index < names.length; index++) {
      const key = names[index] as string;
      path[depth] = key;
      const property = holder[key as keyof typeof holder];
      if (property !== undefined) text += `${text ? "," : ""}${stringify(key)}:${render(property)}`;
      path.length = depth;
    }
    return `{${text}}`;
  }

  return render(value);
}

/** Whether this is an object literal, of this realm or another: nothing that a class or the engine gave a meaning. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || isArray(value)) return false;
  const proto = getPrototypeOf(value);
  return proto === null || proto === prototype || (getPrototypeOf(proto) === null && hasOwn(proto, "isPrototypeOf"));
}

/** The own properties of an object with nothing behind them: neither `toString`, nor what somebody has put into all objects. */
export function withoutPrototype<T extends object>(object: T): T {
  return assign(create(null), object);
}

/** What a value is, for a message: "null", "an array", "a Map", "NaN". */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined || typeof value === "number") return `${value}`;
  if (typeof value !== "object") return typeof value === "bigint" ? `a BigInt (${value})` : `a ${typeof value}`;
  if (isArray(value)) return "an array";
  const time = timeOf(value);
  if (time !== undefined && isNaN(time)) return "an invalid Date";
  const name = nameOf(value);
  return name === undefined ? "an object" : `${name[0] && name[0] in VOWELS ? "an" : "a"} ${name}`;
}

/** Not U, which is spoken "you" in a URL and a Uint8Array. */
const VOWELS = { A: 1, E: 1, I: 1, O: 1 };

/** What the class of an object is called, or what the object calls itself; undefined for one that is just an object. */
function nameOf(value: { constructor?: { name?: unknown }; [Symbol.toStringTag]?: unknown }): string | undefined {
  const own = value.constructor?.name;
  const name = own && own !== "Object" ? own : value[Symbol.toStringTag];
  return typeof name === "string" && name !== "" ? name : undefined;
}

/** The time that a Date of any realm holds; undefined for anything else. */
function timeOf(value: object): number | undefined {
  try {
    return apply(getTime, value, []);
  } catch {
    return undefined;
  }
}

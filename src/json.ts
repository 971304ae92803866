import { stringifyError } from "./errors.ts";

// Taken before any code of the author runs, who may replace them.
const { stringify } = JSON;
const { isArray } = Array;
const { getPrototypeOf, keys } = Object;
const { isFinite, isNaN } = Number;
const { toISOString } = Date.prototype;

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
  const entered = new Set<object>();
  const no = (why: string) => refuse([...path], why);

  function render(value: unknown): string {
    if (typeof value === "string" || typeof value === "boolean" || value === null) return stringify(value);
    if (typeof value === "number" && isFinite(value)) return stringify(value);
    if (typeof value !== "object") return no(`${kindOf(value)} has no JSON form`);
    if (entered.has(value)) return no("a cycle has no JSON form");
    if (entered.size >= DEEPEST) return no(`nested deeper than ${DEEPEST} levels`);
    return renderObject(value);
  }

  function renderObject(value: object): string {
    const depth = path.length;
    entered.add(value);
    try {
      if (isArray(value)) return renderItems(value);
      if (isDate(value)) return stringify(toISOString.call(value));
      return isPlainObject(value) ? renderProperties(value) : no(`${kindOf(value)} has no JSON form`);
    } catch (error) {
      if (error instanceof Unfaithful) throw error;
      const text = no(`reading it failed: ${stringifyError(error)}`); // a getter or a proxy that throws
      path.length = depth;
      return text;
    } finally {
      entered.delete(value);
    }
  }

  function renderItems(items: readonly unknown[]): string {
    let text = "";
    for (let index = 0; index < items.length; index++) {
      path.push(index);
      const item = items[index];
      text += index ? "," : "";
      text += item === undefined ? no("undefined in an array has no JSON form") : render(item);
      path.pop();
    }
    return `[${text}]`;
  }

  function renderProperties(holder: object): string {
    let text = "";
    for (const key of keys(holder)) {
      path.push(key);
      const property = holder[key as keyof typeof holder];
      if (property !== undefined) text += `${text ? "," : ""}${stringify(key)}:${render(property)}`;
      path.pop();
    }
    return `{${text}}`;
  }

  return render(value);
}

/** Whether this is an object literal, of this realm or another: nothing that a class or the engine gave a meaning. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || isArray(value)) return false;
  const proto = getPrototypeOf(value);
  return proto === null || (getPrototypeOf(proto) === null && Object.hasOwn(proto, "isPrototypeOf"));
}

/** What a value is, for a message: "null", "an array", "a Map", "NaN". */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined || typeof value === "number") return String(value);
  if (typeof value !== "object") return typeof value === "bigint" ? `a BigInt (${value})` : `a ${typeof value}`;
  if (isArray(value)) return "an array";
  if (value instanceof Date) return "an invalid Date";
  const name = value.constructor?.name;
  return name === "Object" || !name ? "an object" : `${/^[AEIOU]/.test(name) ? "an" : "a"} ${name}`;
}

function isDate(value: object): value is Date {
  return value instanceof Date && !isNaN(value.valueOf());
}

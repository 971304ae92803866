import { host } from "./host.ts";

/** Getters that make what they return when they are asked, and those of them whose schemas are written out without a function. */
const waiting = new WeakSet<() => unknown>();
const written = new WeakSet<object>();

/**
 * A spec as its author wrote it, but for the sides that are named: a build has put a function in the place of each. They are
 * made when they are read first, and can be read, set, spread and listed like data. `true` tells that a side says all.
 */
export function lazySpec<S extends object>(spec: S, sides: Readonly<Record<string, boolean>>): S {
  for (const [key, saysAll] of Object.entries(sides)) {
    const get = once(made(Reflect.get(spec, key) as () => unknown, saysAll));
    if (host.lazy) defineLate(spec, key, get);
    else Reflect.set(spec, key, get());
  }
  return spec;
}

/** A constant of a schema, which only functions and lazy specs use. */
export function lazyConst<T>(make: () => T): () => T {
  const get = once(made(make, false));
  if (!host.lazy) get();
  return get;
}

/** A function that returns what a property is, without making it where it is late. */
export function reading<T extends object, K extends keyof T>(object: T, key: K): () => T[K] {
  const { get } = Object.getOwnPropertyDescriptor(object, key) ?? {};
  if (get && waiting.has(get)) return get as () => T[K];
  const value = object[key];
  return () => value;
}

export const isLate = (object: object, key: string): boolean => {
  const { get } = Object.getOwnPropertyDescriptor(object, key) ?? {};
  return get !== undefined && waiting.has(get);
};

/** Whether a schema, or a shape, is written out without any function in it. */
export const saysAll = (value: unknown): boolean => typeof value === "object" && value !== null && written.has(value);

function defineLate(spec: object, key: string, get: () => unknown): void {
  waiting.add(get);
  Object.defineProperty(spec, key, {
    get,
    set(value: unknown) {
      Object.defineProperty(this, key, { value, writable: true, enumerable: true, configurable: true });
    },
    enumerable: true,
    configurable: true,
  });
}

/** In a build twice, in which it shows if it matters how often that is done. */
function made<T>(make: () => T, saysAll: boolean): () => T {
  return () => {
    if (host.lazy === "twice") make();
    const value = make();
    if (saysAll && typeof value === "object" && value !== null) written.add(value);
    return value;
  };
}

export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

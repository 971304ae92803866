/** What is told of the environment instead of what is there. */
export type Sight = {
  /** The value that a variable is seen to have; asked each time. */
  value: (name: string, value: string | undefined) => string | undefined;
  /** Names that are seen beside those that there are; asked each time. */
  more: () => readonly string[];
};

/**
 * Puts itself before the environment, by all the names that it goes by: `process.env`, and `Bun.env` and `import.meta.env`, which
 * nobody can replace. Variables that the tool sets itself are as it sets them.
 */
export function standBefore(sight: Sight): void {
  const { env } = process;
  const values = new Map(Object.entries(env));
  for (const name of values.keys()) if (name !== "TZ") Reflect.deleteProperty(env, name); // without which it would be another zone
  const get = (name: string) => sight.value(name, values.get(name));
  const { isVariable, set } = standBehind(env, get, sight.more);
  process.env = new Proxy(env, {
    get(target, name) {
      if (name === "TZ") sight.value(name, target.TZ); // which is the zone, whatever is said
      return Reflect.get(target, name);
    },
    set: (_, name, text) => set(name, text),
    defineProperty: (_, name, { value }) => set(name, value),
    deleteProperty(target, name) {
      values.delete(String(name));
      return Reflect.deleteProperty(target, name);
    },
    ownKeys: (target) => [...new Set([...Reflect.ownKeys(target), ...values.keys(), ...sight.more()])],
    getOwnPropertyDescriptor: (target, name) =>
      Reflect.getOwnPropertyDescriptor(target, name) ?? (isVariable(name) ? described(get(name)) : undefined),
  });
}

/** Answers for all that the environment does not have, as its prototype. */
function standBehind(env: object, get: (name: string) => string | undefined, listed: () => unknown) {
  const usual: object = Object.getPrototypeOf(env);
  const isVariable = (name: string | symbol): name is string => typeof name === "string" && !(name in usual);
  function set(name: string | symbol, text: unknown): boolean {
    Object.setPrototypeOf(env, usual); // else setting it would come back here
    const done = Reflect.set(env, name, text);
    Object.setPrototypeOf(env, missing);
    return done;
  }
  const missing = new Proxy(Object.create(usual) as object, {
    get: (target, name, self) => (isVariable(name) ? get(name) : Reflect.get(target, name, self)),
    has: (target, name) => (isVariable(name) ? get(name) !== undefined : Reflect.has(target, name)),
    set: (_, name, text) => set(name, text),
    ownKeys(target) {
      listed();
      return Reflect.ownKeys(target);
    },
  });
  Object.setPrototypeOf(env, missing);
  return { isVariable, set };
}

function described(value: string | undefined): PropertyDescriptor | undefined {
  return value === undefined ? undefined : { value, writable: true, enumerable: true, configurable: true };
}

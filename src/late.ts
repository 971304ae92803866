import { host } from "./host.ts";

const makers = new WeakMap<object, () => object>();

/**
 * A build puts this round the object literal of a subcommand, so that an executable with many of them makes the schemas of
 * the one that is called. `place` tells apart where in the source it does so.
 */
export function late(place: number, name: string, make: () => object): object {
  const maker = host.late?.(place, make);
  if (!maker) return make();
  const spec = { name };
  makers.set(spec, maker);
  return spec;
}

/** The same round a schema that only subcommands use which are late themselves. */
export function lateConst<T>(make: () => T): () => T {
  const get = once(make);
  if (!host.late) get();
  return get;
}

/** What makes a spec that comes late; undefined for one that is there. */
export function makerOf<S extends object>(spec: S): (() => S) | undefined {
  return makers.get(spec) as (() => S) | undefined;
}

export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

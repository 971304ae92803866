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

/** What makes a spec that comes late; undefined for one that is there. */
export function makerOf<S extends object>(spec: S): (() => S) | undefined {
  return makers.get(spec) as (() => S) | undefined;
}

import { host } from "./host.ts";

/** A spec that is made when its subcommand is called. */
export class Late<S = object> {
  readonly name: string;
  readonly make: () => S;

  constructor(name: string, make: () => S) {
    this.name = name;
    this.make = make;
  }
}

/**
 * A build puts this round the object literal of a subcommand, so that an executable with many of them makes the schemas of
 * the one that is called. `place` tells apart where in the source it does so.
 */
export function late(place: number, name: string, make: () => object): object {
  const maker = host.late?.(place, make);
  return maker ? new Late(name, maker) : make();
}

/** The same round a schema that only subcommands use which are late themselves. */
export function lateConst<T>(make: () => T): () => T {
  const get = once(make);
  if (!host.late) get();
  return get;
}

export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

import { DOORS, PLATFORM } from "./doors.ts";
import { standBefore } from "./environment.ts";
import { type IsCommandLine, watchWords } from "./words.ts";

/** What a tool asked for that may be other in another run, and the stack of where it did so. */
export type Read = {
  what: string;
  /** Whether it is the same in every run on one kind of machine. */
  platform: boolean;
  stack: string;
};

export type Watch = {
  /** What was read so far, each thing once. */
  reads: () => readonly Read[];
  isCommandLine: IsCommandLine;
};

const { Error } = globalThis;

/** Watches from here on what is read of the command line and, `everywhere`, of the environment, the moment and the machine. */
export function watch(everywhere: boolean): Watch {
  const reads = new Map<string, Read>();
  function told(what: string, platform = false): void {
    if (reads.has(what)) return;
    const stack = stackOf();
    if (what === WORDS || !isOfEngine(stack)) reads.set(what, { what, platform, stack });
  }
  const isCommandLine = watchWords(() => told(WORDS));
  if (everywhere) {
    watchEnvironment(told);
    for (const { owner, label, names, ofPlaces = false } of DOORS)
      for (const name of names)
        watchDoor(owner, name, (args) => !(ofPlaces && isInside(args[0])) && told(`${label}.${name}`));
    for (const { owner, label, names } of PLATFORM)
      for (const name of names) watchDoor(owner, name, () => told(`${label}.${name}`, true));
    watchMoment(told);
  }
  return { reads: () => [...reads.values()], isCommandLine };
}

const WORDS = "process.argv";

type Told = (what: string) => void;

function watchEnvironment(told: Told): void {
  standBefore({
    value(name, value) {
      told(`process.env.${name}`);
      return value;
    },
    more() {
      told("process.env");
      return [];
    },
  });
}

type Heard = (args: readonly unknown[]) => unknown;

/** Watches a function or a property of the engine; what the tool puts there instead is its own. */
function watchDoor(owner: object, name: string, heard: Heard): void {
  const { value, get, configurable } = Object.getOwnPropertyDescriptor(owner, name) ?? {};
  if (typeof value === "function") Reflect.set(owner, name, watchedCall(value, heard));
  else if (configurable && (get || value !== undefined))
    Object.defineProperty(owner, name, {
      configurable,
      get() {
        heard([]);
        return get ? Reflect.apply(get, owner, []) : value;
      },
      set: (own: unknown) => Object.defineProperty(owner, name, { value: own, writable: true }),
    });
}

function watchedCall<F extends object>(call: F, heard: Heard): F {
  return new Proxy(call, {
    apply(target, self, args) {
      heard(args);
      return Reflect.apply(target as never, self, args);
    },
  });
}

/** A file in the folder of the bundle is part of the tool, and a descriptor is no place. */
function isInside(place: unknown): boolean {
  if (typeof place === "number") return true;
  if (typeof place !== "string" && !(place instanceof URL)) return false;
  return String(place)
    .replace("file://", "")
    .startsWith(`${import.meta.dirname}/`);
}

function watchMoment(told: Told): void {
  const { Date } = globalThis;
  const now = watchedCall(Date.now, () => told("Date.now"));
  globalThis.Date = new Proxy(Date, {
    construct(date, args, target) {
      if (args.length === 0) told("new Date");
      return Reflect.construct(date, args, target);
    },
    apply(date) {
      told("Date");
      return date();
    },
    get: (date, key) => (key === "now" ? now : Reflect.get(date, key)),
  });
  Date.prototype.constructor = globalThis.Date;
}

/** Where nobody's file is, or a module of the engine is loaded, the engine reads for itself. */
const isOfEngine = (stack: string) => !FILE.test(stack) || LOADING.test(stack);
const FILE = /^ +at (?:.* \()?(?:file:\/\/)?(?:\/|[A-Z]:)[^()]*:\d+:\d+\)?$/m;
const LOADING = /^ +at (?:node|internal|bun):\S+ \(/m;

/** Without the frames of this file. */
function stackOf(): string {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 30;
  const { stack = "" } = new Error("read");
  Error.stackTraceLimit = stackTraceLimit;
  const [head, ...frames] = stack.split("\n");
  const own = FRAME.exec(frames[0] ?? "")?.[1] ?? "";
  return [head, ...frames.filter((frame) => own === "" || !frame.includes(own))].join("\n");
}

const FRAME = /at (?:.* \()?([^()]+):\d+:\d+\)?$/;

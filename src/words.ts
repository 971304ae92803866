/** Whether words are those of the command line as they came, which nobody has looked at. */
export type IsCommandLine = (words: readonly string[]) => boolean;

/**
 * Watches who looks at the words of the command line, by all the names that they go by. Taking them, as `run` does, is not
 * looking at them.
 */
export function watchWords(told: () => void): IsCommandLine {
  const taken = new WeakSet<readonly string[]>();
  const { argv } = process;
  const words = watchedList(argv, (key) => isNoWord(key) || told(), {
    slice(...range: number[]): string[] {
      if (range.length !== 1 || range[0] !== 2) told();
      const rest = watchedList(argv.slice(...range), told);
      taken.add(rest);
      return rest;
    },
  });
  Object.assign(process, { argv: words });
  Object.assign(Bun, { argv: words });
  const util = process.getBuiltinModule("node:util");
  const { parseArgs } = util; // reads them where no trap sees it
  Object.assign(util, {
    parseArgs(config?: { args?: unknown }) {
      if (config?.args === undefined) told();
      return parseArgs(config as never);
    },
  });
  return (words) => taken.has(words);
}

/** The program and its file come before the words, and are the same for all of them. */
const isNoWord = (key: unknown) => key === "0" || key === "1";

const TRAPS = ["has", "set", "ownKeys", "defineProperty", "deleteProperty", "getOwnPropertyDescriptor"] as const;

function watchedList(list: string[], told: (key?: unknown) => void, own: object = {}): string[] {
  const watching = (trap: (typeof TRAPS)[number]) => (target: string[], key?: unknown, value?: unknown) => {
    told(key);
    return (Reflect[trap] as (...given: unknown[]) => unknown)(target, key, value); // without the receiver, which is the watched list
  };
  return new Proxy(list, {
    ...(Object.fromEntries(TRAPS.map((trap) => [trap, watching(trap)])) as ProxyHandler<string[]>),
    get(target, key) {
      if (Object.hasOwn(own, key)) return Reflect.get(own, key);
      told(key);
      return Reflect.get(target, key);
    },
  });
}

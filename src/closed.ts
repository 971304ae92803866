/**
 * What is loaded by a name that only shows at run time is a module of the engine, or is not there. Bun would look for it in
 * the working directory of whoever runs the executable, and in all folders above. Importing this is what closes them.
 */

import "node:module"; // which the engine compiles where it sees it, and takes three times as long for where not

type Modules = {
  isBuiltin: (name: string) => boolean;
  _resolveFilename: (name: string, ...rest: unknown[]) => string;
};
type WorkerOptions = { eval?: boolean; preload?: string | string[] };

const { inside, closeThreads } = close(import.meta.dirname);

Object.assign(globalThis, {
  /** What the build makes of a computed `import()` in a package, which no hook sees before it has looked for a file. */
  __cfa_import: async (name: unknown) => import(inside(`${name}`)),
  /** What the build makes of `import.meta.resolve`. */
  __cfa_resolve: (name: string, from: string) => (/^\.{0,2}\//.test(name) ? new URL(name, from).href : inside(name)),
  /** Called by the build where Node's Worker is named: to load it takes Bun as long as to start. */
  __cfa_threads: closeThreads,
});

/** Stands for itself, with nothing around it: a worker, which is a world of its own, is given its text. Home is what may be loaded. */
function close(home: string) {
  const modules = process.getBuiltinModule("node:module") as unknown as Modules; // types do not know the name that hooks override
  const { isBuiltin, _resolveFilename: resolveFilename } = modules;
  const { resolve, resolveSync } = Bun;

  const notFound = (name: string, code: string) =>
    Object.assign(new Error(`Cannot find module '${name}': an executable loads no code from where it runs`), { code });

  /** Whether a name is that of a module of the executable: only its own code names those by their paths. */
  const isOurs = (name: string) => name.startsWith(home) || /^\.\/(zod-runtime|lines)\.js$/.test(name);

  /** Gives a name back that is of a module of the engine, or is code that is its own address. */
  function inside(name: string, code = "ERR_MODULE_NOT_FOUND"): string {
    if (isBuiltin(name) || /^(bun(:|$)|data:|blob:)/.test(name) || isOurs(name)) return name;
    throw notFound(name, code);
  }

  modules._resolveFilename = (name, ...rest) =>
    resolveFilename.call(modules, inside(name, "MODULE_NOT_FOUND"), ...rest);
  Bun.resolve = async (name, from) => resolve(inside(name), from);
  Bun.resolveSync = (name, from) => resolveSync(inside(name), from);

  /** Code that is made of text asks the engine itself, which is stopped when it would read the file. */
  const setup = (engine: Bun.PluginBuilder) => {
    engine.onLoad({ filter: new RegExp(`^(?!${home.replace(/\W/g, "\\$&")})`) }, ({ path }) => {
      throw notFound(path, "ERR_MODULE_NOT_FOUND");
    });
  };
  Bun.plugin({ name: "closed", setup });
  Reflect.deleteProperty(globalThis, "ShadowRealm"); // another world, without these hooks; Node has none either

  const addressOf = (code: Blob | string) => URL.createObjectURL(new Blob([code]));

  function codeAt(address: string): Blob | string | undefined {
    const [, base64, code] = /^data:[^,]*?(;base64)?,(.*)$/s.exec(address) ?? [];
    if (code === undefined)
      return process.getBuiltinModule("node:buffer").resolveObjectURL(address) as Blob | undefined;
    return base64 === undefined ? decodeURIComponent(code) : Buffer.from(code, "base64").toString();
  }

  /** A worker's code is what is given; it follows on a module that closes the worker as well. */
  const closedWorker = <T extends object>(worker: T): T =>
    new Proxy(worker, {
      construct: (target, [given, options]: [unknown, WorkerOptions?], self) => {
        const isText = options?.eval === true;
        for (const name of [options?.preload ?? []].flat()) inside(`${name}`);
        const code = isText ? `${given}` : codeAt(inside(`${given}`));
        const next = JSON.stringify(addressOf(code ?? ""));
        const closing = `(${close})(${JSON.stringify(home)}).closeThreads(); await import(${next});`;
        const closed = isText ? closing : addressOf(closing);
        return Reflect.construct(target as never, [code === undefined ? given : closed, options], self) as object;
      },
    });
  globalThis.Worker = closedWorker(Worker);

  /** Node's Worker is another one. */
  function closeThreads(): void {
    const threads = process.getBuiltinModule("node:worker_threads");
    threads.Worker = closedWorker(threads.Worker);
  }

  return { inside, closeThreads };
}

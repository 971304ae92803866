/**
 * What is loaded by a name that only shows at run time is a module of the engine, or is not there. Bun would look for it in
 * the working directory of whoever runs the executable, and in all folders above. Importing this is what closes them.
 */

type Modules = {
  isBuiltin: (name: string) => boolean;
  _resolveFilename: (name: string, ...rest: unknown[]) => string;
};

const modules = process.getBuiltinModule("node:module") as unknown as Modules; // types do not know the name that hooks override
const { isBuiltin, _resolveFilename: resolveFilename } = modules;

modules._resolveFilename = (name, ...rest) => resolveFilename.call(modules, inside(name, "MODULE_NOT_FOUND"), ...rest);

/** What the build makes of a computed `import()` in a package, which no hook sees. */
Object.assign(globalThis, {
  __cfa_import: async (name: unknown) => import(inside(`${name}`, "ERR_MODULE_NOT_FOUND")),
});

/** A worker is a module that is asked for by its name, unless its code is what is given. */
const closedWorker = (worker: object): object =>
  new Proxy(worker as new (...args: unknown[]) => object, {
    construct: (target, args, self) => {
      const [file, options] = args as [unknown, { eval?: boolean }?];
      if (options?.eval !== true) inside(`${file}`, "ERR_MODULE_NOT_FOUND");
      return Reflect.construct(target, args, self) as object;
    },
  });
const threads = process.getBuiltinModule("node:worker_threads");
for (const place of [globalThis, threads]) Reflect.set(place, "Worker", closedWorker(place.Worker));

function inside(name: string, code: string): string {
  if (isBuiltin(name) || ELSEWHERE.test(name)) return name;
  throw Object.assign(new Error(`Cannot find module '${name}': an executable loads no code from where it runs`), {
    code,
  });
}

/** Modules of Bun, and code that is its own address. */
const ELSEWHERE = /^(bun(:|$)|data:|blob:)/;

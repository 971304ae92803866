/** CommonJS as it is in source, for the modules that a build has put into an executable as functions. */

type Exports = unknown;
type Evaluate = (
  this: unknown,
  exports: Exports,
  require: Require,
  module: Module,
  __filename: string,
  __dirname: string,
) => void;

/** A module: its code as a function, JSON as its text, or code that would be another in strict mode as `[text]`. */
type Definition = Evaluate | string | [sloppy: string];

/** Where what a module asks for is found, by what it writes: `[module]` of CommonJS, the path of anything else. */
type Targets = Record<string, [module: string] | string>;

type Require = ((specifier: string) => Exports) & {
  resolve: ((specifier: string) => string) & { paths: (specifier: string) => string[] | null };
  cache: Record<string, Module>;
  main: Module | undefined;
  extensions: Record<string, unknown>;
};

type Module = {
  id: string;
  path: string;
  filename: string;
  exports: Exports;
  require: Require;
  loaded: boolean;
  parent: Module | null | undefined;
  children: Module[];
  paths: string[];
};

const { defineProperty, hasOwn } = Object;
const { apply } = Reflect;
const { parse } = JSON;
const { Function } = globalThis;
const fromEngine = import.meta.require as (specifier: string) => Exports;

/** The folder of the executable's modules. */
const HOME = import.meta.dirname.replaceAll("\\", "/");

let definitions: Record<string, Definition> = {};
let targets: Record<string, Targets> = {};
let packages: Targets = {};
let loaders: Record<string, () => Exports> = {};
const cache: Record<string, Module> = { __proto__: null } as never;
const extensions = { ".js": undefined, ".json": undefined, ".node": undefined };
let main: Module | undefined;

/** What a build has written: modules by their names, the engine's modules that they ask for, and where what they ask for is. */
type Written = {
  modules: Record<string, Definition>;
  engine: Record<string, () => Exports>;
  /** `Targets` by the names of modules, and those of packages, in JSON. */
  table: string;
};

export function define({ modules, engine, table }: Written): void {
  definitions = modules;
  loaders = engine;
  ({ targets, packages } = parse(table) as { targets: Record<string, Targets>; packages: Targets });
}

const isBuiltin = (name: string) => process.getBuiltinModule("node:module").isBuiltin(name);

/** Returns the exports of a module; that of the tool itself is the main one. */
export function load(name: string, isMain = false): Exports {
  return evaluated(name, undefined, isMain).exports;
}

/** The `require` of a module of the folder, or of what `createRequire` is given. */
export function requireIn(name: string, parent?: Module): Require {
  const own = hasOwn(targets, name) ? targets[name] : undefined;
  const require = ((specifier: string) => {
    const target = own && hasOwn(own, specifier) ? (own[specifier] as string) : targetOf(name, `${specifier}`);
    return typeof target === "string" ? imported(target) : evaluated(target[0], parent).exports;
  }) as Require;
  require.resolve = ((specifier: string) =>
    pathOf(targetOf(name, `${specifier}`)).replace(/\.js#default$/, "")) as Require["resolve"];
  require.resolve.paths = pathsOf;
  require.cache = cache;
  require.extensions = extensions;
  require.main = main;
  return require;
}

const pathsOf = (specifier: string) => (isBuiltin(specifier) ? null : [`${HOME}/app/node_modules`]);

/** What is no CommonJS: a module of the engine, or an ES module of the executable. */
function imported(target: string): Exports {
  if (hasOwn(loaders, target) && !target.endsWith("module")) return loaders[target]?.();
  if (/^(node:)?module$/.test(target)) return closedModule();
  const [path = "", member] = pathOf(target).split("#");
  const exports = fromEngine(path);
  return member === undefined ? exports : (exports as { default: Exports }).default;
}

let closed: unknown;
/** Node's `module`, whose `createRequire` is closed. */
export function closedModule(): unknown {
  closed ??= new Proxy(fromEngine("node:module") as object, {
    get: (target, key) => (key === "createRequire" ? createRequire : Reflect.get(target, key)),
  });
  return closed;
}

/** What Node's `createRequire` makes, closed to the folder that the executable runs in. */
export function createRequire(from: string | URL): Require {
  const url = `${from}`;
  const path = url.startsWith("file:") ? process.getBuiltinModule("node:url").fileURLToPath(url) : url;
  return requireIn(inside(path.replaceAll("\\", "/")) ?? "app/_");
}

/**
 * The default export that the engine gives an ES module which imports CommonJS. `isModule`: the package says that its files are
 * ES modules.
 */
export function defaultOf(exports: Exports, isModule: boolean): Exports {
  if (isModule || !isMarked(exports)) return exports;
  return "default" in exports ? exports.default : exports;
}

const isMarked = (exports: Exports): exports is { default?: unknown } =>
  ((typeof exports === "object" && exports !== null) || typeof exports === "function") &&
  "__esModule" in exports &&
  exports.__esModule === true;

/** A named export of CommonJS. */
export function namedOf(exports: Exports, name: string): unknown {
  return exports === undefined || exports === null ? undefined : (exports as Record<string, unknown>)[name];
}

function evaluated(name: string, parent: Module | undefined, isMain = false): Module {
  const filename = pathOf(name);
  const known = cache[filename];
  if (known) return known;
  const definition = hasOwn(definitions, name) ? definitions[name] : undefined;
  const path = filename.slice(0, filename.lastIndexOf("/"));
  const module = {
    id: isMain ? "." : filename,
    path,
    filename,
    exports: {},
    loaded: false,
    parent,
    children: [],
    paths: [],
  } as unknown as Module;
  if (isMain) main = module;
  module.require = requireIn(name, module);
  parent?.children.push(module);
  cache[filename] = module;
  try {
    if (typeof definition === "string") module.exports = parse(definition);
    else if (definition) {
      const evaluate = typeof definition === "function" ? definition : sloppy(definition[0], name);
      apply(evaluate, module.exports, [module.exports, module.require, module, filename, path]);
    }
    module.loaded = true;
    return module;
  } catch (error) {
    delete cache[filename];
    throw error;
  }
}

/** A function that is made of text is the one way to sloppy code within modules. */
function sloppy(text: string, name: string): Evaluate {
  return Function(
    "exports",
    "require",
    "module",
    "__filename",
    "__dirname",
    `${text}\n//# sourceURL=${name}`,
  ) as Evaluate;
}

function targetOf(name: string, specifier: string): [module: string] | string {
  const own = hasOwn(targets, name) ? targets[name] : undefined;
  if (own && hasOwn(own, specifier)) return own[specifier] as string;
  if (isBuiltin(specifier) || specifier.startsWith("bun:")) return specifier;
  const isPath = /^(\.{0,2}\/|[a-z]:)/i.test(specifier) || specifier === "." || specifier === "..";
  const found = isPath
    ? fileAt(placeOf(specifier, name))
    : hasOwn(packages, specifier)
      ? packages[specifier]
      : undefined;
  if (found !== undefined) return found;
  const error = new Error(`Cannot find module '${specifier}' from '${pathOf(name)}'`);
  throw defineProperty(Object.assign(error, { code: "MODULE_NOT_FOUND", requireStack: [] }), "name", {
    value: "ResolveMessage",
    configurable: true,
    writable: true,
  });
}

const ENDINGS = ["", ".tsx", ".jsx", ".cts", ".ts", ".js", ".cjs", ".json", ".node"];

function fileAt(place: string | undefined): [module: string] | undefined {
  if (place === undefined) return undefined;
  for (const start of [place, `${place}/index`])
    for (const ending of ENDINGS) if (hasOwn(definitions, `${start}${ending}`)) return [`${start}${ending}`];
  return undefined;
}

/** The name of the module that a path leads to, from another one. */
function placeOf(specifier: string, name: string): string | undefined {
  const { posix } = process.getBuiltinModule("node:path");
  const path = specifier.replaceAll("\\", "/");
  return /^(\/|[a-z]:)/i.test(path) ? inside(path) : posix.join(posix.dirname(name), path);
}

const inside = (path: string) => (path.startsWith(`${HOME}/`) ? path.slice(HOME.length + 1) : undefined);

/** Of the engine's modules the name, of all others the path in the executable. */
function pathOf(target: [module: string] | string): string {
  const name = typeof target === "string" ? target : target[0];
  return /^(app|zod)\/|^index\.js$/.test(name) ? `${HOME}/${name}` : name;
}

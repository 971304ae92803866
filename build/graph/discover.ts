import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, extname, join, relative, sep } from "node:path";
import { isCode } from "./data.ts";
import { syntaxFault } from "./fault.ts";
import { isInstalled } from "./installed.ts";
import { withoutJsx } from "./jsx.ts";
import { languageOf, type Parsed, parse, parseScript } from "./parse.ts";
import { mayHavePlaces, type Places, placesIn } from "./places.ts";
import type { Request } from "./request.ts";
import { type How, type Resolved, resolve } from "./resolve.ts";

/** Where a specifier of a module leads. */
export type Target =
  | { to: "module"; path: string }
  | { to: "data"; path: string; type: string | undefined }
  | { to: "zod"; path: string }
  | { to: "macro"; path: string }
  | { to: "runtime" }
  | { to: "lazy" }
  | { to: "lazy zod"; path: string }
  | { to: "engine"; name: string }
  | { to: "nowhere"; why: string };

/** A module of the graph. */
export type Module = {
  path: string;
  code: string;
  /** What its file holds, where that is something else. */
  original?: string;
  isAuthors: boolean;
  format: "esm" | "commonjs" | "json";
  parsed: Parsed;
  places: Places;
  /** Where an import statement, an export of another module or an `import()` leads, by its specifier and type. */
  imports: (specifier: string, type?: string) => Target;
  /** What is imported by the statements that are not of types alone. */
  isImported: (specifier: string) => boolean;
  /** Where `require` leads, by what it is called with; of JSON nothing. */
  requires: ReadonlyMap<string, Target>;
};

/** What a tool is made of, and the folder of its Zod. */
export type Asking = Request & { zod: string };

/** Finds all modules that a tool may load, in the order in which the engine comes to them. */
export function discover(request: Asking): Module[] {
  const modules = new Map<string, Module>();
  const pending = [request.entry];
  for (const path of pending) {
    if (modules.has(path)) continue;
    const module = readModule(path, request);
    modules.set(path, module);
    for (const target of targetsOf(module))
      if (target.to === "module" && !modules.has(target.path)) pending.push(target.path);
  }
  return [...modules.values()];
}

/** All that a module may load, statically first. */
export function targetsOf({ parsed, imports, isImported, requires, format }: Module): Target[] {
  if (format === "json") return [];
  const statements = parsed.imports.filter(({ specifier }) => isImported(specifier));
  const calls = parsed.calls.flatMap(({ specifier, type }) =>
    specifier === undefined ? [] : [imports(specifier, type)],
  );
  return [...statements.map(({ specifier, type }) => imports(specifier, type)), ...requires.values(), ...calls];
}

const NO_PLACES: Places = { beside: [], unclear: [], required: [], patterns: [], free: new Set(), metas: [] };

function readModule(path: string, request: Asking): Module {
  const code = readFileSync(path, "utf8")
    .replace(/^\uFEFF/, "")
    .replace(/^#!.*/, "")
    .replace(/^\/\/ @bun\b.*/, ""); // Bun drops what it takes for its own
  const isAuthors = !isInstalled(path);
  if (extname(path) === ".json") return { ...dataModule(path, code), isAuthors };
  return { ...moduleOf(path, code, request), isAuthors };
}

function dataModule(path: string, code: string): Omit<Module, "isAuthors"> {
  const imports = (): Target => ({ to: "nowhere", why: "" });
  const parsed = parse("data.js", "");
  return {
    path,
    code,
    format: "json",
    parsed,
    places: NO_PLACES,
    imports,
    isImported: () => false,
    requires: new Map(),
  };
}

/** A module with this text, which may be another than that of its file. */
export function moduleOf(
  path: string,
  text: string,
  request: Asking,
  known?: Module["imports"],
): Omit<Module, "isAuthors"> {
  const installed = isInstalled(path);
  const isScript = installed && /\.c?js$/.test(path) && !/\b(import|export)\b/.test(text);
  const written = isScript ? parseScript(path, text) : parse(path, text);
  const code = withoutJsx(path, text, written.program) ?? text;
  const parsed = code === text ? written : parse(path, code);
  const format = formatOf(path, parsed);
  const [error] = parsed.errors;
  if (error && (format === "esm" || !installed)) throw syntaxFault({ path, code }, error, request.root);
  const fault = (error || isScript) && faultIn(path, code);
  if (fault) return brokenModule(path, fault);
  const places = mayHavePlaces(code, format) ? placesIn(parsed.program()) : NO_PLACES;
  const find = (specifier: string, how: How, type?: string): Target => {
    if (specifier === LAZY) return { to: "lazy" };
    if (specifier.startsWith(LAZY_ZOD)) return lazily(find(specifier.slice(LAZY_ZOD.length), how, type));
    return known && how === "import" ? known(specifier, type) : findFrom(path, specifier, how, type, request);
  };
  const memory = new Map<string, Target>();
  const imports = (specifier: string, type?: string) => {
    const key = `${type} ${specifier}`;
    const target = memory.get(key) ?? find(specifier, "import", type);
    memory.set(key, target);
    return target;
  };
  const scanned = () => scanner(languageOf(path)).scanImports(code);
  const isTyped = /^tsx?$/.test(languageOf(path));
  const imported = new Set(isTyped ? scanned().map((one) => one.path) : []);
  const isDecorated = isTyped && /^\s*@\w/m.test(code); // its types may be told at run time
  const isImported = (specifier: string) =>
    !isTyped ||
    imported.has(specifier) ||
    isOurs(specifier) ||
    (isDecorated && find(specifier, "import").to !== "nowhere");
  const words =
    format === "commonjs"
      ? [...scanned().flatMap((one) => (one.kind === "require-call" ? [one.path] : [])), ...places.required]
      : places.required;
  const requires = new Map([...new Set(words)].map((word) => [word, find(word, "require")] as const));
  if (!installed) return { path, code, format, parsed, places, imports, isImported, requires };
  for (const [word, target] of matching(places, path, request)) if (!requires.has(word)) requires.set(word, target);
  return { path, code, format, parsed, places, imports, isImported, requires };
}

/** Why the engine does not take it: of sloppy code it knows more than the parser. */
function faultIn(path: string, code: string): { message: string } | undefined {
  try {
    scanner(languageOf(path)).scanImports(code);
    return undefined;
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error) };
  }
}

/** A file of a package that is no code, though it is called so: it throws once somebody loads it. */
function brokenModule(path: string, { message }: { message: string }): Omit<Module, "isAuthors"> {
  return { ...dataModule(path, `throw new SyntaxError(${JSON.stringify(message)});`), format: "commonjs" };
}

/** What the build writes into the author's modules: the runtime's part of laziness, and modules of Zod that are loaded late. */
const LAZY = "cfa:lazy";
const LAZY_ZOD = "cfa:zod/";
const isOurs = (specifier: string) => specifier.startsWith("cfa:");
const lazily = (target: Target): Target => (target.to === "zod" ? { to: "lazy zod", path: target.path } : target);

const scanners = new Map<string, Bun.Transpiler>();
function scanner(loader: "js" | "jsx" | "ts" | "tsx"): Bun.Transpiler {
  const known = scanners.get(loader) ?? new Bun.Transpiler({ loader, target: "bun", trimUnusedImports: true });
  scanners.set(loader, known);
  return known;
}

/** As the engine takes it: by the name of the file, then by its syntax. */
function formatOf(path: string, { isModule, code }: Parsed): "esm" | "commonjs" {
  if (/\.m[jt]s$/.test(path)) return "esm";
  if (/\.c[jt]s$/.test(path)) return "commonjs";
  return !isModule && /\b(require|module|exports|__dirname|__filename|arguments|with|this)\b/.test(code)
    ? "commonjs"
    : "esm";
}

/** The runtime is the one that comes with `cfa`, and so is Zod where the tool has none. */
function findFrom(path: string, specifier: string, how: How, type: string | undefined, request: Asking): Target {
  const { runtime } = request;
  if (specifier === runtime.name) return { to: "runtime" };
  const found = resolve(specifier, path, how);
  const isMissing = found.to === "nowhere" && /^zod(\/|$)/.test(specifier);
  const target = targetOf(isMissing ? resolve(specifier, join(runtime.folder, "_"), how) : found, type, request);
  return how === "require" && target.to === "data" && target.path.endsWith(".json")
    ? { to: "module", path: target.path }
    : target;
}

function targetOf(resolved: Resolved, type: string | undefined, { runtime, zod }: Asking): Target {
  if (resolved.to !== "file") return resolved;
  const { path } = resolved;
  if (path.startsWith(`${runtime.folder}${sep}`) && basename(path).startsWith("index.")) return { to: "runtime" };
  if (path.startsWith(`${zod}${sep}`) && /\.m?js$/.test(path)) return { to: "zod", path };
  if (type === "macro") return { to: "macro", path };
  return isCode(path, type) ? { to: "module", path } : { to: "data", path, type };
}

/** The files that a name which is put together may lead to, by what would be written. */
function matching({ patterns }: Places, path: string, request: Asking): [word: string, target: Target][] {
  const folder = dirname(path);
  return patterns.flatMap(({ start }) => {
    if (!/^\.\.?\/./.test(start)) return [];
    const within = start.endsWith("/") ? join(folder, start) : dirname(join(folder, start));
    return filesIn(within).flatMap((file): [string, Target][] => {
      const word = `./${relative(folder, file).replaceAll(sep, "/")}`.replace(/^\.\/\.\.\//, "../");
      if (!word.startsWith(start.replace(/^\.\/\.\//, "./")) || !/\.(c?js|json|node)$/.test(file)) return [];
      return [[word, findFrom(path, word, "require", undefined, request)]];
    });
  });
}

/** As many as a package may have of what it chooses from. */
const MOST = 2000;

function filesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, encoding: "utf8" }).slice(0, MOST);
    return entries
      .filter((entry) => !entry.includes("node_modules"))
      .map((entry) => join(folder, entry))
      .filter((path) => statSync(path).isFile())
      .sort();
  } catch {
    return []; // it is not there, which is for the run to find out
  }
}

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { addonWarnings, selfWarnings } from "./addons.ts";
import { askedOf } from "./asked.ts";
import { inCircles } from "./circles.ts";
import { commonOf, untyped } from "./common.ts";
import { COMMONJS, renderCommons, renderFacade, type Targets } from "./commonjs.ts";
import { readData } from "./data.ts";
import { discover, type Module, targetsOf } from "./discover.ts";
import { assetsOf, renderFirst, targetsIn, type Written, writeModule } from "./esmodule.ts";
import { GraphFault, isFault, refuse, workerWarnings } from "./fault.ts";
import { withLazy } from "./lazy.ts";
import { commonsFrom, isAddon, kindOf, type Links, lazyZodModule, requiredAs, WRAPPED, zodModule } from "./link.ts";
import { between, namesIn } from "./names.ts";
import { findZod, otherRuntime } from "./ours.ts";
import type { Graph, Request } from "./request.ts";
import { tsconfigsOf } from "./tsconfig.ts";
import { asksByName } from "./unresolved.ts";

export { GraphFault, isFault };

/** Fills a folder with the modules that an executable holds, and tells what they are. Throws a fault. */
export async function makeGraph(request: Request): Promise<Graph> {
  const zod = findZod(request);
  const { modules, notes } = withLazy(discover({ ...request, zod }), { ...request, zod });
  const links: Links = {
    request,
    zod,
    byPath: new Map(modules.map((module) => [module.path, module])),
    names: namesIn(request.root),
  };
  for (const module of modules) refuse(module, links);
  const asked = askedOf(modules, links);
  const esmodules = modules.filter(({ format }) => format === "esm");
  const commons = modules.filter(({ format }) => format !== "esm");
  const data = await Promise.all(asked.data.map(({ path, type }) => writeData(path, type, links)));
  const written = [
    ...esmodules.map((module) => writeModule(module, links)),
    ...[...asked.commons].map(([path, exported]) => writeFacade(path, exported, links)),
    ...data,
    { files: lazyZodOf(modules, links), assets: [], warnings: [] },
    ...commons.map((module) => ({ files: [], ...assetsOf(module, links) })),
    { files: [...writeOurs(modules, links)], assets: addonsOf(modules, links), warnings: [] },
  ];
  const others = esmodules.map(
    (module) => [links.names.named(module.path, "code").module, targetsIn(module, links)] as const,
  );
  const commonModules = commons.map((module) => commonOf(module, links));
  const registry = renderCommons(
    commonModules.map(({ common }) => common),
    Object.fromEntries(others.filter(([, targets]) => Object.keys(targets).length > 0)),
    packagesOf(modules, links),
    enginesOf(modules),
  );
  const files = new Map([...written, ...commonModules].flatMap((one) => one.files));
  const asksForCommons = commons.length > 0 || [...files.values()].some((text) => text.includes(COMMONJS));
  if (asksForCommons) files.set(COMMONJS, registry.text);
  const assets = new Map(written.flatMap((one) => one.assets));
  const circles = new Set([...inCircles(esmodules)].map((path) => links.names.named(path, "code").file));
  const settings = tsconfigsOf(modules, links);
  for (const [file, text] of [...files, ...settings]) put(request.folder, file, (path) => writeFileSync(path, text));
  for (const [file, from] of assets)
    for (const place of [file, `${ASSETS}/${file}`]) put(request.folder, place, (path) => copyFileSync(from, path));
  for (const file of circles)
    put(request.folder, `${ASSETS}/${file.replace(/\.[jt]sx?$/, ".js")}`, (path) =>
      writeFileSync(path, verbatim(files.get(file) ?? "", file)),
    );
  return {
    modules: [...files.keys()].filter((file) => !circles.has(file)).sort(),
    others: [...circles, ...assets.keys()].sort(),
    settings: settings.map(([file]) => file),
    files: [...modules.map(({ path }) => path), ...assets.values(), ...asked.data.map(({ path }) => path)],
    zodFolder: zod,
    zod: [...asked.zod].map(([path, names]) => ({
      path,
      module: zodModule(path, zod).slice(0, -3),
      names: names === "all" ? names : [...names].sort(),
    })),
    lines: { commonjs: registry.lines, renamed: renamedIn(esmodules, links) },
    asksForPlaces: asksForPlaces(modules),
    notes,
    warnings: [
      ...otherRuntime(request),
      ...addonWarnings(modules, new Set(assets.values())),
      ...selfWarnings(modules),
      ...workerWarnings(modules),
      ...written.flatMap((one) => one.warnings),
    ],
  };
}

/** The folder of what is embedded as it is. */
const ASSETS = "assets";

/** Files of another extension than in the source. */
function renamedIn(esmodules: readonly Module[], { names }: Links): Record<string, string> {
  const pairs = esmodules.map(({ path }) => [names.named(path, "code").file, names.placed(path)] as const);
  return Object.fromEntries(pairs.filter(([file, placed]) => file !== placed));
}

function put(folder: string, file: string, write: (path: string) => void): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  write(path);
}

/** The start of the tool, and what stands for modules of the engine. */
function* writeOurs(modules: readonly Module[], links: Links): Generator<readonly [string, string]> {
  const { byPath, names, request } = links;
  const entry = byPath.get(request.entry) as Module;
  const isModule = entry.format === "esm";
  const { file, module } = names.named(entry.path, "code");
  const main = isModule ? { file, module } : { file: names.placed(entry.path), module: names.placed(entry.path) };
  const engine = new Set(modules.flatMap(engineModulesOf));
  const closing = modules.some(asksByName)
    ? `import "./closed.js";\n${engine.has("threads.js") ? 'import "./closed-threads.js";\n' : ""}`
    : "";
  const first = isModule ? renderFirst(commonsFrom(entry, links), "tool-first.js", links) : "";
  yield ["tool-path.js", renderPath(main)];
  if (asksForPlaces(modules)) yield ["tool-places.js", PLACES];
  if (closing !== "" || first !== "") yield ["tool-first.js", `import "./tool-path.js";\n${closing}${first}`];
  const start = closing !== "" || first !== "" ? "./tool-first.js" : "./tool-path.js";
  yield [
    "tool.js",
    `import ${JSON.stringify(start)};\n${isModule ? renderTool(module) : renderCommonTool(main.module)}`,
  ];
  if (engine.has("module.js")) yield ["module.js", MODULE];
  if (engine.has("threads.js")) yield ["threads.js", THREADS];
  if (engine.has("threads.js")) yield ["closed-threads.js", 'import "./closed.js";\n__cfa_threads();\n'];
}

/** The modules of the engine that `require` is asked for. */
function enginesOf(modules: readonly Module[]): string[] {
  const targets = modules.flatMap(({ requires }) => [...requires.values()]);
  return [...new Set(targets.flatMap((target) => (target.to === "engine" ? [target.name] : [])))].sort();
}

/** The modules of the engine that others stand for, where a module asks for one. */
function engineModulesOf({ parsed, imports, requires, format }: Module): string[] {
  if (format === "json") return [];
  const targets = [
    ...parsed.imports.map(({ specifier, type }) => imports(specifier, type)),
    ...parsed.calls.flatMap(({ specifier, type }) => (specifier === undefined ? [] : [imports(specifier, type)])),
    ...requires.values(),
  ];
  return targets.flatMap((target) => (target.to === "engine" ? [WRAPPED[target.name] ?? ""] : []));
}

/** The tool's own module is what the process runs, as in source: guards ask for that. */
const renderPath = ({
  file,
  module,
}: {
  file: string;
  module: string;
}) => `const separator = process.platform === "win32" ? "\\\\" : "/";
const name = Bun.isStandaloneExecutable ? ${JSON.stringify(module)} : ${JSON.stringify(file)};
Bun.main = process.argv[1] = [import.meta.dirname, ...name.split("/")].join(separator);
`;

const asksForPlaces = (modules: readonly Module[]) => modules.some(({ code }) => code.includes("realpath"));

/** The modules of an executable are real, though no file system has them: who looks whether it is the main one follows links first. */
const PLACES = `const fs = process.getBuiltinModule("node:fs");
const isOurs = (path) => String(path).replaceAll("\\\\", "/").startsWith(import.meta.dirname.replaceAll("\\\\", "/"));
for (const [owner, name] of [[fs, "realpathSync"], [fs.promises, "realpath"]]) {
  const real = owner[name];
  owner[name] = Object.assign((path, ...options) => (isOurs(path) ? String(path) : real(path, ...options)), real);
}
`;

const renderTool = (module: string) => `import * as tool from ${JSON.stringify(between("tool.js", module))};
export default tool.default;
`;

const renderCommonTool = (name: string) => `import { load } from "./framework.js";
import ${JSON.stringify(`./${COMMONJS}`)};
export default load(${JSON.stringify(name)}, true);
`;

const MODULE = `import { closedModule, createRequire } from "./framework.js";
import "./${COMMONJS}";
export * from "node:module";
const Module = closedModule();
export { createRequire, Module };
export default Module;
`;

const NAMES = `BroadcastChannel, getEnvironmentData, isMainThread, markAsUntransferable, MessageChannel, MessagePort,
  moveMessagePortToContext, parentPort, receiveMessageOnPort, resourceLimits, SHARE_ENV, setEnvironmentData, threadId, Worker,
  workerData`;
const THREADS = `const threads = process.getBuiltinModule("node:worker_threads");
export const { ${NAMES} } = threads;
export default threads;
`;

function lazyZodOf(modules: readonly Module[], { zod }: Links): Written["files"] {
  const targets = modules.flatMap(targetsOf);
  return targets.flatMap((target) => {
    if (target.to !== "lazy zod") return [];
    const module = lazyZodModule(target.path, zod);
    return [[module, renderLazyZod(zodModule(target.path, zod))] as const];
  });
}

const renderLazyZod = (module: string) => `let all;
export const zod = () => (all ??= import.meta.require(import.meta.dirname + ${JSON.stringify(`/${module}`)}));
`;

function writeFacade(path: string, exported: ReadonlySet<string>, { names }: Links): Written {
  const { file, module } = names.named(path, "code");
  return {
    files: [
      [`${file.replace(/\.[jt]sx?$/, "")}.js`, renderFacade(module, names.placed(path), exported, isOfModules(path))],
    ],
    assets: [],
    warnings: [],
  };
}

/** Whether the package of a file says that its files are ES modules. */
function isOfModules(path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    try {
      const { type } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { type?: string };
      return type === "module";
    } catch {}
    if (folder === dirname(folder)) return false;
  }
}

async function writeData(path: string, type: string | undefined, { names }: Links): Promise<Written> {
  const { file, module } = names.named(path, kindOf(type));
  const data = await readData(path, type);
  if (data.is === "data") return { files: [[file, data.text]], assets: [], warnings: [] };
  const placed = names.placed(path);
  const place = `import.meta.dirname.replaceAll("\\\\", "/") + ${JSON.stringify(`/${between(module, placed).replace(/^\.\//, "")}`)}`;
  if (isAddon({ path })) {
    const text = `export default import.meta.require(${place});\n`;
    return { files: [[file, text]], assets: [[placed, path]], warnings: [] };
  }
  const text = data.is === "file" ? `export default ${place};\n` : renderDatabase(place);
  return { files: [[file, text]], assets: [[placed, path]], warnings: [] };
}

/** A database that is embedded is in memory. */
const renderDatabase = (place: string) => `import { Database } from "bun:sqlite";
import { readFileSync } from "node:fs";
const bytes = readFileSync(${place});
export const db = bytes.length > 0 ? Database.deserialize(bytes) : new Database(":memory:");
export default db;
`;

/** Native addons, which the engine loads by their paths. */
function addonsOf(modules: readonly Module[], { names }: Links): Written["assets"] {
  const targets = modules.flatMap(({ requires }) => [...requires.values()]);
  return targets.flatMap((target) =>
    target.to === "data" && isAddon(target) ? [[names.placed(target.path), target.path] as const] : [],
  );
}

/** As the engine reads it when it runs, without compiled code. */
const verbatim = (code: string, file: string) => (/\.tsx?$/.test(file) ? untyped(code, file) : code);

/** What a name of a package leads to, for `require` with a name that only shows when it is called. */
function packagesOf(modules: readonly Module[], links: Links): Targets {
  const targets: Targets = {};
  for (const { requires, isAuthors } of modules)
    for (const [word, target] of requires) {
      const required = /^[./]/.test(word) || target.to === "engine" ? undefined : requiredAs(target, links);
      if (required !== undefined && (isAuthors || !Object.hasOwn(targets, word))) targets[word] = required;
    }
  return targets;
}

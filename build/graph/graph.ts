import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { addonWarnings, selfWarnings } from "./addons.ts";
import { askedOf } from "./asked.ts";
import { inCircles } from "./circles.ts";
import { commonOf, untyped } from "./common.ts";
import { COMMONJS, renderCommons, renderFacade, type Targets } from "./commonjs.ts";
import { discover, type Module, targetsOf } from "./discover.ts";
import { assetsOf, targetsIn, type Written, writeModule } from "./esmodule.ts";
import { GraphFault, isFault, refuse, workerWarnings } from "./fault.ts";
import { addonsOf, writeData } from "./files.ts";
import { manifestIn } from "./installed.ts";
import { withLazy } from "./lazy.ts";
import { type Links, lazyZodModule, requiredAs, zodModule } from "./link.ts";
import { namesIn } from "./names.ts";
import { findZod, otherRuntime } from "./ours.ts";
import type { Graph, Request } from "./request.ts";
import { asksForPlaces, writeStart } from "./start.ts";
import { tsconfigsOf } from "./tsconfig.ts";

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
    { files: [...writeStart(modules, links)], assets: addonsOf(modules, links), warnings: [] },
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

/** The modules of the engine that `require` is asked for. */
function enginesOf(modules: readonly Module[]): string[] {
  const targets = modules.flatMap(({ requires }) => [...requires.values()]);
  return [...new Set(targets.flatMap((target) => (target.to === "engine" ? [target.name] : [])))].sort();
}

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
    const manifest = manifestIn(folder);
    if (manifest) return manifest.type === "module";
    if (folder === dirname(folder)) return false;
  }
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

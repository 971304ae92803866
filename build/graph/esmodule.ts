import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import MagicString from "magic-string";
import type { Module } from "./discover.ts";
import { isInstalled } from "./installed.ts";
import { commonsFrom, type Links, linkTo, requiredAs, statementsOf } from "./link.ts";
import { between } from "./names.ts";
import { placeIn } from "./where.ts";

/** Files of the folder with their texts, files of the source to copy beside them, and what the author should know. */
export type Written = {
  files: (readonly [file: string, text: string])[];
  assets: (readonly [file: string, path: string])[];
  warnings: string[];
};

/**
 * An ES module as it stands in the folder: the text of its file, in its lines, but for where it imports from. The engine makes
 * of it what it makes of the source.
 */
export function writeModule(module: Module, links: Links): Written {
  const { places } = module;
  const { file, module: own } = links.names.named(module.path, "code");
  const text = new MagicString(module.code);
  const files: Written["files"] = [];
  for (const { at, attributes, target, specifier } of statementsOf(module)) {
    const link = linkTo(target, own, links) ?? missing(specifier, own, files);
    text.update(at.start, at.end, JSON.stringify(link));
    if (attributes.end > attributes.start && target.to !== "engine" && target.to !== "macro")
      text.remove(attributes.start, attributes.end);
  }
  for (const call of module.parsed.calls) linkCall(call, module, links, text, files);
  for (const { start, end } of module.parsed.unnamed) {
    text.appendLeft(start, "({ default: ");
    text.appendRight(end, " }).default;"); // its name, which the engine would make of that of the file
  }
  const ours: string[] = [];
  for (const { start, end, member } of places.metas) text.update(start, end, META[member] ?? "require");
  if (usesRequire(module)) {
    ours.push(`import { requireIn as __cfa_require_in } from ${JSON.stringify(between(own, "framework.js"))};`);
    ours.push(
      `import ${JSON.stringify(between(own, "commonjs-modules.js"))};`,
      `var require = __cfa_require_in(${JSON.stringify(own)});`,
    );
  }
  if (places.free.has("__dirname")) ours.push("var __dirname = import.meta.dirname;"); // which the engine would make a text of
  if (places.free.has("__filename")) ours.push("var __filename = import.meta.filename;");
  text.prepend(ours.join(" "));
  return { files: [...files, [file, text.toString()]], ...assetsOf(module, links) };
}

/** What is of `src/closed`. */
const META: Record<string, string> = {
  resolve: "((specifier) => __cfa_resolve(specifier, import.meta.url))",
  resolveSync: "Bun.resolveSync",
  require: "require",
  "===": "import.meta.main",
  "!==": "!import.meta.main",
};

export const usesRequire = ({ format, places }: Module) =>
  format === "esm" && (places.free.has("require") || places.metas.some(({ member }) => member === "require"));

function linkCall(
  { start, end, argument, specifier, type }: Module["parsed"]["calls"][number],
  module: Module,
  links: Links,
  text: MagicString,
  files: Written["files"],
): void {
  const { module: own } = links.names.named(module.path, "code");
  if (specifier === undefined) {
    text.update(start, start + "import".length, "__cfa_import");
    return;
  }
  const target = module.imports(specifier, type);
  const link = linkTo(target, own, links) ?? missing(specifier, own, files);
  text.update(argument.start, target.to === "data" ? end - 1 : argument.end, JSON.stringify(link)); // the type has been told by now
  const loaded = target.to === "module" ? links.byPath.get(target.path) : undefined;
  if (loaded?.format !== "esm") return;
  const commons = commonsFrom(loaded, links);
  if (commons.length === 0) return;
  const first = `${links.names.named(loaded.path, "code").module.slice(0, -3)}.first.js`;
  files.push([first, renderFirst(commons, first, links)]);
  text.appendLeft(start, `import(${JSON.stringify(between(own, first))}).then(() => `);
  text.appendRight(end, ")");
}

/** A module that has the modules of CommonJS run which the engine runs first. */
export function renderFirst(commons: readonly string[], from: string, { names }: Links): string {
  return commons.map((path) => `import ${JSON.stringify(between(from, names.named(path, "code").module))};\n`).join("");
}

/** A module that is not found, once somebody asks for it. */
export function missing(specifier: string, from: string, files: Written["files"]): string {
  const file = `missing/${specifier.replace(/[^\w.@-]/g, "_")}-${Buffer.from(specifier).toString("hex").slice(-8)}.js`;
  const message = JSON.stringify(`Cannot find package '${specifier}'`);
  files.push([
    file,
    `throw Object.assign(new Error(${message}), { name: "ResolveMessage", code: "ERR_MODULE_NOT_FOUND" });\nexport {};\n`,
  ]);
  return between(from, file);
}

/** The files beside a module that it names by their paths. */
export function assetsOf(module: Module, { names, request }: Links): Pick<Written, "assets" | "warnings"> {
  const folder = dirname(module.path);
  const paths = module.places.beside.map(({ path }) => join(folder, path));
  const named = paths.filter((path) => isInside(path, module.path)).flatMap(filesAt);
  const isUnclear = module.places.unclear.length > 0 || paths.some((path) => !isInside(path, module.path));
  const data = !module.isAuthors && isUnclear ? dataIn(folder) : [];
  const assets = [...named, ...data].map((path) => [names.placed(path), path] as const);
  const warnings = module.isAuthors
    ? module.places.unclear.map(
        (at) =>
          `${placeIn(module, at, request.root)} makes a path that only shows at run time, of a folder that is inside of the executable: write it out, such as new URL("./words.txt", import.meta.url), or import the file with { type: "file" }`,
      )
    : [];
  return { assets, warnings: [...warnings, ...absentIn(module)] };
}

/** What is said of what the author asks for in a way that goes on without it. */
function absentIn({ isAuthors, format, parsed, imports, requires }: Module): string[] {
  if (!isAuthors || format === "json") return [];
  const called = parsed.calls.flatMap(({ specifier, type }) =>
    specifier !== undefined && imports(specifier, type).to === "nowhere" ? [specifier] : [],
  );
  const required = [...requires].flatMap(([word, target]) => (target.to === "nowhere" ? [word] : []));
  return [...new Set([...called, ...required])].map(
    (name) => `${JSON.stringify(name)} is not there, so the executable will not find it either`,
  );
}

/** As many files as a folder may have that is embedded. */
const MOST = 500;

function filesAt(path: string): string[] {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  const entries = readdirSync(path, { recursive: true, encoding: "utf8" });
  const files = entries
    .map((entry) => join(path, entry))
    .filter((file) => !isInstalled(file) && statSync(file).isFile());
  return files.length > MOST ? [] : files.sort();
}

/** Bytes of data that a package may have beside a module which looks for some of them. */
const MOST_BYTES = 1 << 24;

/** What lies in a folder and is no code; nothing where that is too much. */
function dataIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && DATA.test(entry.name))
    .map(({ name }) => join(folder, name));
  const bytes = files.reduce((sum, path) => sum + statSync(path).size, 0);
  return files.length > MOST || bytes > MOST_BYTES ? [] : files.sort();
}

const DATA =
  /^(?!package\.json$|tsconfig|readme|license|changelog).*(\.d\.[cm]?ts|\.(?!([cm]?[jt]sx?|map|md|node)$)[^.]+)$/i;

/** A folder above the module is not beside it. */
function isInside(path: string, module: string): boolean {
  return !module.startsWith(path.endsWith(sep) ? path : `${path}${sep}`);
}

export const targetsIn = (module: Module, links: Links) =>
  Object.fromEntries(
    [...module.requires].flatMap(([word, target]) => {
      const required = requiredAs(target, links);
      return required === undefined ? [] : [[word, required] as const];
    }),
  );

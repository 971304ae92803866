import { basename, dirname, extname, relative } from "node:path";
import { manifestIn } from "./installed.ts";

/** Where a file of the source lies in the folder, and where the engine puts the module that it compiles of it. */
export type Name = { file: string; module: string };

/** The folder of the author's modules and of the packages, in which they lie as they do in the source. */
export const TREE = "app";

/**
 * Names the files of a graph by their places in the project, the packages by theirs in `node_modules`: not by where this
 * machine keeps them. A second package of a name is told apart by its version.
 */
export function namesIn(root: string): Names {
  const named = new Map<string, Name>();
  const taken = new Set<string>();
  const folders = new Map<string, string>();
  const placed = (path: string) => `${TREE}/${clean(placeOf(path, root, folders))}`;
  return {
    placed,
    named(path, kind) {
      const key = `${kind} ${path}`;
      const name = named.get(key) ?? free(placed(path), kind, taken);
      named.set(key, name);
      return name;
    },
  };
}

export type Names = {
  /** The place of a file that is embedded as it is, and of a module of CommonJS. */
  placed: (path: string) => string;
  /** The names of an ES module, which is code, or made for a file that is imported as something else. */
  named: (path: string, kind: "code" | (string & {})) => Name;
};

const LANGUAGES: Record<string, string> = { "": ".ts", ".mjs": ".js", ".cjs": ".js", ".mts": ".ts", ".cts": ".ts" };

/** Two files may compile to one name, such as `a.ts` and `a.js`. */
function free(place: string, kind: string, taken: Set<string>): Name {
  const extension = extname(place);
  const isCode = kind === "code";
  const language = isCode ? (LANGUAGES[extension] ?? extension) : ".js";
  const stem = isCode ? place.slice(0, -extension.length || undefined) : place;
  for (let count = 0; ; count++) {
    const tried = count === 0 ? stem : `${place}${count === 1 ? "" : `.${count}`}`;
    const module = `${tried}.js`;
    if (taken.has(module.toLowerCase())) continue;
    taken.add(module.toLowerCase()); // for a file system that does not tell them apart
    return { file: `${tried}${/^\.[jt]sx?$/.test(language) ? language : ".js"}`, module };
  }
}

function placeOf(path: string, root: string, folders: Map<string, string>): string {
  const parts = path.split("/node_modules/");
  const installed = parts.at(-1) as string;
  if (parts.length > 1) {
    const [name = ""] = /^(@[^/]+\/)?[^/]+/.exec(installed) ?? [];
    const folder = path.slice(0, -(installed.length - name.length));
    return `node_modules/${folderOf(name, folder, folders)}${installed.slice(name.length)}`;
  }
  const fromRoot = relative(root, path).replaceAll("\\", "/");
  if (!fromRoot.startsWith("../") && !/^[a-z]:/i.test(fromRoot)) return fromRoot;
  const folder = packageAround(dirname(path));
  return `node_modules/${folderOf(nameOf(folder), folder, folders)}/${relative(folder, path).replaceAll("\\", "/")}`;
}

function folderOf(name: string, folder: string, folders: Map<string, string>): string {
  const { version = "0.0.0" } = manifestIn(folder) ?? {};
  for (const tried of [name, `${name}@${version}`]) {
    const other = folders.get(tried);
    if (other !== undefined && other !== folder) continue;
    folders.set(tried, folder);
    return tried;
  }
  return `${name}@${version}-${[...folders.keys()].filter((key) => key.startsWith(`${name}@${version}`)).length + 1}`;
}

/** What is linked from outside of the project. */
function packageAround(folder: string): string {
  const above = dirname(folder);
  return manifestIn(folder)?.name !== undefined || above === folder ? folder : packageAround(above);
}

const nameOf = (folder: string) => manifestIn(folder)?.name ?? basename(folder);

/** Bun takes a question mark for a query. */
const clean = (place: string) => place.replace(/[?#*"<>|:\\]/g, "_");

/** A specifier that leads from one module of the folder to another. */
export function between(from: string, to: string): string {
  const path = relative(dirname(`/${from}`), `/${to}`).replaceAll("\\", "/");
  return path.startsWith(".") ? path : `./${path}`;
}

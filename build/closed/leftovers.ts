import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { resolve } from "node:path";
import type { Message, Metafile, Plugin } from "esbuild";
import { isPackages } from "../bundle/inputs.ts";
import { ASKED } from "../bundle/resolve.ts";
import { usesZod3 } from "../bundle/zod3.ts";

/** What a bundle leaves to be found when it runs, which a second bundle closes. */
export type Leftovers = {
  /** Whether there are schemas of `zod/v3`, which want their converter. */
  zod3: boolean;
  /** What is imported, guarded by a `catch`, and is not there. */
  guarded: ReadonlySet<string>;
  /** Those of the author's files. */
  authors: readonly string[];
  /** Where packages call `import()` with a name that only shows at run time. */
  computed: ReadonlyMap<string, readonly Place[]>;
};

type Place = { line: number; column: number };
type Built = { warnings: readonly Message[]; metafile: Metafile };

export const NONE: Leftovers = { zod3: false, guarded: new Set(), authors: [], computed: new Map() };

/** Nothing where nothing is left over. */
export function leftoversOf({ warnings, metafile }: Built, root: string): Leftovers | undefined {
  const left = Object.entries(metafile.inputs).flatMap(([file, { imports }]) =>
    imports.filter(isLeft).map(({ path }) => ({ file, path })),
  );
  const guarded = new Set(left.map(({ path }) => path));
  const authors = new Set(left.filter(({ file }) => !isPackages(file, root)).map(({ path }) => path));
  const computed = new Map<string, Place[]>();
  for (const { id, location } of warnings) {
    if (id !== "unsupported-dynamic-import" || !location || !isPackages(location.file, root)) continue;
    const file = resolve(root, location.file);
    computed.set(file, [...(computed.get(file) ?? []), location]);
  }
  const zod3 = usesZod3(metafile, root);
  if (!zod3 && guarded.size + computed.size === 0) return undefined;
  return { zod3, guarded, authors: [...authors], computed };
}

type Import = Metafile["inputs"][string]["imports"][number];

const isLeft = ({ path, kind, external }: Import) =>
  external === true && isLoading(kind) && !isBuiltin(path) && !/^(bun|node)(:|$)/.test(path);
const isLoading = (kind: string) => kind === "require-call" || kind === "dynamic-import";

/**
 * What is not installed becomes what it is at home: a module that is not found, once somebody asks for it. In a package, where
 * nobody can mend it, guarded or not; in the author's files only where a `catch` waits for it.
 */
export const stubs = ({ guarded }: Leftovers): Plugin => ({
  name: "stubs",
  setup(build) {
    const filter = guarded.size > 0 ? /./ : /^[^./]/;
    build.onResolve({ filter }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (pluginData === ASKED || !isLoading(kind) || !(isPackages(importer, "") || guarded.has(path)))
        return undefined;
      const found = await build.resolve(path, { kind, importer, resolveDir, pluginData: ASKED });
      return found.errors.length > 0 ? { path, namespace: `missing-${kind}` } : found;
    });
    build.onLoad({ filter: /./, namespace: "missing-require-call" }, ({ path }) => notFound(path, "MODULE_NOT_FOUND"));
    build.onLoad({ filter: /./, namespace: "missing-dynamic-import" }, ({ path }) =>
      notFound(path, "ERR_MODULE_NOT_FOUND"),
    );
  },
});

/** CommonJS, which throws each time that it is asked for. */
function notFound(path: string, code: string) {
  const message = JSON.stringify(`Cannot find module '${path}'`);
  return { contents: `module; throw Object.assign(new Error(${message}), { code: "${code}" });` };
}

/** Leads computed imports of packages to `src/closed.ts`. */
export const guards = ({ computed }: Leftovers): Plugin => ({
  name: "guards",
  setup(build) {
    build.onLoad({ filter: /./, namespace: "file" }, async ({ path }) => {
      const places = computed.get(path);
      return places && { contents: guard(await readFile(path, "utf8"), places), loader: "default" };
    });
  },
});

function guard(source: string, places: readonly Place[]): string {
  const starts = [...source.matchAll(LINE)].map(({ index }) => index);
  const tokens = new Set(places.map((place) => tokenAt(source, starts[place.line - 1] ?? 0, place.column)));
  const cuts = [...tokens].sort((one, other) => one - other);
  const pieces = cuts.map((cut, at) => source.slice(cut + IMPORT.length, cuts[at + 1]));
  return [source.slice(0, cuts[0]), ...pieces].join(GUARDED);
}

const IMPORT = "import";
const GUARDED = "__cfa_import";
/** Where esbuild takes a line to begin. */
const LINE = /^|(?<=\n|\r(?!\n)|[\u2028\u2029])/g;

/** esbuild counts bytes. It leads to the `import`, or behind an argument of it that it did not expect. */
function tokenAt(source: string, start: number, column: number): number {
  const line = source.slice(start, source.indexOf("\n", start) + 1 || undefined);
  const offset = start + Buffer.from(line).subarray(0, column).toString().length;
  return source.lastIndexOf(IMPORT, offset);
}

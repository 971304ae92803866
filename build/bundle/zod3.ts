import { dirname } from "node:path";
import type { Metafile, Plugin } from "esbuild";
import { runtime } from "../runtime.ts";
import { isRuntimes, isZods } from "./inputs.ts";

/** Whether anybody makes schemas of `zod/v3`: the tool, or what it depends on beside Zod itself. */
export function usesZod3({ inputs }: Metafile, root: string): boolean {
  return Object.entries(inputs).some(
    ([path, { imports }]) =>
      !isRuntimes(path, root) && !isZods(path) && imports.some((imported) => ZOD3.test(`/${imported.path}`)),
  );
}

const ZOD3 = /\/node_modules\/zod\/v3\//;

/** Leaves out what converts schemas of `zod/v3`, which is a third of all that is bundled otherwise. */
export const withoutConverter: Plugin = {
  name: "without converter",
  setup(build) {
    build.onResolve({ filter: /\/schema3(-[A-Z0-9]+)?\.[jt]s$/ }, ({ importer }) =>
      dirname(importer) === runtime.folder ? { path: "schema3", namespace: "cfa" } : undefined,
    );
    build.onLoad({ filter: /^schema3$/, namespace: "cfa" }, () => ({ contents: STUB }));
  },
};

const STUB = 'export function convert3() { throw new Error("there was no zod/v3 schema when this was built"); }';

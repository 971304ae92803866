import { dirname } from "node:path";
import type { Plugin } from "esbuild";
import { runtime } from "../runtime.ts";

/** A module that has schemas of version 3. */
export const ZOD3 = /[\\/]zod[\\/]v3[\\/]/;

/** Leaves out what converts schemas of `zod/v3`, which is a third of all that is bundled otherwise. */
export const withoutConverter: Plugin = {
  name: "without converter",
  setup(build) {
    build.onResolve({ filter: /\/schema3(-[A-Z0-9]+)?\.[jt]s$/ }, ({ importer }) =>
      dirname(importer) === runtime.folder ? { path: "schema3", namespace: "stub" } : undefined,
    );
    build.onLoad({ filter: /^schema3$/, namespace: "stub" }, () => ({ contents: STUB }));
  },
};

const STUB = 'export function convert3() { throw new Error("there was no zod/v3 schema when this was built"); }';

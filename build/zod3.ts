import { basename, dirname, resolve } from "node:path";
import type { Metafile } from "esbuild";
import { runtime } from "./runtime.ts";

/** The output that only converts schemas of `zod/v3`, where there are none: it would be compiled into bytecode for nothing. */
export function unneededConverter({ inputs, outputs }: Metafile, root: string): string | undefined {
  const isConverter = (path: string) =>
    dirname(resolve(root, path)) === runtime.folder && basename(path).startsWith("schema3");
  const needsIt = Object.entries(inputs).some(
    ([path, { imports }]) =>
      !isConverter(path) && !INTERNAL.test(`/${path}`) && imports.some((imported) => ZOD3.test(`/${imported.path}`)),
  );
  return needsIt ? undefined : Object.keys(outputs).find((output) => isConverter(outputs[output]?.entryPoint ?? ""));
}

/** What stands for it. */
export const CONVERTER_STUB =
  'export function convert3() { throw new Error("there was no zod/v3 schema when this was built"); }\n';

const ZOD3 = /\/node_modules\/zod\/v3\//;
const INTERNAL = /\/node_modules\/zod(-to-json-schema)?\//;

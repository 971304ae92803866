import { writeFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import type { Metafile } from "esbuild";
import { runtime } from "./runtime.ts";

/** What converts schemas of `zod/v3` is compiled into bytecode for nothing where there are none. */
export async function dropConverter({ inputs, outputs }: Metafile, root: string): Promise<void> {
  const isConverter = (path: string) =>
    dirname(resolve(root, path)) === runtime.folder && basename(path).startsWith("schema3");
  const needsIt = Object.entries(inputs).some(
    ([path, { imports }]) =>
      !isConverter(path) && !INTERNAL.test(`/${path}`) && imports.some((imported) => ZOD3.test(`/${imported.path}`)),
  );
  const [output] = Object.entries(outputs).find(([, { entryPoint = "" }]) => isConverter(entryPoint)) ?? [];
  if (needsIt || output === undefined) return;
  const stub = 'export function convert3() { throw new Error("there was no zod/v3 schema when this was built"); }\n';
  await writeFile(resolve(root, output), stub);
}

const ZOD3 = /\/node_modules\/zod\/v3\//;
const INTERNAL = /\/node_modules\/zod(-to-json-schema)?\//;

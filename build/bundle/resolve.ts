import { realpath } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { readPackageJSON } from "pkg-types";
import { BuildError } from "../errors.ts";
import type { Plan } from "../plan.ts";
import { runtime } from "../runtime.ts";

/** The file that is the project's zod, or `cfa`'s own where there is none. Throws where it is not version 4. */
export async function findZod({ entry }: Pick<Plan, "entry">): Promise<string> {
  const found = resolveFrom(entry, "zod") ?? resolveFrom(join(runtime.folder, "_"), "zod") ?? "";
  const { version = "", folder } = await packageNamed(await realpath(found), "zod");
  if (Number.parseInt(version, 10) >= 4) return join(folder, "index.js");
  throw new BuildError(`the project's zod is version ${version}`, {
    hint: "npm install zod@4; schemas of version 3 still work when imported from zod/v3",
  });
}

/** The file that a package is loaded from, as Node sees it. */
export function resolveFrom(file: string, name: string): string | undefined {
  try {
    return createRequire(file).resolve(name);
  } catch {
    return undefined;
  }
}

/** The package of this name that a file belongs to; it may have others inside. */
export async function packageNamed(path: string, name: string): Promise<{ version?: string; folder: string }> {
  const folder = dirname(path);
  const found = await readPackageJSON(join(folder, "package.json")).catch(
    () => ({}) as { name?: string; version?: string },
  );
  return found.name === name || folder === path ? { ...found, folder } : packageNamed(folder, name);
}

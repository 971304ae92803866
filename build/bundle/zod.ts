import { realpath } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { readPackageJSON } from "pkg-types";
import { BuildError } from "../errors.ts";
import type { Plan } from "../plan.ts";
import { runtime } from "../runtime.ts";

/** The file that is the project's zod, or `cfa`'s own where there is none. Throws where it is not version 4. */
export async function findZod({ entry }: Pick<Plan, "entry">): Promise<string> {
  const manifest = await realpath(
    resolveFrom(join(dirname(entry), "_")) ?? resolveFrom(join(runtime.folder, "_")) ?? "",
  );
  const { version = "" } = await readPackageJSON(manifest);
  if (Number.parseInt(version, 10) >= 4) return join(dirname(manifest), "index.js");
  throw new BuildError(`the project's zod is version ${version}`, {
    hint: "npm install zod@4; schemas of version 3 still work when imported from zod/v3",
  });
}

function resolveFrom(file: string): string | undefined {
  try {
    return createRequire(file).resolve("zod/package.json");
  } catch {
    return undefined;
  }
}

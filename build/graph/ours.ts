import { dirname, join } from "node:path";
import { GraphFault } from "./fault.ts";
import { manifestIn } from "./installed.ts";
import type { Request } from "./request.ts";
import { resolve } from "./resolve.ts";

/** The folder of the project's zod, or of `cfa`'s own where there is none. Throws where it is not version 4. */
export function findZod({ entry, runtime }: Request): string {
  const found = [entry, join(runtime.folder, "_")].map((importer) => resolve("zod", importer, "import"));
  const path = found.flatMap((one) => (one.to === "file" ? [one.path] : []))[0] ?? "";
  const { version = "", folder } = packageNamed(path, "zod");
  if (Number.parseInt(version, 10) >= 4) return folder;
  throw new GraphFault(
    `the project's zod is version ${version}`,
    "npm install zod@4; schemas of version 3 still work when imported from zod/v3",
  );
}

/** What is said where the project has another version of the runtime. */
export function otherRuntime({ entry, runtime }: Request): string[] {
  const found = resolve(runtime.name, entry, "import");
  const { version = runtime.version } = found.to === "file" ? packageNamed(found.path, runtime.name) : {};
  if (version === runtime.version) return [];
  return [
    `the project has ${runtime.name} ${version}; the executable gets ${runtime.version}, which comes with this cfa`,
  ];
}

/** The package of this name that a file belongs to; it may have others inside. */
function packageNamed(path: string, name: string): { version?: string; folder: string } {
  const folder = dirname(path);
  const found = manifestIn(folder) ?? {};
  return found.name === name || folder === path ? { ...found, folder } : packageNamed(folder, name);
}

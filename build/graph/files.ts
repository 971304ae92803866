import { readData } from "./data.ts";
import type { Module } from "./discover.ts";
import type { Written } from "./esmodule.ts";
import { isAddon, kindOf, type Links } from "./link.ts";
import { between } from "./names.ts";

/** A file that is no code, and the module that gives what an import of it does. */
export async function writeData(path: string, type: string | undefined, { names }: Links): Promise<Written> {
  const { file, module } = names.named(path, kindOf(type));
  const data = await readData(path, type);
  if (data.is === "data") return { files: [[file, data.text]], assets: [], warnings: [] };
  const placed = names.placed(path);
  const place = `import.meta.dirname.replaceAll("\\\\", "/") + ${JSON.stringify(`/${between(module, placed).replace(/^\.\//, "")}`)}`;
  if (isAddon({ path })) {
    const text = `export default import.meta.require(${place});\n`;
    return { files: [[file, text]], assets: [[placed, path]], warnings: [] };
  }
  const text = data.is === "file" ? `export default ${place};\n` : renderDatabase(place);
  return { files: [[file, text]], assets: [[placed, path]], warnings: [] };
}

/** A database that is embedded is in memory. */
const renderDatabase = (place: string) => `import { Database } from "bun:sqlite";
import { readFileSync } from "node:fs";
const bytes = readFileSync(${place});
export const db = bytes.length > 0 ? Database.deserialize(bytes) : new Database(":memory:");
export default db;
`;

/** Native addons, which the engine loads by their paths. */
export function addonsOf(modules: readonly Module[], { names }: Links): Written["assets"] {
  const targets = modules.flatMap(({ requires }) => [...requires.values()]);
  return targets.flatMap((target) =>
    target.to === "data" && isAddon(target) ? [[names.placed(target.path), target.path] as const] : [],
  );
}

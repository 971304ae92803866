import type { SourceMaps } from "../src/frames.ts";
import { type Frozen, freeze, type Manifest } from "../src/manifest.ts";

/** The source of the executable: data, and one call. */
export function renderEntry(manifest: Manifest, late: readonly number[], maps: SourceMaps): string {
  const frozen: Frozen = { ...freeze(manifest), late, maps: JSON.stringify(maps) };
  return `import { start } from "./entry.js";\nstart(${JSON.stringify(frozen)}, () => import("./tool.js"));\n`;
}

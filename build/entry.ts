import { type Frozen, freeze } from "../src/manifest.ts";
import type { Evaluated } from "./evaluate/evaluate.ts";

/** The source of the executable: data, and one call. */
export function renderEntry({ manifest, lazy }: Pick<Evaluated, "manifest" | "lazy">, asksForPlaces: boolean): string {
  const frozen: Frozen = { ...freeze(manifest), lazy };
  const first = asksForPlaces ? 'import("./tool-places.js").then(() => import("./tool.js"))' : 'import("./tool.js")'; // before names are bound of the engine's modules
  return `import { start } from "./framework.js";
start(${JSON.stringify(frozen)}, () => ${first}, () => import.meta.require("./lines.js").default, import.meta.dirname);
`;
}

import { type Frozen, freeze, type Manifest } from "../src/manifest.ts";

/** The source of the executable: data, and one call. */
export function renderEntry(manifest: Manifest, lazy: boolean): string {
  return `import { start } from "./entry.js";
start(${JSON.stringify({ ...freeze(manifest), lazy } satisfies Frozen)}, async () => {
  await import("./tool-places.js"); // before names are bound that are imported of the engine's modules
  return import("./tool.js");
}, () => import.meta.require("./lines.js").default, import.meta.dirname);
`;
}

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Manifest } from "../src/manifest.ts";
import { type Bundle, writeAll } from "./bundle/bundle.ts";
import { renderEntry } from "./entry.ts";
import type { Evaluated } from "./evaluate/evaluate.ts";
import { compile } from "./executable/compile.ts";
import { type Sealed, seal } from "./executable/seal.ts";
import { type Made, verify } from "./executable/verify.ts";
import type { Plan } from "./plan.ts";
import type { Making } from "./release/products.ts";
import { recordOf, renderRecord } from "./release/record.ts";
import { runtime } from "./runtime.ts";
import type { Stopwatch } from "./stopwatch.ts";

/** Writes what is compiled for every target beside the bundle: the entry, what errors ask for, and the record, which is only there to be found. */
export async function writeMain({ manifest, lazy }: Evaluated, bundled: Bundle, { engine }: Plan): Promise<void> {
  const { folder, packages, lines, asksForPlaces, framework } = bundled;
  const record = recordOf(manifest, packages, { engine: engine.version, cfa: runtime.version });
  await writeAll(framework, folder);
  await writeFile(join(folder, "record.bin"), renderRecord(record));
  await writeFile(join(folder, "lines.js"), `export default JSON.parse(${JSON.stringify(JSON.stringify(lines))});\n`);
  await writeFile(join(folder, "main.js"), renderEntry({ manifest, lazy }, asksForPlaces));
}

/** Makes the executable for one target; it lies in a temporary folder still. */
export async function make(
  making: Making,
  manifest: Manifest,
  bundled: Bundle,
  planned: Plan,
  { step }: Stopwatch,
): Promise<Made & Sealed> {
  const label = planned.products.length > 1 ? making.target.name : undefined;
  const compiled = await step("compile", () => compile(making, bundled, planned), label);
  const sealed = await step("seal", () => seal(compiled, manifest, making, planned), label);
  const made = { ...making, ...sealed, executable: compiled.executable };
  await step("verify", () => verify(made, manifest, bundled.folder, planned.host), label);
  return made;
}

import { stat } from "node:fs/promises";
import type { Manifest } from "../src/manifest.ts";
import type { JsonSchema } from "../src/types.ts";
import type { Bundle } from "./bundle/bundle.ts";
import { quote } from "./errors.ts";
import type { Evaluated } from "./evaluate/evaluate.ts";
import type { Sealed } from "./executable/seal.ts";
import type { Made } from "./executable/verify.ts";
import type { Plan } from "./plan.ts";
import type { StepName } from "./stopwatch.ts";

/** What a build made. `outfile` and `bytes` are those of the first executable; `ms` the milliseconds of each step. */
export type BuildResult = {
  outfile: string;
  bytes: number;
  engine: string;
  tool: { name: string; version?: string | undefined };
  package: { name?: string | undefined; version?: string | undefined };
  subcommands: string[];
  /** One for each target. */
  executables: { target: string; outfile: string; bytes: number; prelude: boolean }[];
  /** The paths of what comes with them. */
  files: string[];
  warnings: string[];
  /** What an executable does less well than it might, and why; nothing to worry about. */
  notes: string[];
  ms: Partial<Record<StepName, number>>;
};

export async function resultOf(
  planned: Plan,
  { manifest, reasons, warnings }: Evaluated,
  bundled: Bundle,
  made: readonly (Made & Sealed)[],
): Promise<Omit<BuildResult, "files" | "ms">> {
  const executables = await Promise.all(
    made.map(async ({ target, outfile, prelude }) => {
      const { size } = await stat(outfile);
      return { target: target.name, outfile, bytes: size, prelude };
    }),
  );
  return {
    outfile: planned.outfile,
    bytes: executables[0]?.bytes ?? 0,
    engine: planned.engine.version,
    tool: { name: manifest.name, version: manifest.version },
    package: planned.package,
    subcommands: manifest.subcommands.map(({ name }) => name),
    executables,
    warnings: [...bundled.warnings, ...warnings, ...warningsOf(manifest), ...made.flatMap(withoutPrelude)],
    notes: manifest.live ? [...reasons] : [...bundled.notes, ...zodNotes(manifest)],
  };
}

function warningsOf({ subcommands }: Manifest): string[] {
  return subcommands.flatMap(({ name, input, output }) => [
    ...withoutSchema(`the input of ${quote(name)}`, input),
    ...withoutSchema(`the output of ${quote(name)}`, output),
  ]);
}

/** Nobody can be told what to send, or what will come. */
function withoutSchema(side: string, { $error }: JsonSchema): string[] {
  return $error === undefined ? [] : [`${side} has no JSON Schema: ${$error}`];
}

function withoutPrelude({ target, refused }: Made & Sealed): string[] {
  const lacks = `the executable for ${target.name} is without the prelude, so it starts slower and obeys Bun's variables`;
  return refused === undefined ? [] : [`${lacks}: ${refused}`];
}

function zodNotes({ subcommands }: Manifest): string[] {
  const names = subcommands.filter(({ plain }) => !plain?.input || !plain.output).map(({ name }) => quote(name));
  const more = "more than plain data, or not written out in one place";
  return names.length > 0 ? [`Zod is loaded by a call of ${names.join(", ")}: the schemas are ${more}`] : [];
}

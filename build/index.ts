import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Manifest } from "../src/manifest.ts";
import type { JsonSchema } from "../src/types.ts";
import { bundle } from "./bundle.ts";
import { compile } from "./compile.ts";
import { renderEntry } from "./entry.ts";
import { quote } from "./errors.ts";
import { evaluate } from "./evaluate.ts";
import type { Lates } from "./late.ts";
import { type BuildOptions, type Plan, plan } from "./plan.ts";
import { inScratch, publish } from "./scratch.ts";
import { seal } from "./seal.ts";
import { type StepName, stopwatch } from "./stopwatch.ts";
import { verify } from "./verify.ts";

export { BuildError } from "./errors.ts";
export type { BuildOptions, StepName };

/** What a build made. `bytes` is the size of the executable, `ms` the milliseconds of each step. */
export type BuildResult = {
  outfile: string;
  bytes: number;
  engine: string;
  tool: { name: string; version?: string | undefined };
  package: { name?: string | undefined; version?: string | undefined };
  subcommands: string[];
  warnings: string[];
  /** What an executable does less well than it might, and why; nothing to worry about. */
  notes: string[];
  ms: Partial<Record<StepName, number>>;
};

/** Makes one executable of a tool's source file. Throws a BuildError that says what is wrong and what to do. */
export async function build(options: BuildOptions): Promise<BuildResult> {
  const { step, ms } = stopwatch(options.onStep);
  const planned = await step("plan", () => plan(options));
  return inScratch(planned.outfile, async (folder) => {
    const bundled = await step("bundle", () => bundle(planned, folder));
    const { manifest, late } = await step("evaluate", () => evaluate(bundled, planned));
    const entry = await step("render", () => renderEntry(manifest, late, bundled.maps));
    const compiled = await step("compile", () => compile(entry, bundled, planned));
    const unsealed = await step("seal", () => seal(compiled, manifest, planned));
    await step("verify", () => verify(compiled.executable, manifest, folder, unsealed === undefined));
    await publish(compiled.executable, planned.outfile);
    const warnings = [...bundled.warnings, ...warningsOf(manifest, planned.prelude ? unsealed : undefined)];
    return { ...(await resultOf(planned, manifest)), warnings, notes: notesOf(bundled.lates, late), ms };
  });
}

/** The line that the executable would print for `schema`, without making it. */
export async function schema(options: BuildOptions): Promise<string> {
  const planned = await plan({ ...options, outfile: join(tmpdir(), randomUUID()) }); // only the folder is used
  return inScratch(planned.outfile, async (folder) => {
    const { manifest } = await evaluate(await bundle(planned, folder), planned);
    return manifest.answers["schema"] ?? "";
  });
}

async function resultOf(planned: Plan, manifest: Manifest): Promise<Omit<BuildResult, "warnings" | "notes" | "ms">> {
  const { size } = await stat(planned.outfile);
  return {
    outfile: planned.outfile,
    bytes: size,
    engine: planned.engine.version,
    tool: { name: manifest.name, version: manifest.version },
    package: planned.package,
    subcommands: manifest.subcommands.map(({ name }) => name),
  };
}

function notesOf({ places, refusals }: Lates, late: readonly number[]): string[] {
  const differs = "made late, its schemas would be others, so that all of them are made at every start";
  const isOnce = places.length > 0 && late.length === 0;
  return isOnce ? [...refusals, `${places[0]?.file}: ${differs}`] : refusals;
}

function warningsOf({ run, subcommands }: Manifest, unsealed: string | undefined): string[] {
  const other =
    "the tool gives `run` other words than the command line's: no answer is frozen, and the executable was not tried";
  const open = `the executable is without the prelude, so it starts slower and obeys Bun's variables: ${unsealed}`;
  return [
    ...(run === "other" ? [other] : []),
    ...subcommands.flatMap(({ name, input, output }) => [
      ...withoutSchema(`the input of ${quote(name)}`, input),
      ...withoutSchema(`the output of ${quote(name)}`, output),
    ]),
    ...(unsealed === undefined ? [] : [open]),
  ];
}

/** Nobody can be told what to send, or what will come. */
function withoutSchema(side: string, { $error }: JsonSchema): string[] {
  return $error === undefined ? [] : [`${side} has no JSON Schema: ${$error}`];
}

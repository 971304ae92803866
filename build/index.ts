import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "./bundle/bundle.ts";
import { findEngines } from "./engine/bases.ts";
import { evaluate } from "./evaluate/evaluate.ts";
import { make, writeMain } from "./make.ts";
import { type BuildOptions, plan } from "./plan.ts";
import { pack, publishBeside } from "./release/beside.ts";
import { type BuildResult, resultOf } from "./result.ts";
import { type StepName, stopwatch } from "./stopwatch.ts";
import { inParallel } from "./system/parallel.ts";
import { inScratch, publish } from "./system/scratch.ts";

export { BuildError } from "./errors.ts";
export { type Inspection, inspect } from "./release/inspect.ts";
export type { BuildOptions, BuildResult, StepName };

/** Makes the executables of a tool's source file. Throws a BuildError that says what is wrong and what to do. */
export async function build(options: BuildOptions): Promise<BuildResult> {
  const watch = stopwatch(options.onStep);
  const { step } = watch;
  const planned = await step("plan", () => plan(options));
  const makings = await findEngines(planned, (find, { name }) => step("fetch", find, name));
  return inScratch(planned.outfile, async (folder) => {
    const bundled = await step("bundle", () => bundle(planned, folder));
    const evaluated = await step("evaluate", () => evaluate(bundled, planned));
    await step("render", () => writeMain(evaluated, bundled, planned));
    const made = await inParallel(makings, (making) => make(making, evaluated.manifest, bundled, planned, watch));
    const beside = planned.comesWithMore
      ? await step("pack", () => pack(made, evaluated.manifest, bundled, planned))
      : [];
    for (const { executable, outfile } of made) await publish(executable, outfile);
    const files = await publishBeside(beside, planned);
    return { ...(await resultOf(planned, evaluated, bundled, made)), files, ms: watch.ms };
  });
}

/** The line that the executable would print for `schema`, without making it. */
export async function schema(options: BuildOptions): Promise<string> {
  const planned = await plan({ ...options, targets: [], outdir: undefined, outfile: join(tmpdir(), randomUUID()) }); // only the folder is used
  return inScratch(planned.outfile, async (folder) => {
    const { manifest } = await evaluate(await bundle(planned, folder), planned);
    return manifest.answers["schema"] ?? "";
  });
}

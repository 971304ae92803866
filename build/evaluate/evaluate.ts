import type { Doubt } from "../../src/guard.ts";
import type { Manifest } from "../../src/manifest.ts";
import type { Look } from "../../src/observe.ts";
import type { Bundle } from "../bundle/bundle.ts";
import { BuildError, quote } from "../errors.ts";
import type { Plan } from "../plan.ts";
import { differenceOf } from "./difference.ts";
import { look, type Seen } from "./look.ts";
import { problemOf, silence } from "./problem.ts";
import { changingReads, reasonsOf, variablesIn } from "./reasons.ts";

/**
 * The manifest of a tool, whether what the build found to be lazy is, why the tool is loaded for every answer, where it is, and
 * what its author should know.
 */
export type Evaluated = {
  manifest: Manifest;
  lazy: boolean;
  reasons: readonly string[];
  warnings: readonly string[];
};

/**
 * Loads the bundle in a child of the engine, with its runs held back, and takes the manifest of its tool. Meanwhile another
 * child loads it at another moment, in another place and with its schemas made when they are asked for: what comes out differently there
 * cannot be frozen, or not be lazy. Nothing is frozen of a tool that reads what may be other in another run.
 */
export async function evaluate(bundle: Bundle, plan: Plan): Promise<Evaluated> {
  const looks = [
    look(bundle, plan, { lazy: false, disturbed: "nothing" }),
    look(bundle, plan, { lazy: true, ...FIRST }),
  ] as const;
  await Promise.allSettled(looks); // what fails must not leave the other one at work in a folder that is gone
  const [{ observation, ending }, second] = await Promise.all(looks);
  plan.onPrint(ending.stdout + ending.stderr);
  if (!observation) throw silence(ending, plan);
  if ("problem" in observation) throw problemOf(observation.problem, plan, bundle);
  const reads = changingReads(observation.reads, plan);
  if (observation.manifest.live || reads.length > 0) {
    await refuseOthers(observation.manifest, second, bundle, plan);
    const manifest = { ...withoutPlain(observation.manifest), live: { variables: variablesIn(reads) } };
    return { manifest, lazy: false, reasons: reasonsOf(reads, manifest, bundle), warnings: [] };
  }
  const lazy = await mayBeLazy(observation.manifest, second, bundle, plan);
  const manifest = lazy ? observation.manifest : withoutPlain(observation.manifest);
  return { ...withoutDoubts(manifest, observation.doubts), lazy, reasons: [] };
}

/** The manifest without the plain forms that the project's own Zod contradicts, and a warning of each. */
function withoutDoubts(manifest: Manifest, doubts: readonly Doubt[]): Pick<Evaluated, "manifest" | "warnings"> {
  const warnings: string[] = [];
  const subcommands = manifest.subcommands.map((subcommand) => {
    const plain = { ...subcommand.plain };
    for (const { name, side, sample } of doubts) {
      if (name !== subcommand.name || !plain[side]) continue;
      delete plain[side];
      warnings.push(
        `the Zod of this project takes ${sample} as ${side} of ${quote(name)} otherwise than cfa knows Zod: its calls load Zod`,
      );
    }
    return subcommand.plain ? { ...subcommand, plain } : subcommand;
  });
  return { manifest: { ...manifest, subcommands }, warnings };
}

type Elsewhere = Pick<Look, "disturbed" | "variable">;

/** Most variables may be a number; others want a word, or to be turned on. */
const FIRST: Elsewhere = { disturbed: "environment", variable: "8080" };
const OTHERS: readonly Elsewhere[] = [
  { disturbed: "environment", variable: "elsewhere" },
  { disturbed: "environment", variable: "true" },
  { disturbed: "place" },
];

/** The manifest without what is plain, where schemas are made at the start in any case. */
function withoutPlain({ subcommands, ...manifest }: Manifest): Manifest {
  return { ...manifest, subcommands: subcommands.map(({ plain: _, ...one }) => one) };
}

/** Whether it makes no difference when schemas are made. Throws where the manifest is another elsewhere. */
async function mayBeLazy(manifest: Manifest, second: Seen, bundle: Bundle, plan: Plan): Promise<boolean> {
  for (const elsewhere of [FIRST, { disturbed: "place" } satisfies Elsewhere]) {
    const seen = elsewhere === FIRST ? second : await look(bundle, plan, { lazy: true, ...elsewhere });
    if (isSame(seen, manifest)) return true;
    const { observation } = await look(bundle, plan, { lazy: false, ...elsewhere });
    if (!observation || "problem" in observation) continue; // it does not load in an environment that it does not know
    refuseDifference(manifest, observation.manifest);
    return false;
  }
  return false;
}

/**
 * Throws where the schemas of a tool that is loaded for every answer are seen to be others elsewhere. Which subcommands there
 * are is its own to decide.
 */
async function refuseOthers(manifest: Manifest, second: Seen, bundle: Bundle, plan: Plan): Promise<void> {
  if (isSame(second, manifest)) return;
  for (const elsewhere of [FIRST, ...OTHERS]) {
    const { observation } = await look(bundle, plan, { lazy: false, ...elsewhere });
    if (!observation || "problem" in observation) continue;
    refuseDifference(common(manifest, observation.manifest), common(observation.manifest, manifest));
    return;
  }
}

/** A manifest with the subcommands that another one has as well. */
function common(manifest: Manifest, other: Manifest): Manifest {
  const names = new Set(other.subcommands.map(({ name }) => name));
  return { ...manifest, subcommands: manifest.subcommands.filter(({ name }) => names.has(name)) };
}

function refuseDifference(manifest: Manifest, other: Manifest): void {
  const difference = differenceOf(manifest, other);
  if (difference === undefined) return;
  throw new BuildError(`${difference} depends on the moment or the machine`, {
    hint: "the executable would stay with what it is now: leave it out of the schema and work it out in the handler",
  });
}

function isSame({ observation }: Seen, manifest: Manifest): boolean {
  return observation !== undefined && "manifest" in observation && !differenceOf(manifest, observation.manifest);
}

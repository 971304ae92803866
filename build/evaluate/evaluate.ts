import type { Doubt } from "../../src/guard.ts";
import type { Manifest } from "../../src/manifest.ts";
import type { Bundle } from "../bundle/bundle.ts";
import { BuildError, quote } from "../errors.ts";
import type { Plan } from "../plan.ts";
import type { Lates } from "../rewrite/late.ts";
import { differenceOf } from "./difference.ts";
import { look, type Seen } from "./look.ts";
import { problemOf, silence } from "./problem.ts";

/** The manifest of a tool, and the places in its source whose specs are made when they are called. */
export type Evaluated = { manifest: Manifest; late: readonly number[]; warnings: readonly string[] };

/**
 * Loads the bundle in a child of the engine, with its runs held back, and takes the manifest of its tool. Meanwhile another
 * child loads it at another moment, in another place and with its specs made late: what comes out differently there cannot
 * be frozen, or not be made late.
 */
export async function evaluate(bundle: Bundle, plan: Plan): Promise<Evaluated> {
  const [{ observation, ending }, second] = await Promise.all([
    look(bundle, plan, { late: false, disturbed: "nothing" }),
    look(bundle, plan, { late: true, disturbed: "environment" }),
  ]);
  plan.onPrint(ending.stdout + ending.stderr);
  if (!observation) throw silence(ending, plan);
  if ("problem" in observation) throw problemOf(observation.problem, plan, bundle.maps);
  const late = await lateIn(observation.manifest, second, bundle, plan);
  return { ...withoutDoubts(withPlain(observation.manifest, late, bundle.lates), observation.doubts), late };
}

/** The manifest without the plain forms that the project's own Zod contradicts, and a warning of each. */
function withoutDoubts(manifest: Manifest, doubts: readonly Doubt[]): Omit<Evaluated, "late"> {
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

/**
 * The manifest with what is plain only of subcommands whose schemas say all themselves: of others it might be so here and
 * otherwise where the executable runs, like a default that a function looks up in a file.
 */
function withPlain({ subcommands, ...manifest }: Manifest, late: readonly number[], { places }: Lates): Manifest {
  const others = new Set(places.flatMap(({ name, saysAll }, place) => (saysAll && late.includes(place) ? [] : [name])));
  const names = new Set(places.map(({ name }) => name));
  const isPlain = (name: string) => names.has(name) && !others.has(name);
  return {
    ...manifest,
    subcommands: subcommands.map(({ plain, ...one }) => ({ ...one, ...(isPlain(one.name) && { plain }) })),
  };
}

/** The places where it makes no difference that a spec is made late. Throws where the manifest is another elsewhere. */
async function lateIn(manifest: Manifest, second: Seen, bundle: Bundle, plan: Plan): Promise<readonly number[]> {
  for (const disturbed of ["environment", "place"] as const) {
    const late = disturbed === "environment" ? second : await look(bundle, plan, { late: true, disturbed });
    if (isSame(late, manifest)) return late.observation.late.toSorted((one, other) => one - other);
    const { observation } = await look(bundle, plan, { late: false, disturbed });
    if (!observation || "problem" in observation) continue; // it does not load in an environment that it does not know
    const difference = differenceOf(manifest, observation.manifest);
    if (difference === undefined) return [];
    throw new BuildError(`${difference} depends on the moment or the machine`, {
      hint: "the executable would stay with what it is now: leave it out of the schema and work it out in the handler",
    });
  }
  return [];
}

function isSame(seen: Seen, manifest: Manifest): seen is Seen & { observation: { late: readonly number[] } } {
  const { observation } = seen;
  return observation !== undefined && "manifest" in observation && !differenceOf(manifest, observation.manifest);
}

import { copyFile, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { mapStack, type SourceMaps } from "../src/frames.ts";
import type { Manifest } from "../src/manifest.ts";
import type { Look, Observation, Problem } from "../src/observe.ts";
import type { Bundle } from "./bundle.ts";
import { type Ending, runChild } from "./child.ts";
import { differenceOf } from "./difference.ts";
import { BuildError, quote } from "./errors.ts";
import type { Lates } from "./late.ts";
import type { Plan } from "./plan.ts";

/** The manifest of a tool, and the places in its source whose specs are made when they are called. */
export type Evaluated = { manifest: Manifest; late: readonly number[] };

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
  return { manifest: withPlain(observation.manifest, late, bundle.lates), late };
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

type Seen = { observation: Observation | undefined; ending: Ending };

function isSame(seen: Seen, manifest: Manifest): seen is Seen & { observation: { late: readonly number[] } } {
  const { observation } = seen;
  return observation !== undefined && "manifest" in observation && !differenceOf(manifest, observation.manifest);
}

/** Loads the bundle once. What is disturbed is loaded from another folder, in another time zone. */
async function look({ folder }: Bundle, plan: Plan, how: Pick<Look, "late" | "disturbed">): Promise<Seen> {
  const isElsewhere = how.disturbed !== "nothing";
  const place = isElsewhere ? await copyOf(folder) : folder;
  const file = join(place, "observation.json"); // not stdout: the tool may print while it loads
  const probe = join(place, "probe.js");
  const options = JSON.stringify({ ...how, file, parent: process.pid, limit: 30 + 4 * plan.timeout } satisfies Look);
  await writeFile(probe, `import { observe } from "./observe.js";\nobserve(${options}, () => import("./tool.js"));\n`);
  const env = isElsewhere ? { TZ: "Pacific/Chatham", LC_ALL: "de_DE.UTF-8" } : {};
  const words = [probe, ...COMMAND_LINE];
  const ending = await runChild(plan.engine.path, words, { folder: place, timeout: plan.timeout, env });
  const text = await readFile(file, "utf8").catch(() => undefined);
  return { observation: text === undefined ? undefined : (JSON.parse(text) as Observation), ending };
}

async function copyOf(folder: string): Promise<string> {
  const copy = await mkdtemp(join(folder, "elsewhere-"));
  const files = (await readdir(folder)).filter((name) => name.endsWith(".js"));
  await Promise.all(files.map((name) => copyFile(join(folder, name), join(copy, name))));
  return copy;
}

/** Nobody's subcommand: a tool that hands `run` anything but the plain command line gives itself away. */
const COMMAND_LINE = ["cfa-evaluate", "--cfa", "evaluate"];

function silence({ timedOut, signal, code }: Ending, { entry, timeout }: Plan): BuildError {
  const name = quote(basename(entry));
  if (timedOut)
    return new BuildError(`${name} was still loading after ${timeout} s`, {
      hint: "work belongs into the handlers; --timeout gives a tool more time to load",
    });
  return new BuildError(`${name} ended the process while it loaded (${signal ?? `code ${code}`})`, {
    hint: "a tool only registers its subcommands while it loads, then calls `tool.run()`",
  });
}

function problemOf(problem: Problem, { entry }: Plan, maps: SourceMaps): BuildError {
  const name = quote(basename(entry));
  switch (problem.kind) {
    case "no-tool":
      return new BuildError(`no tool in ${name}`, { hint: "create one with `new Tool({ … })` and call `tool.run()`" });
    case "several-runs":
      return new BuildError(`more than one tool runs in ${name}`, {
        hint: "guard the run of a tool that others import: `if (import.meta.main) tool.run()`",
      });
    case "exits":
      return new BuildError(`${name} calls process.exit while it loads`, {
        hint: "call `tool.run()` instead; it ends the process",
      });
    case "unsettled":
      return new BuildError(`${name} waits at its top level for something that never comes`, {
        hint: "work belongs into the handlers",
      });
    case "throws":
      return new BuildError(
        `${name} throws while it loads: ${problem.message}${framesOf(mapStack(problem.stack ?? "", maps))}`,
        {
          hint: "it is loaded with an empty environment: read variables and files in the handlers",
        },
      );
  }
}

function framesOf(stack: string): string {
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
  return frames.length > 0 ? `\n${frames.slice(0, 5).join("\n")}\n` : "";
}

import { disturb } from "./disturb.ts";
import { stringifyError } from "./errors.ts";
import { type Doubt, guard } from "./guard.ts";
import { host } from "./host.ts";
import { limitComputing } from "./libc.ts";
import { describeTool, type Manifest } from "./manifest.ts";
import { catalogOf, schemasOf, Tool } from "./tool.ts";
import { type Read, type Watch, watch } from "./watch.ts";

export type { Read };

// The tool may replace them while it loads.
const { stringify } = JSON;
const { writeFileSync } = process.getBuiltinModule("node:fs"); // an import would hold what is to be watched
const reallyExit = process.reallyExit.bind(process);

/** What a build learns from loading a tool once: its manifest, what that may depend on and what of it is in doubt, or why there is none. */
export type Observation =
  | { manifest: Manifest; late: readonly number[]; reads: readonly Read[]; doubts: readonly Doubt[] }
  | { problem: Problem };

/** How a tool is looked at: as it is, or for what changes with the moment, the machine and the order of its schemas. */
export type Look = {
  /** Where the observation goes. */
  file: string;
  /** Whether schemas are made as late as they may be, last ones first, and each of them twice. */
  late: boolean;
  /** What is other than it is: the moment and the machine, and also the environment. */
  disturbed: "nothing" | "place" | "environment";
  /** What a variable is that is asked for and not set, where the environment is disturbed. */
  variable?: string;
  /** The process of the build. */
  parent: number;
  /** Seconds of computing that are certainly too many. */
  limit: number;
};

export type Problem =
  | { kind: "no-tool" | "several-runs" | "exits" | "unsettled" }
  | { kind: "throws"; message: string; stack?: string | undefined };

/** Milliseconds in which a tool that is exported may still run, from a promise of its own. */
const PATIENCE = 20;

type Run = { tool: Tool; plain: boolean };
type Loaded = { default?: unknown };

/** Loads the tool with its runs held back, writes what was seen to a file, and ends the process. */
export function observe({ file, ...how }: Look, load: () => Promise<Loaded>): void {
  const { made, watched } = prepare(how);
  const runs: Run[] = [];
  let loaded: Loaded | undefined;
  let exits = false;

  function finish(observation: Observation): void {
    writeFileSync(file, stringify(observation));
    reallyExit(0);
  }
  const isSecond = how.disturbed !== "nothing";
  const describe = () =>
    observationOf(runs, loaded, made, watched, isSecond).then(finish, (error) => finish({ problem: thrown(error) }));
  function fail(error: unknown): void {
    if (!exits) finish({ problem: thrown(error) });
    else if (runs.length === 0) finish({ problem: { kind: "exits" } });
    else void describe();
  }

  host.observe = (tool, argv) => {
    runs.push({ tool, plain: watched.isCommandLine(argv) });
  };
  process.exit = () => {
    exits = true;
    throw new Error("the tool ends the process while it loads"); // stops the module; a build does not end here
  };
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);
  process.on("beforeExit", () => {
    if (loaded || runs.length > 0) void describe();
    else finish({ problem: { kind: "unsettled" } });
  });
  load().then((module) => {
    loaded = module;
    // and not later: an open socket or a timer may hold the process
    if (runs.length > 0) void describe();
    else if (module.default instanceof Tool) setTimeout(describe, PATIENCE);
  }, fail);
}

/** Sees to how the tool is looked at; returns the places of what is made late, as it is made, and what is read. */
function prepare({ late, disturbed, variable, parent, limit }: Omit<Look, "file">) {
  const made: number[] = [];
  endWithParent(parent, limit);
  if (late) host.late = makeTwice(made);
  if (disturbed !== "nothing") disturb(disturbed === "environment" ? (variable ?? "") : undefined);
  return { made, watched: watch(disturbed === "nothing") };
}

/** A build that is killed cannot end its children: one that waits sees that it is gone, one that spins is ended by the kernel. */
function endWithParent(parent: number, limit: number): void {
  const { get: ppid = () => parent } = Object.getOwnPropertyDescriptor(process, "ppid") ?? {}; // it is disturbed, and watched
  const timer = setInterval(() => Reflect.apply(ppid, process, []) === parent || reallyExit(1), 500);
  timer.unref();
  limitComputing(limit);
}

/** Makes each spec as late as it may be, and a second time, in which it shows if it matters how often that is done. */
function makeTwice(made: number[]): NonNullable<typeof host.late> {
  return (place, make) => () => {
    made.push(place);
    Object.values(make()); // its schemas too
    return make();
  };
}

async function observationOf(
  runs: readonly Run[],
  loaded: Loaded | undefined,
  late: readonly number[],
  watched: Watch,
  isSecond: boolean,
): Promise<Observation> {
  const [run, second] = runs;
  if (second) return { problem: { kind: "several-runs" } };
  const tool = run?.tool ?? loaded?.default;
  if (!(tool instanceof Tool)) return { problem: { kind: "no-tool" } };
  const how = run?.plain === false ? "other" : run ? "plain" : "exported";
  if (isSecond) await describeTool(catalogOf(tool), how); // a default that counts comes out differently the next time
  const manifest = await describeTool(catalogOf(tool), how);
  const reads = watched.reads();
  return { manifest, late, reads, doubts: isSecond ? [] : await doubtsOf(manifest, tool) };
}

async function doubtsOf({ subcommands }: Manifest, tool: Tool): Promise<Doubt[]> {
  const doubts: Doubt[] = [];
  const ask = guard();
  for (const { name, plain = {} } of subcommands)
    for (const side of ["input", "output"] as const) {
      const sample = plain[side] && (await ask(plain[side], schemasOf(tool, name)[side]));
      if (sample !== undefined) doubts.push({ name, side, sample });
    }
  return doubts;
}

function thrown(error: unknown): Problem {
  return { kind: "throws", message: stringifyError(error), stack: error instanceof Error ? error.stack : undefined };
}

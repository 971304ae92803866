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
  | { manifest: Manifest; reads: readonly Read[]; doubts: readonly Doubt[] }
  | { problem: Problem };

/** How a tool is looked at: as it is, or for what changes with the moment, the machine and the order of its schemas. */
export type Look = {
  /** Where the observation goes. */
  file: string;
  /** Whether schemas are made when they are asked for, and each of them twice. */
  lazy: boolean;
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
  const watched = prepare(how);
  const runs: Run[] = [];
  let loaded: Loaded | undefined;
  let exits = false;

  function finish(observation: Observation): void {
    writeFileSync(file, stringify(observation));
    reallyExit(0);
  }
  const isSecond = how.disturbed !== "nothing";
  const describe = () =>
    observationOf(runs, loaded, watched, isSecond).then(finish, (error) => finish({ problem: thrown(error) }));
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

/** Sees to how the tool is looked at, and to what it reads meanwhile. */
function prepare({ lazy, disturbed, variable, parent, limit }: Omit<Look, "file">): Watch {
  endWithParent(parent, limit);
  if (lazy) host.lazy = "twice";
  if (disturbed !== "nothing") disturb(disturbed === "environment" ? (variable ?? "") : undefined);
  return watch(disturbed === "nothing");
}

/** A build that is killed cannot end its children: one that waits sees that it is gone, one that spins is ended by the kernel. */
function endWithParent(parent: number, limit: number): void {
  const { get: ppid = () => parent } = Object.getOwnPropertyDescriptor(process, "ppid") ?? {}; // it is disturbed, and watched
  const timer = setInterval(() => Reflect.apply(ppid, process, []) === parent || reallyExit(1), 500);
  timer.unref();
  limitComputing(limit);
}

async function observationOf(
  runs: readonly Run[],
  loaded: Loaded | undefined,
  watched: Watch,
  isSecond: boolean,
): Promise<Observation> {
  const [run, second] = runs;
  if (second) return { problem: { kind: "several-runs" } };
  const tool = run?.tool ?? loaded?.default;
  if (!(tool instanceof Tool)) return { problem: { kind: "no-tool" } };
  const how = run?.plain === false ? "other" : run ? "plain" : "exported";
  const catalog = catalogOf(tool);
  if (isSecond) await describeTool({ ...catalog, names: catalog.names.toReversed() }, how); // what counts, or goes by the order, comes out differently the next time
  const manifest = await describeTool(catalogOf(tool), how);
  const reads = watched.reads();
  return { manifest, reads, doubts: isSecond ? [] : await doubtsOf(manifest, tool) };
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

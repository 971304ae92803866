import { writeFileSync } from "node:fs";
import { stringifyError } from "./errors.ts";
import { host } from "./host.ts";
import { describeTool, type Manifest } from "./manifest.ts";
import { catalogOf, Tool } from "./tool.ts";

const { stringify } = JSON; // the tool may replace it while it loads

/** What a build learns from loading a tool once: its manifest, or why there is none. */
export type Observation = { manifest: Manifest } | { problem: Problem };

export type Problem =
  | { kind: "no-tool" | "several-runs" | "exits" | "unsettled" }
  | { kind: "throws"; message: string; stack?: string | undefined };

/** Milliseconds in which a tool that is exported may still run, from a promise of its own. */
const PATIENCE = 20;

type Run = { tool: Tool; plain: boolean };
type Loaded = { default?: unknown };

/** Loads the tool with its runs held back, writes what was seen to a file, and ends the process. */
export function observe(file: string, load: () => Promise<Loaded>): void {
  const reallyExit = process.reallyExit.bind(process);
  const tokens = process.argv.slice(2);
  const runs: Run[] = [];
  let loaded: Loaded | undefined;
  let exits = false;

  function finish(observation: Observation): void {
    writeFileSync(file, stringify(observation));
    reallyExit(0);
  }
  const describe = () => observationOf(runs, loaded).then(finish, (error) => finish({ problem: thrown(error) }));
  function fail(error: unknown): void {
    if (!exits) finish({ problem: thrown(error) });
    else if (runs.length === 0) finish({ problem: { kind: "exits" } });
    else void describe();
  }

  host.observe = (tool, argv) => {
    runs.push({ tool, plain: argv.length === tokens.length && argv.every((token, index) => token === tokens[index]) });
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

async function observationOf(runs: readonly Run[], loaded: Loaded | undefined): Promise<Observation> {
  const [run, second] = runs;
  if (second) return { problem: { kind: "several-runs" } };
  if (run) return { manifest: await describeTool(catalogOf(run.tool), run.plain ? "plain" : "other") };
  if (!(loaded?.default instanceof Tool)) return { problem: { kind: "no-tool" } };
  return { manifest: await describeTool(catalogOf(loaded.default), "exported") };
}

function thrown(error: unknown): Problem {
  return { kind: "throws", message: stringifyError(error), stack: error instanceof Error ? error.stack : undefined };
}

import { writeFileSync } from "node:fs";
import { stringifyError } from "./errors.ts";
import { host } from "./host.ts";
import { describeTool, type Manifest } from "./manifest.ts";
import { catalogOf, Tool } from "./tool.ts";

/** What a build learns from loading a tool once: its manifest, or why there is none. */
export type Observation = { manifest: Manifest } | { problem: Problem };

export type Problem =
  | { kind: "no-tool" | "several-runs" | "exits" | "unsettled" }
  | { kind: "throws"; message: string; stack?: string | undefined };

/** Milliseconds that a tool which is exported has to run after all. */
const PATIENCE = 20;

type Run = { tool: Tool; plain: boolean };
type Loaded = { default?: unknown };

/** Loads the tool with its runs held back, writes what was seen to a file, and ends the process. */
export function observe(file: string, load: () => Promise<Loaded>): void {
  const reallyExit = process.reallyExit.bind(process);
  const tokens = process.argv.slice(2);
  const runs: Run[] = [];
  let exits = false;
  let loaded: Loaded | undefined;

  async function conclude(problem?: Problem): Promise<void> {
    const observation = problem ? { problem } : await observationOf(runs, loaded);
    writeFileSync(file, JSON.stringify(observation));
    reallyExit(0);
  }

  function conclusion(error: unknown): void {
    if (exits) void conclude(runs.length > 0 ? undefined : { kind: "exits" });
    else
      void conclude({
        kind: "throws",
        message: stringifyError(error),
        stack: error instanceof Error ? error.stack : undefined,
      });
  }

  host.observe = (tool, argv) => {
    runs.push({ tool, plain: argv.length === tokens.length && argv.every((token, index) => token === tokens[index]) });
  };
  process.exit = () => {
    exits = true;
    throw new Error("the tool ends the process while it loads"); // stops the module; a build does not end here
  };
  process.on("uncaughtException", conclusion);
  process.on("unhandledRejection", conclusion);
  process.on("beforeExit", () => conclude(loaded || runs.length > 0 ? undefined : { kind: "unsettled" }));
  load().then((module) => {
    loaded = module;
    if (runs.length > 0) return conclude(); // and not later: an open socket or a timer may hold the process
    if (module.default instanceof Tool) setTimeout(conclude, PATIENCE); // it may still run, from a promise of its own
    return undefined;
  }, conclusion);
}

async function observationOf(runs: readonly Run[], loaded: Loaded | undefined): Promise<Observation> {
  if (runs.length > 1) return { problem: { kind: "several-runs" } };
  const [run] = runs;
  if (run) return { manifest: await describeTool(catalogOf(run.tool), run.plain ? "plain" : "other") };
  const exported = loaded?.default;
  if (exported instanceof Tool) return { manifest: await describeTool(catalogOf(exported), "exported") };
  return { problem: { kind: "no-tool" } };
}

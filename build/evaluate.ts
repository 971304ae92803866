import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { mapStack, type SourceMaps } from "../src/frames.ts";
import type { Manifest } from "../src/manifest.ts";
import type { Observation, Problem } from "../src/observe.ts";
import type { Bundle } from "./bundle.ts";
import { type Ending, runChild } from "./child.ts";
import { BuildError, quote } from "./errors.ts";
import type { Plan } from "./plan.ts";

/** Loads the bundle once in a child of the engine, with its runs held back, and takes the manifest of its tool. */
export async function evaluate({ folder, maps }: Bundle, plan: Plan): Promise<Manifest> {
  const probe = join(folder, "probe.js");
  const file = join(folder, "observation.json"); // not stdout: the tool may print while it loads
  await writeFile(
    probe,
    `import { observe } from "./observe.js";\nobserve(${JSON.stringify(file)}, () => import("./tool.js"));\n`,
  );
  const ending = await runChild(plan.engine.path, [probe, ...COMMAND_LINE], { folder, timeout: plan.timeout });
  plan.onPrint(ending.stdout + ending.stderr);
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) throw silence(ending, plan);
  const observation = JSON.parse(text) as Observation;
  if ("problem" in observation) throw problemOf(observation.problem, plan, maps);
  return observation.manifest;
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

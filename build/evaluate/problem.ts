import { basename } from "node:path";
import { mapStack } from "../../src/frames.ts";
import type { Problem } from "../../src/observe.ts";
import type { Bundle } from "../bundle/bundle.ts";
import { BuildError, quote } from "../errors.ts";
import type { Plan } from "../plan.ts";
import type { Ending } from "../system/child.ts";

/** A tool of which nothing was seen. */
export function silence({ timedOut, signal, code }: Ending, { entry, timeout }: Plan): BuildError {
  const name = quote(basename(entry));
  if (timedOut)
    return new BuildError(`${name} was still loading after ${timeout} s`, {
      hint: "work belongs into the handlers; --timeout gives a tool more time to load",
    });
  return new BuildError(`${name} ended the process while it loaded (${signal ?? `code ${code}`})`, {
    hint: "a tool only registers its subcommands while it loads, then calls `tool.run()`",
  });
}

/** A tool that cannot be looked at. */
export function problemOf(
  problem: Problem,
  { entry }: Plan,
  { lines, folder, warnings }: Pick<Bundle, "lines" | "folder" | "warnings">,
): BuildError {
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
        `${name} throws while it loads: ${problem.message}${framesOf(mapStack(problem.stack ?? "", lines, folder))}`,
        {
          hint: [...warnings, CLEAN].join("\n  "),
        },
      );
  }
}

const CLEAN = "it is loaded with an empty environment: read variables and files in the handlers";

function framesOf(stack: string): string {
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
  return frames.length > 0 ? `\n${frames.slice(0, 5).join("\n")}\n` : "";
}

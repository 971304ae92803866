import { type Answer, type ErrorEnvelope, fail, type ToolOutput } from "./envelope.ts";
import { renderJson } from "./json.ts";
import { type Stdout, seizeStdout } from "./stdout.ts";

// All that the end of a run needs, taken before any code of the author runs, who may replace it.
const { process } = globalThis;
const reallyExit = process.reallyExit.bind(process) as (code: number) => never;
const emit = process.emit.bind(process);
const removeAllListeners = process.removeAllListeners.bind(process);
const printError = console.error;

/** EX_IOERR of sysexits.h: the answer could not be delivered. */
const UNDELIVERABLE = 74;

let stdout: Stdout | undefined;
let failureCode = 0;
/** What the process exits with; set once there is an answer. */
let exitCode: number | undefined;
let leaving = false;
/** The event loop ran empty, so an exit that follows is nobody's call. */
let idle = false;

/**
 * Makes this process a run: one answer on stdout, exit 0. From here on everything else that is printed goes to stderr,
 * and every ending that can be caught becomes an answer.
 */
export function startRun(): Stdout {
  if (stdout) return stdout;
  stdout = seizeStdout();
  failureCode = process.env["CFA_EXIT_CODES"] === "1" ? 1 : 0;
  for (const name of ["exit", "reallyExit", "execve"] as const)
    Object.assign(process, {
      [name]: (argument: unknown) => end(new Error(`process.${name}(${shown(argument)}) was called`)),
    });
  process.removeAllListeners = (...names: Parameters<typeof removeAllListeners>) => {
    removeAllListeners(...names);
    listen();
    return process;
  };
  listen();
  return stdout;
}

/** Prints the answer and ends the process: once, whoever comes first. */
export function deliver(answer: Answer): never {
  if (exitCode !== undefined) return leave(exitCode);
  const { write } = startRun();
  exitCode = answer.ok ? 0 : failureCode;
  const trouble = write(`${answer.text}\n`);
  if (trouble === "EPIPE") return leave(0); // the reader went away, and knows it
  if (trouble === undefined) return leave(exitCode);
  exitCode = UNDELIVERABLE;
  printError(`stdout: the answer could not be written: ${trouble}`);
  return leave(exitCode);
}

/** Prints one envelope and ends the process, as `run` does. */
export function jsonOutput(envelope: ToolOutput | ErrorEnvelope): never {
  return deliver(answerOf(envelope));
}

function answerOf(envelope: ToolOutput | ErrorEnvelope): Answer {
  try {
    return { ok: envelope.ok, text: renderJson(envelope) };
  } catch (error) {
    return fail(error);
  }
}

/** The command line behind the name of the tool. */
export function commandLine(): string[] {
  return process.argv.slice(2);
}

/** Tells the person who reads stderr. */
export function warn(line: string): void {
  printError(line);
}

function listen(): void {
  process.prependListener("exit", (code) => {
    if (!leaving)
      end(
        new Error(
          idle ? "nothing is left to wait for, and the handler has not settled" : `process.exit(${code}) was called`,
        ),
      );
  });
  process.on("beforeExit", () => {
    idle = true;
  });
  process.on("uncaughtException", end);
  process.on("unhandledRejection", end);
}

function end(error: unknown): never {
  return deliver(fail(error));
}

/** Exits with the code that was promised, whatever the listeners of others make of it. */
function leave(code: number): never {
  if (!leaving) {
    leaving = true;
    try {
      emit("exit", code);
    } catch (error) {
      printError(error);
    }
  }
  return reallyExit(code);
}

function shown(argument: unknown): string {
  return typeof argument === "number" || typeof argument === "string" ? String(argument) : "";
}

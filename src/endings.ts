import { type Answer, type ErrorEnvelope, fail, type ToolOutput } from "./envelope.ts";
import { isPlainObject, renderJson } from "./json.ts";
import { type Stdout, seizeStdout } from "./stdout.ts";

// All that the end of a run needs, taken before any code of the author runs, who may replace it.
const { Error, process } = globalThis;
const { apply } = Reflect;
const { hasOwn } = Object;
const reallyExit = process.reallyExit.bind(process) as (code: number) => never;
const prependListener = process.prependListener.bind(process);
const removeListener = process.removeListener.bind(process);
const removeAllListeners = process.removeAllListeners.bind(process);
const listeners = process.listeners.bind(process);
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
 * and every ending that can be caught becomes an answer. `isFirst` tells that no code of the author has run yet.
 */
export function startRun(isFirst = false): Stdout {
  if (stdout) return stdout;
  stdout = seizeStdout(isFirst);
  failureCode = process.env["CFA_EXIT_CODES"] === "1" ? 1 : 0;
  for (const name of ["exit", "reallyExit", "execve"] as const)
    Object.assign(process, {
      [name]: (argument: unknown) => end(new Error(`process.${name}(${shown(argument)}) was called`)),
    });
  for (const name of [
    "off",
    "removeListener",
    "removeAllListeners",
    "prependListener",
    "prependOnceListener",
  ] as const) {
    const change = process[name].bind(process) as (...args: unknown[]) => unknown;
    Object.assign(process, {
      [name]: (...args: unknown[]) => {
        change(...args);
        listen();
        return process;
      },
    });
  }
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
    if (isPlainObject(envelope) && typeof envelope.ok === "boolean" && typeof envelope.message === "string")
      return { ok: envelope.ok, text: renderJson(envelope) };
    throw new TypeError("jsonOutput takes an envelope: an object with a boolean ok and a string message");
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

/** Listens to all that can end the process; again where somebody took a listener off, or went before it. */
function listen(): void {
  listenFirst("exit", onExit);
  listenFirst("beforeExit", onIdle);
  listenFirst("uncaughtExceptionMonitor", end); // one of these that throws ends Node at once, with exit code 7
  listenFirst("uncaughtException", end);
  listenFirst("unhandledRejection", end);
}

function listenFirst(name: string, listener: (argument: unknown) => void): void {
  removeListener(name, listener);
  prependListener(name, listener);
}

function onExit(code: unknown): void {
  if (leaving) return;
  end(
    new Error(
      idle ? "nothing is left to wait for, and the handler has not settled" : `process.exit(${shown(code)}) was called`,
    ),
  );
}

function onIdle(): void {
  idle = true;
}

function end(error: unknown): never {
  return deliver(fail(error));
}

/** Exits with the code that was promised, whatever the listeners of others make of it. */
function leave(code: number): never {
  if (!leaving) {
    leaving = true;
    sayGoodbye(code);
  }
  return reallyExit(code);
}

/** Not `emit`, which one listener that throws would end, for Bun with exit code 7. */
function sayGoodbye(code: number): void {
  const others = listeners("exit");
  for (let index = 0; index < others.length; index++)
    try {
      apply(others[index] as (code: number) => void, process, [code]);
    } catch (error) {
      printError(error);
    }
  if (!hasOwn(process, "emit")) return;
  try {
    removeAllListeners("exit"); // which have been called; Node tells `emit` of it
    apply(process.emit, process, ["exit", code]); // libraries that clean up put themselves in its place and wait for this
  } catch {} // it may be anything that the handler has put there
}

function shown(argument: unknown): string {
  return typeof argument === "number" || typeof argument === "string" ? String(argument) : "";
}

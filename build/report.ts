import { relative } from "node:path";
import { BuildError } from "./errors.ts";
import type { BuildResult, Inspection } from "./index.ts";
import { renderInspection } from "./release/inspection.ts";
import { sha256Of } from "./release/sums.ts";

type Terminal = { stdout: NodeJS.WriteStream; stderr: NodeJS.WriteStream };

/** How `cfa` tells what it does: results on stdout, all else on stderr. What ends a run returns its exit code. */
export type Report = ReturnType<typeof reportTo>;

export function reportTo(terminal: Terminal, { json, verbose }: { json: boolean; verbose: boolean }) {
  const start = performance.now();
  const printer = printerTo(terminal, json);
  const { note, print } = printer;

  async function built(result: BuildResult): Promise<0> {
    const { executables, warnings, notes } = result;
    if (json) return print(lineOf(await describeBuild(result)));
    const told = notes.length > 0 ? notes : [NOTHING];
    for (const line of [...(verbose ? told : []), ...warnings.map((text) => `cfa: warning: ${text}`)]) note(line);
    note(`${megabytesOf(executables)} MB in ${((performance.now() - start) / 1000).toFixed(2)} s\n`);
    return print(executables.map(({ outfile }) => `${shortest(outfile)}\n`).join(""));
  }

  /** Returns 1 where the executable is not what it was. */
  function inspected(file: string, found: Inspection): 0 | 1 {
    const verdict = verdictOf(file, found);
    print(json ? lineOf({ ...verdict, ...found }) : renderInspection(found));
    return verdict.ok ? 0 : 1;
  }

  function failed<Code extends number>(error: unknown, code: string, exitCode: Code): Code {
    const { message, hint } = describe(error);
    if (json) print(lineOf({ ok: false, error: code, message, hint }));
    else note(`cfa: ${message}${hint ? `\n  ${hint}` : ""}\n`);
    return exitCode;
  }

  return { ...printer, built, inspected, failed };
}

function printerTo({ stdout, stderr }: Terminal, json: boolean) {
  const live = stderr.isTTY === true && !json;
  const wipe = live ? "\r\x1b[2K" : "";

  for (const stream of [stdout, stderr]) stream.on("error", ignoreEarlyEnd);

  function step(name: string, target?: string): void {
    const words = target === undefined ? name : `${name} ${target}`;
    if (!json) stderr.write(live ? `${wipe}${words} …` : `${words}\n`);
  }

  function note(text: string): void {
    if (text) stderr.write(`${wipe}${text}${text.endsWith("\n") ? "" : "\n"}`);
  }

  function print(text: string): 0 {
    stdout.write(text);
    return 0;
  }

  return { step, note, print };
}

const NOTHING = "nothing in the tool keeps the executable from starting faster";

const lineOf = (envelope: object) => `${JSON.stringify(envelope)}\n`;

/** A reader that went away knows it. */
function ignoreEarlyEnd(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

function describe(error: unknown): { message: string; hint?: string | undefined } {
  if (error instanceof BuildError) return error;
  const stack = error instanceof Error ? error.stack : undefined;
  return { message: stack ?? String(error), hint: "this is a bug in cfa: please report it" };
}

/** A path that can be typed as it stands. */
function shortest(path: string): string {
  const fromHere = relative("", path);
  return fromHere.startsWith("..") ? path : `./${fromHere}`;
}

function megabytesOf(executables: BuildResult["executables"]): string {
  return (executables.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6).toFixed(1);
}

function verdictOf(file: string, { damage }: Inspection) {
  if (damage.length === 0) return { ok: true, message: `${file} is as it was made` };
  return { ok: false, error: "damaged", message: `${file} is damaged: ${damage.join(", ")}`, hint: "get it again" };
}

/** With the sum of each executable. */
async function describeBuild(result: BuildResult) {
  const executables = await Promise.all(
    result.executables.map(async (one) => ({ ...one, sha256: await sha256Of(one.outfile) })),
  );
  const message = `built ${executables.map(({ outfile }) => outfile).join(", ")}`;
  return { ok: true, message, ...result, executables, sha256: executables[0]?.sha256 };
}

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { BuildError } from "./errors.ts";
import type { BuildResult } from "./index.ts";

type Terminal = { stdout: NodeJS.WriteStream; stderr: NodeJS.WriteStream };

/** How `cfa` tells what it does: results on stdout, all else on stderr. What ends a run returns its exit code. */
export type Report = ReturnType<typeof reportTo>;

export function reportTo({ stdout, stderr }: Terminal, { json, verbose }: { json: boolean; verbose: boolean }) {
  const live = stderr.isTTY === true && !json;
  const wipe = live ? "\r\x1b[2K" : "";

  for (const stream of [stdout, stderr]) stream.on("error", ignoreEarlyEnd);

  function step(name: string): void {
    if (!json) stderr.write(live ? `${wipe}${name} …` : `${name}\n`);
  }

  function note(text: string): void {
    if (text) stderr.write(`${wipe}${text}${text.endsWith("\n") ? "" : "\n"}`);
  }

  function print(text: string): 0 {
    stdout.write(text);
    return 0;
  }

  async function built(result: BuildResult): Promise<0> {
    const { outfile, notes } = result;
    if (json)
      return print(
        `${JSON.stringify({ ok: true, message: `built ${outfile}`, ...result, sha256: await hashOf(outfile) })}\n`,
      );
    for (const line of [...(verbose ? notes : []), ...linesOf(result)]) note(line);
    return print(`${shortest(outfile)}\n`);
  }

  function failed<Code extends number>(error: unknown, code: string, exitCode: Code): Code {
    const { message, hint } = describe(error);
    if (json) print(`${JSON.stringify({ ok: false, error: code, message, hint })}\n`);
    else note(`cfa: ${message}${hint ? `\n  ${hint}` : ""}\n`);
    return exitCode;
  }

  return { step, note, print, built, failed };
}

function linesOf({ warnings, bytes, ms }: BuildResult): string[] {
  const seconds = Object.values(ms).reduce((sum, one) => sum + one, 0) / 1000;
  const size = `${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(2)} s`;
  return [...warnings.map((warning) => `cfa: warning: ${warning}`), size];
}

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

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

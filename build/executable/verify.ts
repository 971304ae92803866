import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Manifest } from "../../src/manifest.ts";
import type { Target } from "../engine/targets.ts";
import { BuildError } from "../errors.ts";
import { inspect } from "../release/inspect.ts";
import type { Making } from "../release/products.ts";
import { runChild } from "../system/child.ts";

type Check = { what: string; args: string[]; holds: (line: string) => boolean };

/** An executable that was made, and whether it has the prelude. */
export type Made = Making & { executable: string; prelude: boolean };

/** Runs what was made where it runs on this machine, and looks into it where it does not. */
export async function verify(made: Made, manifest: Manifest, folder: string, host: Target): Promise<void> {
  if (await runsHere(made, host, folder)) await verifyByRunning(made, manifest, folder);
  else await verifyByLooking(made);
}

/** A program for the other C library runs as well, where that and the C++ library are installed. */
async function runsHere({ target, base }: Making, host: Target, folder: string): Promise<boolean> {
  if (target === host) return true;
  const withoutLibrary = ({ name }: Target) => name.replace("-musl", "");
  if (withoutLibrary(target) !== withoutLibrary(host)) return false;
  const ending = await runChild(base.path, ["--version"], { folder, timeout: 10 }).catch(() => undefined);
  return ending?.code === 0;
}

async function verifyByLooking({ executable, target }: Made): Promise<void> {
  const seen = await inspect(executable);
  const faults = seen.target === target.name ? seen.damage : [`it is for ${seen.target}`];
  if (faults.length === 0) return;
  throw new BuildError(`the executable for ${target.name} fails its check: ${faults.join(", ")}`, {
    hint: "please report this with the version of Bun",
  });
}

/** A frozen answer, one that JavaScript gives, and one that loads the tool without calling a handler. */
async function verifyByRunning({ executable, prelude }: Made, manifest: Manifest, folder: string): Promise<void> {
  const checks = checksOf(manifest).map((check) => hold(check, executable, folder));
  const identity = prelude && !manifest.live ? [holdIdentity(executable, folder)] : [];
  await Promise.all([...checks, ...identity]);
}

/** A sealed executable is the tool whatever the environment asks of Bun. */
async function holdIdentity(executable: string, folder: string): Promise<void> {
  const env = { BUN_BE_BUN: "1", HOME: folder, TMPDIR: folder };
  const ran = promisify(execFile)(executable, ["--", "--cfa"], { cwd: folder, env, timeout: 60_000 });
  const { stdout } = await ran.catch((failure: { stdout: string }) => failure);
  if (errorOf(stdout) === "unknown_subcommand") return;
  throw new BuildError(`the executable is another program where BUN_BE_BUN is set\n${stdout}`, {
    hint: "please report this with the version of Bun; --no-prelude builds without what should keep it from that",
  });
}

async function hold({ what, args, holds }: Check, executable: string, folder: string): Promise<void> {
  const { code, signal, stdout, stderr } = await runChild(executable, args, { folder });
  const line = stdout.endsWith("\n") ? stdout.slice(0, -1) : stdout;
  if (code === 0 && holds(line)) return;
  throw new BuildError(`the executable fails its check of ${what}: ${signal ?? `exit ${code}`}\n${stdout}${stderr}`, {
    hint: "please report this with the source of the tool and the version of Bun",
  });
}

/** What a tool does that decides by its words or its environment is its own: none of them is tried. */
function checksOf({ answers, subcommands, live }: Manifest): Check[] {
  if (live) return [];
  const frozen = { what: "the frozen schema", args: ["schema"], holds: (line: string) => line === answers["schema"] };
  const unknown = {
    what: "an unknown subcommand",
    args: ["--", "--cfa"],
    holds: (line: string) => errorOf(line) === "unknown_subcommand",
  };
  // Refused whatever the schema takes, so that no handler is called; unless a key of that name is declared.
  const subcommand = subcommands.find(({ input }) => !JSON.stringify(input).includes('"input-json"'));
  const refused = subcommand && {
    what: "a refused input",
    args: [subcommand.name, "--input-json", "[]"],
    holds: (line: string) => errorOf(line) === "input_validation_error",
  };
  return refused ? [frozen, unknown, refused] : [frozen, unknown];
}

function errorOf(line: string): unknown {
  try {
    return (JSON.parse(line) as { error?: unknown }).error;
  } catch {
    return undefined;
  }
}

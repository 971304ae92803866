import { rmdirSync, rmSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, statfs, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { BuildError, quote } from "../errors.ts";
import { isLegible } from "./above.ts";
import { endChildren } from "./child.ts";
import { HEARTBEAT, isAbandoned, nameOfOwn } from "./owner.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Works in a folder beside the outfile, from which what was made can be renamed into place. It is gone afterwards. `hint`
 * is for who may not write there.
 */
export async function inScratch<T>(
  outfile: string,
  work: (folder: string) => Promise<T>,
  hint = "name another path with --outfile",
): Promise<T> {
  const parent = dirname(outfile);
  return inFolder((await suitsBun(parent)) ? parent : tmpdir(), work, hint);
}

/** Puts what was made into its place at once: who looks finds the old file or the new one. */
export async function publish(made: string, outfile: string): Promise<void> {
  const parent = dirname(outfile);
  if (relative(parent, made).startsWith(".."))
    return inFolder(parent, async (folder) => {
      const copy = join(folder, "copy");
      await copyFile(made, copy);
      await publish(copy, outfile);
    });
  await rename(made, outfile).catch((cause: NodeJS.ErrnoException) => {
    throw new BuildError(`cannot replace ${quote(outfile)}: ${cause.code}`, {
      cause,
      hint: "is it running, or a folder by now? name another path with --outfile",
    });
  });
}

/** Bun 1.4 takes a backslash for a slash, and what follows a question mark for a query. */
async function suitsBun(path: string): Promise<boolean> {
  return !path.includes("?") && (sep === "\\" || !path.includes("\\")) && isLegible(path);
}

async function inFolder<T>(
  parent: string,
  work: (folder: string) => Promise<T>,
  hint = "name another path with --outfile",
): Promise<T> {
  const { folder, made } = await makeFolder(parent, hint);
  const clear = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  const undo = () => {
    clear();
    if (made) removeEmpty(parent, made);
  };
  const interrupt = (signal: NodeJS.Signals) => {
    endChildren();
    undo();
    stop();
    process.kill(process.pid, signal);
  };
  const heart = setInterval(() => utimes(folder, new Date(), new Date()).catch(() => {}), HEARTBEAT);
  const stop = () => {
    clearInterval(heart);
    for (const signal of SIGNALS) process.off(signal, interrupt);
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  try {
    return await work(folder);
  } catch (error) {
    const full = await isFull(folder, error);
    undo();
    throw full ? noSpace(parent, error) : error;
  } finally {
    clear();
    stop();
  }
}

/** Whether that is why a step has failed; what fails in a child says so in its own words, or not at all. */
async function isFull(folder: string, error: unknown): Promise<boolean> {
  if (/\b(ENOSPC|EDQUOT)\b|no space left|quota exceeded/i.test(String(error))) return true;
  return (await statfs(folder).catch(() => undefined))?.bavail === 0;
}

function noSpace(parent: string, cause: unknown): BuildError {
  return new BuildError(`no space is left in ${quote(parent)}`, {
    cause,
    hint: "an executable takes some 120 MB while it is made: make room, or name another path with --outfile",
  });
}

/** Removes the folders that this build made, as long as nobody else uses them. */
function removeEmpty(folder: string, last: string): void {
  try {
    rmdirSync(folder);
    if (folder !== last) removeEmpty(dirname(folder), last);
  } catch {}
}

async function makeFolder(parent: string, hint: string): Promise<{ folder: string; made: string | undefined }> {
  try {
    const made = await mkdir(parent, { recursive: true });
    await sweep(parent);
    const folder = await mkdtemp(join(parent, await nameOfOwn()));
    for (const [name, text] of Object.entries(SHIELDS)) await writeFile(join(folder, name), text);
    return { folder, made };
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new BuildError(`cannot write to the folder ${quote(parent)}: ${why}`, { cause, hint });
  }
}

/** Without its own, those of the folders above would count for what Bun finds here. */
const SHIELDS = { "package.json": '{ "name": "tool", "sideEffects": true }', "tsconfig.json": "{}" };

/** Removes what a build that was killed left behind. */
async function sweep(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const path = join(parent, name);
    if (await isAbandoned(path, name).catch(() => false))
      await rm(path, { recursive: true, force: true, maxRetries: 5 }).catch(() => {}); // somebody else's
  }
}

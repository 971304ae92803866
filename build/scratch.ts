import { rmdirSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { endChildren } from "./child.ts";
import { BuildError, quote } from "./errors.ts";

const PREFIX = ".cfa-";
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
  const { folder, made } = await makeFolder(parent, hint);
  const clear = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  const undo = () => {
    clear();
    if (made) removeEmpty(parent, made);
  };
  const interrupt = (signal: NodeJS.Signals) => {
    endChildren();
    undo();
    stopListening();
    process.kill(process.pid, signal);
  };
  const stopListening = () => {
    for (const signal of SIGNALS) process.off(signal, interrupt);
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  try {
    return await work(folder);
  } catch (error) {
    undo();
    throw error;
  } finally {
    clear();
    stopListening();
  }
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
    return { folder: await mkdtemp(join(parent, `${PREFIX}${process.pid}-`)), made };
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new BuildError(`cannot write to the folder ${quote(parent)}: ${why}`, { cause, hint });
  }
}

/** Removes what a build that was killed left behind. */
async function sweep(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
    if (pid > 0 && !isAlive(pid)) await rm(join(parent, name), { recursive: true, force: true }).catch(() => {}); // somebody else's
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

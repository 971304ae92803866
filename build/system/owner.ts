import { createHash } from "node:crypto";
import { readFile, readlink, stat } from "node:fs/promises";
import { hostname } from "node:os";

/**
 * A folder says by its name whose it is. A pid alone would not do: a process that is alive may have got it from a dead one,
 * and in a container the same folder is seen by processes that have other pids, or none.
 */
type Owner = { place: string; pid: number; start: string };

const PREFIX = ".cfa-";
const NAME = /^\.cfa-([0-9a-f]+)-([0-9]+)-([0-9]+)-/;

/** The beginning of the name of a folder of this process. */
export async function nameOfOwn(): Promise<string> {
  return `${PREFIX}${await placeOfOwn()}-${process.pid}-${(await startOf(process.pid)) ?? 0}-`;
}

/** Whether a folder belongs to a process that is no more. Of those of elsewhere only their silence tells. */
export async function isAbandoned(path: string, name: string): Promise<boolean> {
  const owner = read(name);
  if (!owner) return false;
  if (owner.place !== (await placeOfOwn())) return (await silenceOf(path)) > MOST_SILENCE;
  if (!isAlive(owner.pid)) return true;
  const start = await startOf(owner.pid);
  return start !== undefined && start !== owner.start;
}

/** Milliseconds. */
export const HEARTBEAT = 5_000;
const MOST_SILENCE = 600_000;

function read(name: string): Owner | undefined {
  const [, place, pid, start] = NAME.exec(name) ?? [];
  return place && start ? { place, pid: Number(pid), start } : undefined;
}

/** Where a pid means the same process: on Linux the namespace that it counts in, until the next boot. */
async function placeOfOwn(): Promise<string> {
  const parts = [readFile("/proc/sys/kernel/random/boot_id", "utf8"), readlink("/proc/self/ns/pid")];
  const known = await Promise.all(parts).catch(() => [hostname()]);
  return createHash("sha256").update(known.join()).digest("hex").slice(0, 8);
}

/** When a process has started, in ticks since the boot; on Linux. */
async function startOf(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  return text?.slice(text.lastIndexOf(")") + 2).split(" ")[19]; // behind the name, which may be anything
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function silenceOf(path: string): Promise<number> {
  const { mtimeMs } = await stat(path);
  return Date.now() - mtimeMs;
}

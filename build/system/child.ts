import { type ChildProcess, spawn } from "node:child_process";

/** How a child ended, and what it printed. */
export type Ending = {
  code: number | null;
  signal: NodeJS.Signals | null;
  timedOut: boolean;
  stdout: string;
  stderr: string;
};

type Options = {
  /** Its working directory, and all that it gets to know of this machine. */
  folder: string;
  /** Seconds; 60. */
  timeout?: number;
  /** Variables that it gets beside or instead of the usual ones. */
  env?: NodeJS.ProcessEnv;
};

const running = new Set<ChildProcess>();

/** Runs a program to its end with nothing of our environment, input or working directory. What it started ends with it. */
export function runChild(
  program: string,
  args: readonly string[],
  { folder, timeout = 60, env }: Options,
): Promise<Ending> {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, env: { ...environmentIn(folder), ...env }, detached: process.platform !== "win32" };
    const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    endLater(child);
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      endGroup(child);
    }, timeout * 1000);
    child.stdout.on("data", (piece: Buffer) => stdout.push(piece));
    child.stderr.on("data", (piece: Buffer) => stderr.push(piece));
    child.on("error", reject);
    child.on("exit", () => {
      clearTimeout(timer);
      endGroup(child); // what is left of it would hold the pipes open
    });
    child.on("close", (code, signal) =>
      resolve({
        code,
        signal,
        timedOut,
        stdout: Buffer.concat(stdout).toString(),
        stderr: Buffer.concat(stderr).toString(),
      }),
    );
  });
}

/** Has a child, which leads a group of its own, end with a build that is interrupted. */
export function endLater(child: ChildProcess): void {
  running.add(child);
  child.on("close", () => running.delete(child));
}

/** Ends all that runs, for a build that is interrupted. */
export function endChildren(): void {
  running.forEach(endGroup);
}

function endGroup(child: ChildProcess): void {
  child.kill("SIGKILL");
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {} // nobody is left
}

/** A home of its own: Bun reads settings from there and keeps a cache. */
function environmentIn(folder: string): NodeJS.ProcessEnv {
  const { SystemRoot } = process.env; // Windows programs do not start without
  return {
    HOME: folder,
    TMPDIR: folder,
    TZ: "UTC",
    LC_ALL: "C.UTF-8",
    DO_NOT_TRACK: "1",
    ...(SystemRoot && { SystemRoot }),
  };
}

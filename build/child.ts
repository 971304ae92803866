import { spawn } from "node:child_process";

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
};

/** Runs a program to its end with nothing of our environment, input or working directory. */
export function runChild(program: string, args: readonly string[], { folder, timeout = 60 }: Options): Promise<Ending> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, env: environmentIn(folder), stdio: ["ignore", "pipe", "pipe"] });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      child.kill("SIGKILL");
    }, timeout * 1000);
    child.stdout.on("data", (piece: Buffer) => stdout.push(piece));
    child.stderr.on("data", (piece: Buffer) => stderr.push(piece));
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      resolve({
        code,
        signal,
        timedOut,
        stdout: Buffer.concat(stdout).toString(),
        stderr: Buffer.concat(stderr).toString(),
      });
    });
  });
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

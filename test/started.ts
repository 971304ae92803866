import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./harness.ts";

/** Starts `cfa`, to be ended by a signal. */
export function start(engine: string, cwd: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const options = { cwd, env: { ...process.env, CFA_BUN: undefined, ...env } };
  const child = spawn(engine, [join(root, "bin/cfa"), ...args], { ...options, stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.on("data", (text: Buffer) => {
    stderr += text;
  });
  const ended = new Promise<{ signal: string | null; stderr: string }>((done) => {
    child.on("close", (_, signal) => done({ signal, stderr }));
  });
  return { child, ended };
}

/** The text of a file that somebody else writes. */
export async function appeared(path: string): Promise<string> {
  await until(() => existsSync(path), path);
  return readFileSync(path, "utf8");
}

/** Waits until a process is gone, or dead and not yet collected. */
export async function gone(pid: number) {
  await until(() => {
    try {
      return !process.kill(pid, 0) || /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
    } catch {
      return true;
    }
  }, `the end of ${pid}`);
}

/** Waits for what comes soon; gives up after a minute. */
async function until(holds: () => boolean, what: string) {
  for (let tries = 0; !holds(); tries++) {
    if (tries > 3000) throw new Error(`never came: ${what}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

import { spawn } from "node:child_process";
import { BuildError } from "../errors.ts";
import { endLater } from "../system/child.ts";

/**
 * Has npm put a package's tarball into a folder. Registry, proxy, credentials, cache and the check of integrity are npm's,
 * set as in the folder that it works in; a package for another machine is a tarball like any other.
 */
export async function packWithNpm(spec: string, into: string, cwd: string): Promise<void> {
  const env = { ...(await patience(cwd)), npm_config_pack_destination: into };
  const { code, stderr } = await runNpm(["pack", spec, "--prefer-offline", "--loglevel=error"], cwd, env);
  if (code === 0) return;
  throw new BuildError(`npm could not get ${spec}\n${stderr.trimEnd()}`, {
    hint: "npm config set registry URL, or https-proxy URL, says where from; --bun-dir DIR takes it from a folder",
  });
}

/** Without a network npm waits for more than a minute before it tries for the last time, unless somebody has set that. */
async function patience(cwd: string): Promise<NodeJS.ProcessEnv> {
  const names = ["fetch-retry-mintimeout", "fetch-retry-maxtimeout"];
  const { stdout } = await runNpm(["config", "get", ...names], cwd, {});
  const isSet = stdout.trim() !== `${names[0]}=10000\n${names[1]}=60000`;
  return isSet ? {} : { npm_config_fetch_retry_mintimeout: "1000", npm_config_fetch_retry_maxtimeout: "5000" };
}

type Ran = { code: number | null; stdout: string; stderr: string };

function runNpm(args: string[], cwd: string, variables: NodeJS.ProcessEnv): Promise<Ran> {
  const env = { ...process.env, npm_config_update_notifier: "false", ...variables };
  const windows = process.platform === "win32"; // where npm is a script for the shell
  return new Promise((resolve, reject) => {
    const options = { cwd, env, shell: windows, detached: !windows };
    const child = spawn("npm", args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    endLater(child);
    const ran: Ran = { code: null, stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"] as const)
      child[stream].on("data", (piece: Buffer) => {
        ran[stream] += piece;
      });
    child.on("error", (cause) =>
      reject(
        new BuildError("npm, which gets Bun for other machines, was not found", {
          cause,
          hint: "install Node.js with npm, or take the packages of Bun from a folder with --bun-dir DIR",
        }),
      ),
    );
    child.on("close", (code) => resolve({ ...ran, code }));
  });
}

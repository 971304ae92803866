import { spawn } from "node:child_process";
import { BuildError } from "./errors.ts";

/**
 * Has npm put a package's tarball into a folder. Registry, proxy, credentials, cache and the check of integrity are npm's,
 * set as in the folder that it works in; a package for another machine is a tarball like any other.
 */
export async function packWithNpm(spec: string, into: string, cwd: string): Promise<void> {
  const { code, stderr } = await runNpm(["pack", spec, "--prefer-offline", "--loglevel=error"], into, cwd);
  if (code === 0) return;
  throw new BuildError(`npm could not get ${spec}\n${stderr.trimEnd()}`, {
    hint: "npm config set registry URL, or https-proxy URL, says where from; --bun-dir DIR takes it from a folder",
  });
}

function runNpm(args: string[], into: string, cwd: string): Promise<{ code: number | null; stderr: string }> {
  const env = { ...process.env, npm_config_pack_destination: into, npm_config_update_notifier: "false" };
  const windows = process.platform === "win32"; // where npm is a script for the shell
  return new Promise((resolve, reject) => {
    const child = spawn("npm", args, { cwd, env, shell: windows, stdio: ["ignore", "ignore", "pipe"] });
    let stderr = "";
    child.stderr.on("data", (piece: Buffer) => {
      stderr += piece;
    });
    child.on("error", (cause) =>
      reject(
        new BuildError("npm, which gets Bun for other machines, was not found", {
          cause,
          hint: "install Node.js with npm, or take the packages of Bun from a folder with --bun-dir DIR",
        }),
      ),
    );
    child.on("close", (code) => resolve({ code, stderr }));
  });
}

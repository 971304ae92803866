import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { delimiter, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { BuildError, quote } from "../errors.ts";

/** The Bun that evaluates the tool, compiles it, and goes into the executable. */
export type Engine = { path: string; version: string };

const OLDEST = [1, 4] as const;
const BINARY = process.platform === "win32" ? "bun.exe" : "bun";

/**
 * Finds Bun: the one that is named, `CFA_BUN`, the one that this runs on, the npm package seen from `folder` and from here,
 * `PATH`. Throws a BuildError where there is none, or where the first that there is is too old.
 */
export async function findBun(named: string | undefined, folder: string): Promise<Engine> {
  const chosen = named ?? process.env["CFA_BUN"];
  const engine = chosen
    ? await ask(resolve(chosen))
    : ((await current()) ?? (await installed(folder)) ?? (await onPath()));
  if (engine && isOld(engine.version))
    throw new BuildError(`Bun ${engine.version} at ${quote(engine.path)} is too old`, {
      hint: `cfa needs Bun ${OLDEST.join(".")} or later: npm install --save-dev bun@latest`,
    });
  if (engine) return engine;
  throw new BuildError("Bun was not found", {
    hint: "npm install --save-dev bun, or name one with --bun PATH or CFA_BUN",
  });
}

async function ask(path: string): Promise<Engine> {
  try {
    const { stdout } = await promisify(execFile)(path, ["--version"], { timeout: 10_000 });
    const version = stdout.trim();
    if (!/^\d+\.\d+\.\d+/.test(version)) throw new Error(`it calls itself ${quote(version)}`);
    return { path, version };
  } catch (cause) {
    throw new BuildError(`no Bun that runs at ${quote(path)}`, {
      cause,
      hint: "name the bun executable itself with --bun PATH or CFA_BUN",
    });
  }
}

async function current(): Promise<Engine | undefined> {
  const version = process.versions["bun"];
  return version === undefined ? undefined : { path: process.execPath, version };
}

async function installed(folder: string): Promise<Engine | undefined> {
  for (const from of [join(folder, "_"), import.meta.url]) {
    const engine = await fromPackage(createRequire(from));
    if (engine) return engine;
  }
  return undefined;
}

/** Where no install script has put the binary into the package `bun`, it is in the package of the platform. */
async function fromPackage(require: NodeJS.Require): Promise<Engine | undefined> {
  const manifest = tryResolve(require, "bun/package.json");
  if (!manifest) return undefined;
  const { version } = JSON.parse(await readFile(manifest, "utf8")) as { version: string };
  const platform = `@oven/bun-${process.platform === "win32" ? "windows" : process.platform}-${process.arch === "arm64" ? "aarch64" : process.arch}`;
  const binaries = [platform, `${platform}-musl`].map((name) =>
    tryResolve(createRequire(manifest), `${name}/bin/${BINARY}`),
  );
  for (const path of [join(dirname(manifest), "bin", "bun.exe"), ...binaries])
    if (path && (await isBinary(path))) return { path, version };
  return undefined;
}

async function onPath(): Promise<Engine | undefined> {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    const path = join(folder, BINARY);
    if (folder && (await isBinary(path))) return ask(path);
  }
  return undefined;
}

function tryResolve(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(name);
  } catch {
    return undefined;
  }
}

/** The package's own placeholder is a few hundred bytes of shell. */
async function isBinary(path: string): Promise<boolean> {
  const file = await stat(path).catch(() => undefined);
  return file?.isFile() === true && file.size > 1_000_000;
}

function isOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
}

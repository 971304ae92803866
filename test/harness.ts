import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { build } from "@code-first-agents/tool/build";
import * as esbuild from "esbuild";
import { findBun } from "../build/engine/bun.ts";

/** The repository: tests run as bundles from `dist/test`, in this folder. */
export const root = process.cwd();

/** The Bun that tests use. */
export const { path: bun } = await findBun(undefined, root);

const folders: string[] = [];
process.on("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export type Ran = { stdout: string; stderr: string; code: number | null };

export type RunOptions = {
  cwd?: string;
  /** Laid over the environment of the tests; `undefined` takes a variable away. */
  env?: Record<string, string | undefined>;
  /** What the command reads on stdin; nothing by default. */
  input?: string | Uint8Array;
};

/** Runs a command to its end. `code` is null when a signal ended it. */
export function run(command: string, args: string[] = [], { cwd = root, env, input = "" }: RunOptions = {}) {
  const child = spawn(command, args, { cwd, env: { ...process.env, CFA_EXIT_CODES: undefined, ...env } });
  child.stdin.on("error", () => {}); // who never reads closes the pipe first
  child.stdin.end(input);
  const stdout = textOf(child.stdout);
  const stderr = textOf(child.stderr);
  return new Promise<Ran>((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => done({ stdout: stdout(), stderr: stderr(), code }));
  });
}

/** Runs a tool from its source, under Bun. */
export const inSource = (file: string, args: string[] = [], options?: RunOptions) =>
  run(bun, [resolve(root, file), ...args], options);

/** Runs a tool under this Node, with the runtime from `dist`. */
export const onNode = async (file: string, args: string[] = [], options?: RunOptions) =>
  run(process.execPath, [await transpiled(file), ...args], options);

/** Builds a tool, once in this process, and returns the path of its executable. */
export const compiled = once(async (file) => {
  const outfile = join(temporary(), basename(file, ".ts"));
  return (await build({ entry: resolve(root, file), outfile, cwd: root })).outfile;
});

/** A new folder that is removed when this process ends. */
export function temporary(parent = tmpdir()) {
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, "cfa-test-"));
  folders.push(folder);
  return folder;
}

const transpiled = once(async (file) => {
  // inside the repository, so that the package finds itself by its own name
  const outfile = join(temporary(join(root, "dist/test")), `${basename(file, ".ts")}.js`);
  await esbuild.build({
    entryPoints: [resolve(root, file)],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    tsconfigRaw: {}, // the repository's own leads the package's name to `src`
  });
  return outfile;
});

function once<T>(make: (file: string) => Promise<T>) {
  const made = new Map<string, Promise<T>>();
  return (file: string) => {
    const known = made.get(file) ?? make(file);
    made.set(file, known);
    return known;
  };
}

function textOf(stream: NodeJS.ReadableStream) {
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}

import { createHash } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import * as assert from "uvu/assert";
import { type Ran, type RunOptions, root, run, temporary } from "./harness.ts";

/** What is in a file, by its path. */
export type Files = Record<string, string | Uint8Array>;

const place = temporary();

/** A new, empty folder. */
export const emptyFolder = () => mkdtempSync(join(place, "folder-"));

/** A new folder with these files in it. */
export function folderWith(files: Files, name = "project"): string {
  const folder = join(emptyFolder(), name);
  mkdirSync(folder, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

type Source = {
  /** What stands below the imports. */
  head?: string;
  /** What stands below the tool. */
  end?: string;
  /** The expression that `show` answers with. */
  value?: string;
};

/** The source of a tool with one subcommand: `show` gives back a value. */
export const toolWith = ({ head = "", end = "tool.run();", value = "1" }: Source = {}) => `
import { l1Output, Tool } from "@code-first-agents/tool";
import { z } from "zod";
${head}
const tool = new Tool({ name: "shown", description: "Shows a value" });
tool.subcommand({
  name: "show",
  description: "Show the value",
  input: z.object({}).strict(),
  output: l1Output({ value: z.any() }),
  handler: async () => ({ message: "shown", value: ${value} }),
});
${end}
`;

/** The line that `show` prints. */
export const shown = (value: unknown) => JSON.stringify({ ok: true, message: "shown", value });

/** Runs `cfa` in a folder: by itself on this Node, or with an engine that is named. */
export const cfa = (cwd: string, args: string[], { engine = process.execPath, ...options }: CfaOptions = {}) =>
  run(engine, [join(root, "bin/cfa"), ...args], { cwd, ...options, env: { CFA_BUN: undefined, ...options.env } });

export type CfaOptions = Omit<RunOptions, "cwd"> & { engine?: string };

/** The steps of a build as they are told on stderr, up to the one that is named. */
export function stepsTo(last = "verify"): string {
  const steps = ["plan", "bundle", "evaluate", "render", "compile", "seal", "verify"];
  return steps
    .slice(0, steps.indexOf(last) + 1)
    .map((step) => `${step}\n`)
    .join("");
}

/** What `cfa build` tells of a build that went well, with what it says beside. */
export const told = (outfile: string, beside = ""): Ran => ({
  stdout: `${outfile}\n`,
  stderr: `${stepsTo()}${beside}SIZE in TIME\n`,
  code: 0,
});

/** What was told, without what differs from build to build. */
export const steady = ({ stderr, ...ran }: Ran): Ran => ({
  ...ran,
  stderr: stderr.replace(/^\d+\.\d MB in \d+\.\d\d s$/m, "SIZE in TIME"),
});

/** A tool that can be built. */
export type Row = {
  it: string;
  /** `tool.ts` is what is built. */
  files: Files;
  flags?: string[];
  /** What is said on stderr behind the steps. */
  says?: string;
  /** What the tool prints while it loads. */
  prints?: string;
  /** The words behind `./tool`, and the whole line that it prints. */
  answers?: Answers;
};

export type Answers = [args: string[], line: string][];

/** The answers of a tool that shows a value. */
export const show = (value: unknown): Answers => [[["show"], shown(value)]];

/** Builds a tool and asks it. */
export async function makes({ files, flags = [], says = "", prints = "", answers = show(1) }: Row): Promise<void> {
  const folder = folderWith(files);
  const ran = steady(await cfa(folder, ["build", "tool.ts", ...flags]));
  const { stderr, ...rest } = told("./tool", says);
  assert.equal(ran, { stderr: stderr.replace("evaluate\n", `evaluate\n${prints}`), ...rest });
  await answersElsewhere(folder, answers, prints);
}

/** Moves the executable into a folder of its own, deletes all else, and asks it. */
export async function answersElsewhere(folder: string, answers: Answers, stderr = ""): Promise<void> {
  const there = emptyFolder();
  const executable = join(there, "moved");
  renameSync(join(folder, "tool"), executable);
  rmSync(dirname(folder), { recursive: true });
  for (const [args, line] of answers) {
    const ran = await run(executable, args, { cwd: there, env: { PATH: "" } });
    assert.equal(ran, { stdout: `${line}\n`, stderr, code: 0 }, args.join(" "));
  }
  rmSync(there, { recursive: true });
}

/** Everything below a folder: the hash of a file, the end of a link, or its kind. */
export function stateOf(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(paths.map((path) => [path, describe(join(folder, path))]));
}

function describe(path: string): string {
  const entry = lstatSync(path);
  if (entry.isSymbolicLink()) return `-> ${readlinkSync(path)}`;
  if (entry.isFile()) return sha256(path);
  return entry.isDirectory() ? "folder" : "special";
}

export const sha256 = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");

/** The files of a package. */
export function packaged(name: string, manifest: object, files: Files): Files {
  const paths = Object.entries(files).map(([path, text]) => [`node_modules/${name}/${path}`, text]);
  return { [`node_modules/${name}/package.json`]: JSON.stringify({ name, ...manifest }), ...Object.fromEntries(paths) };
}

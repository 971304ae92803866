import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Use } from "./packages.ts";
import { hidden, type Store } from "./store.ts";

/** What a program printed, or what a build said that made none. */
type Answer = { stdout: string; note: string; ms: number };

export type Outcome = "same" | "differs" | "warned" | "refused";

/** How one package went. */
export type Trial = {
  name: string;
  /** Whether the source works by itself, and alike each time. */
  source: "works" | "fails" | "varies";
  plain: Outcome;
  ours: Outcome;
  /** What our build said beside the path, and how the answer differs. */
  note: string;
  /** How long the two builds took. */
  ms: { plain: number; ours: number };
  /** Whether this must not be. */
  bad: boolean;
};

type Built = { name: string; entry: string; plain: Answer; ours: Answer; folder: string };

const CALL = ["call"];

/** Tries packages side by side: builds all, then runs what came out while no source is there. */
export async function tryAll(store: Store, bun: string, some: readonly [name: string, use: Use][]): Promise<Trial[]> {
  const sources = await Promise.all(some.map(([name, use]) => inSource(store, bun, name, use)));
  const built = await Promise.all(some.map(([name]) => buildBoth(store, bun, name)));
  const ran = await hidden(store, () => Promise.all(built.map(runBoth)));
  const again = await Promise.all(some.map(([name, use]) => inSource(store, bun, name, use)));
  return some.map(([name], at) =>
    judge(store, name, [sources[at]?.stdout ?? "", again[at]?.stdout ?? ""], built[at] as Built, ran[at] as Ran),
  );
}

async function inSource(store: Store, bun: string, name: string, use: Use): Promise<Answer> {
  // Bun reads the settings of the compiler from the folder it starts in
  return run(bun, ["tool.ts", ...CALL], writeTool(store, name, use));
}

/** Writes the tool that uses a package beside what is installed, and returns its folder. */
export function writeTool({ folder }: Store, name: string, use: Use): string {
  const place = join(folder, "tools", name);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "tool.ts"), sourceOf(use));
  writeFileSync(join(place, "tsconfig.json"), JSON.stringify({ compilerOptions: use.compilerOptions ?? {} }));
  return place;
}

const sourceOf = ({ head, value }: Use) => `import { l1Output, Tool } from "@code-first-agents/tool";
import { z } from "zod";
${head}
const tool = new Tool({ name: "corpus", description: "Uses a package" });
tool.subcommand({
  name: "call",
  description: "Use it",
  input: z.object({}).strict(),
  output: l1Output({ value: z.any() }),
  handler: async () => ({ message: "used", value: ${value} }),
});
tool.run();
`;

async function buildBoth({ folder }: Store, bun: string, name: string): Promise<Built> {
  const cwd = join(folder, "tools", name);
  const out = mkdtempSync(join(tmpdir(), "cfa-corpus-out-"));
  const flags = ["--compile", "--minify", "--bytecode", "--format=esm"];
  const plain = await run(bun, ["build", "tool.ts", ...flags, `--outfile=${join(out, "plain")}`], cwd);
  const args = [resolve("bin/cfa"), "build", "tool.ts", "--json", "--timeout", "30", "--outfile", join(out, "ours")];
  const ours = await run(process.execPath, [...args, "--bun", bun], cwd);
  return { name, entry: cwd, plain, ours, folder: out };
}

type Ran = { plain: Answer | undefined; ours: Answer | undefined };

async function runBoth({ plain, ours, folder }: Built): Promise<Ran> {
  const ask = (program: string) => inEmptyFolder((cwd) => run(join(folder, program), CALL, cwd));
  try {
    return {
      plain: plain.note.startsWith("exit") ? undefined : await ask("plain"),
      ours: isRefusal(ours) ? undefined : await ask("ours"),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const isRefusal = ({ stdout }: Answer) => said(stdout).ok !== true;

function judge({ packages }: Store, name: string, sources: [string, string], built: Built, ran: Ran): Trial {
  const [source] = sources;
  const works = said(source).ok === true;
  const told = said(built.ours.stdout);
  const warnings = Array.isArray(told["warnings"]) ? told["warnings"].join(" ") : "";
  const refusal = isRefusal(built.ours) ? `${told["message"] ?? built.ours.note} ${told["hint"] ?? ""}` : "";
  const plain = compare(source, ran.plain, "");
  const ours = compare(source, ran.ours, warnings);
  const named = packages.some((one) => one && refusal.includes(one));
  const wrong = ours !== "same" && (plain === "same" || ours === "differs" || (ours === "refused" && !named));
  const differs =
    ours === "differs" || ours === "warned" ? `${shorten(source)} ≠ ${shorten(ran.ours?.stdout ?? "")}` : "";
  return {
    name,
    source: sources[0] !== sources[1] ? "varies" : works ? "works" : "fails",
    plain,
    ours,
    note: [refusal || warnings, differs, works ? "" : shorten(source)].filter(Boolean).join(" · "),
    ms: { plain: built.plain.ms, ours: built.ours.ms },
    bad: works && wrong,
  };
}

function compare(source: string, ran: Answer | undefined, warnings: string): Outcome {
  if (!ran) return "refused";
  if (ran.stdout === source) return "same";
  return warnings ? "warned" : "differs";
}

function said(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}

const shorten = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}…` : text.trim());

async function inEmptyFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "cfa-corpus-run-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a program to its end, or for two minutes. */
function run(program: string, args: string[], cwd: string): Promise<Answer> {
  const start = performance.now();
  const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, TZ: "UTC" } });
  const timer = setTimeout(() => child.kill("SIGKILL"), 120_000);
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      const note = code === 0 ? "" : `exit ${code ?? signal}: ${stderr.trim()}`;
      done({ stdout, note, ms: performance.now() - start });
    });
  });
}

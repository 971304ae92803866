import { spawn } from "node:child_process";
import { mkdtemp, open, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";

export type RunnerOptions = {
  /** Where the transpiled suites are: `*.test.js` runs under this Node, `*.both.test.js` under Bun as well. */
  folder: string;
  /** The path of Bun. */
  bun: string;
  /** Parts of names; a suite runs when its name contains one of them. None runs all. */
  select?: readonly string[];
  print?: (text: string) => unknown;
};

export type Counts = { passed: number; failed: number; skipped: number };

/** Runs every suite in a process of its own, prints a line for each, and ends with the line of the counts. */
export async function runSuites({ folder, bun, select = [], print = console.log }: RunnerOptions): Promise<Counts> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".test.js")).sort();
  const jobs = names
    .filter((name) => select.length === 0 || select.some((part) => name.includes(part)))
    .flatMap((name) => jobsOf(folder, name, bun));
  const scratch = await mkdtemp(join(tmpdir(), "cfa-run-"));
  try {
    const outcomes = await twoAtATime(jobs, async (job) => {
      const started = performance.now();
      const run = await runJob(job, scratch);
      const outcome = judge(run);
      print(renderOutcome(job.title, outcome, run.output, performance.now() - started));
      return outcome;
    });
    for (const reason of new Set(outcomes.flatMap(({ leftOut }) => leftOut))) print(`left out: ${reason}`);
    if (jobs.length === 0) print(`no suite in "${folder}"${select.length ? ` matches "${select.join('", "')}"` : ""}`);
    const counts = {
      passed: sum(outcomes.map(({ passed }) => passed)),
      failed: jobs.length === 0 ? 1 : sum(outcomes.map(({ failed }) => failed)),
      skipped: sum(outcomes.map(({ skipped }) => skipped)),
    };
    print(renderCounts(counts));
    return counts;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

type Job = { title: string; engine: string; args: string[] };

type Run = { output: string; ending: string | undefined };

function jobsOf(folder: string, name: string, bun: string): Job[] {
  const suite = name.slice(0, -".test.js".length);
  const file = join(folder, name);
  const onNode = { title: `${suite} · node`, engine: process.execPath, args: ["--enable-source-maps", file] };
  return suite.endsWith(".both") ? [onNode, { title: `${suite} · bun`, engine: bun, args: [file] }] : [onNode];
}

async function twoAtATime<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const queue = items.entries(); // both workers take from the same one
  const results: R[] = [];
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all([worker(), worker()]);
  return results;
}

/** Runs one suite; `ending` says how its process ended where that was not exit code 0. */
async function runJob({ title, engine, args }: Job, scratch: string): Promise<Run> {
  // a file, not a pipe: a process that a test left behind would keep a pipe open
  const log = await open(join(scratch, title), "w+");
  const child = spawn(engine, args, { stdio: ["ignore", log.fd, log.fd] });
  const ending = await new Promise<string | undefined>((done) => {
    child.on("error", (error) => done(`could not start: ${error.message}`));
    child.on("exit", (code, signal) => done(signal ? `ended by ${signal}` : code ? `exit code ${code}` : undefined));
  });
  await log.close();
  return { output: stripVTControlCharacters(await readFile(join(scratch, title), "utf8")), ending };
}

type Outcome = Counts & { leftOut: string[]; problem: string | undefined };

const summary = /^ {2}Total: +(\d+)\n {2}Passed: +(\d+)\n {2}Skipped: +(\d+)$/gm;

function judge({ output, ending }: Run): Outcome {
  // more than one where a file awaits something between two suites
  const summaries = [...output.matchAll(summary)];
  const count = (group: number) => sum(summaries.map((found) => Number(found[group])));
  const total = count(1);
  const passed = count(2);
  const skipped = count(3);
  const leftOut = [...output.matchAll(/\bleft out: (.+)$/gm)].map(([, reason = ""]) => reason);

  const problem = [
    summaries.length === 0 && (ending ?? "no summary: is `.run()` missing, or does it end early?"),
    passed < total && `${total - passed} of ${total} failed`,
    ending,
    total + skipped === 0 && "no test in it",
    skipped > leftOut.length && `${skipped} skipped, ${leftOut.length} with a reason`,
  ].find(Boolean);
  return { passed, failed: Math.max(total - passed, problem ? 1 : 0), skipped, leftOut, problem: problem || undefined };
}

function renderOutcome(title: string, { passed, skipped, problem }: Outcome, output: string, ms: number) {
  if (problem) return `FAIL  ${title}: ${problem}\n${output}`;
  return `ok    ${title}  ${passed} passed${skipped ? `, ${skipped} skipped` : ""}  ${(ms / 1000).toFixed(1)} s`;
}

const renderCounts = ({ passed, failed, skipped }: Counts) =>
  `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}`;

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

import { copyFile, mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Look, Observation } from "../../src/observe.ts";
import type { Bundle } from "../bundle/bundle.ts";
import type { Plan } from "../plan.ts";
import { type Ending, runChild } from "../system/child.ts";

/** What was seen of a tool, and how the child ended that looked. */
export type Seen = { observation: Observation | undefined; ending: Ending };

/** Loads the bundle once. What is disturbed is loaded from another folder, in another time zone. */
export async function look(
  bundle: Bundle,
  plan: Plan,
  how: Pick<Look, "lazy" | "disturbed" | "variable">,
): Promise<Seen> {
  const isElsewhere = how.disturbed !== "nothing";
  const place = isElsewhere ? await copyOf(bundle) : bundle.folder;
  const file = join(place, "observation.json"); // not stdout: the tool may print while it loads
  const probe = join(place, "probe.js");
  const options = JSON.stringify({ ...how, file, parent: process.pid, limit: 30 + 4 * plan.timeout } satisfies Look);
  await writeFile(probe, `import { observe } from "./observe.js";\nobserve(${options}, () => import("./tool.js"));\n`);
  const env = isElsewhere ? { TZ: "Pacific/Chatham", LC_ALL: "de_DE.UTF-8" } : {};
  const words = [probe, ...COMMAND_LINE];
  const ending = await runChild(plan.engine.path, words, { folder: place, timeout: plan.timeout, env });
  const text = await readFile(file, "utf8").catch(() => undefined);
  return { observation: text === undefined ? undefined : (JSON.parse(text) as Observation), ending };
}

async function copyOf({ folder, modules, others, settings }: Bundle): Promise<string> {
  const copy = await mkdtemp(join(folder, "elsewhere-"));
  const files = ["package.json", ...settings, ...modules, ...others];
  for (const inside of new Set(files.map(dirname))) await mkdir(join(copy, inside), { recursive: true });
  for (const name of files) await copyFile(join(folder, name), join(copy, name));
  return copy;
}

/** Nobody's subcommand: a tool that hands `run` anything but the plain command line gives itself away. */
const COMMAND_LINE = ["cfa-evaluate", "--cfa", "evaluate"];

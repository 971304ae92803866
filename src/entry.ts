import { answer, type Catalog, loose } from "./answers.ts";
import { readLine } from "./argv.ts";
import { commandLine, deliver, startRun } from "./endings.ts";
import { type Answer, fail } from "./envelope.ts";
import { declares } from "./fields.ts";
import { type Lines, mapStack } from "./frames.ts";
import { host } from "./host.ts";
import { type Frozen, frozenCatalog, type Live } from "./manifest.ts";
import { type Request, readRequest } from "./request.ts";

/** A tool's module once it has been loaded. */
type Loaded = { default?: { run: () => Promise<void> } };

/**
 * The start of an executable. What the manifest can answer is answered without loading the tool or Zod; for all else the
 * tool is loaded, and does what it does in source.
 *
 * The caller must not await it at the top level: Bun spins over a module that never settles, and this one ends.
 */
export async function start(
  frozen: Frozen,
  load: () => Promise<Loaded>,
  lines: () => Lines,
  home: string,
): Promise<void> {
  host.mapStack = (stack) => mapStack(stack, lines(), home);
  const catalog = frozenCatalog(frozen);
  const known = frozen.live ? await expect(frozen.live, catalog) : await begin(frozen, catalog);
  if (known) return deliver(known);
  try {
    const tool = await load();
    if (frozen.run === "exported" && !host.runner) await tool.default?.run();
  } catch (error) {
    deliver(fail(error));
  }
}

async function begin(frozen: Frozen, catalog: Catalog): Promise<Answer | undefined> {
  const { terminal } = startRun(true);
  host.catalog = catalog;
  host.lazy = frozen.lazy;
  return recall(frozen, catalog, terminal);
}

/**
 * Sees to it that a plain call has one answer, whatever the tool does while it loads. With all other words, or a variable that
 * it reads, it may serve something of its own on stdout: it is a run from where it runs.
 */
async function expect({ variables }: Live, { find }: Catalog): Promise<undefined> {
  if (variables === "all" || variables.some((name) => process.env[name] !== undefined)) return;
  const [name = "", ...tokens] = commandLine();
  const schema = await find(name)?.loose();
  if (!schema) return;
  const { sent, positional, fields } = readLine(tokens, schema);
  const keys = [...sent.map(({ key }) => key), ...(positional.length > 0 ? ["_"] : [])];
  if (keys.every((key) => key === "input-json" || declares(fields, key))) startRun(true);
}

async function recall({ answers }: Frozen, catalog: Catalog, terminal: boolean): Promise<Answer | undefined> {
  const request = await readRequest(commandLine(), loose(catalog));
  const key = keyOf(request);
  const forPeople = request.to === "help" && terminal;
  if (key === undefined || forPeople || !Object.hasOwn(answers, key)) return answer(request, catalog, terminal);
  return { ok: key !== "", text: answers[key] as string };
}

/** What stands behind a builtin focuses it: only the bare ones are frozen. */
function keyOf({ to, name }: Request): string | undefined {
  if (to === "call") return name;
  return name === undefined ? to : undefined;
}

import { answer, type Catalog, loose } from "./answers.ts";
import { commandLine, deliver, startRun } from "./endings.ts";
import { type Answer, fail } from "./envelope.ts";
import { type Lines, mapStack } from "./frames.ts";
import { host } from "./host.ts";
import { type Frozen, frozenCatalog } from "./manifest.ts";
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
  const { terminal } = startRun();
  const catalog = frozenCatalog(frozen);
  host.catalog = catalog;
  host.mapStack = (stack) => mapStack(stack, lines(), home);
  const known = frozen.run === "other" ? undefined : await recall(frozen, catalog, terminal);
  if (known) return deliver(known);
  try {
    const tool = await load();
    if (frozen.run === "exported") await tool.default?.run();
  } catch (error) {
    deliver(fail(error));
  }
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

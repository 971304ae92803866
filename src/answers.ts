import { closest } from "./closest.ts";
import { type Answer, fail, type Listed, succeed } from "./envelope.ts";
import { Failure } from "./errors.ts";
import { quote } from "./exact.ts";
import { renderHelp } from "./help.ts";
import type { Plains } from "./plain.ts";
import type { Request } from "./request.ts";
import type { JsonSchema, ToolMeta } from "./types.ts";

/** What there is to tell of a tool without calling a handler: in source asked of its schemas, in an executable frozen. */
export type Catalog = ToolMeta & {
  /** Those of the subcommands, in their order. */
  names: readonly string[];
  find: (name: string) => Entry | undefined;
};

export type Entry = {
  name: string;
  description: string;
  input: () => JsonSchema | Promise<JsonSchema>;
  output: () => JsonSchema | Promise<JsonSchema>;
  /** The input side with `{}` for what JSON cannot carry, so that the rest of a command line stays typed. */
  loose: () => JsonSchema | Promise<JsonSchema>;
  /** What the sides ask for, as far as that is plain. */
  plain: () => Plains | Promise<Plains>;
};

export function catalogWith({ name, version, description }: ToolMeta, entries: readonly Entry[]): Catalog {
  const names = entries.map((entry) => entry.name);
  return { name, version, description, names, find: (name) => entries[names.indexOf(name)] };
}

/** Finds the input side by which the command line of a subcommand is read. */
export const loose =
  ({ find }: Catalog) =>
  (name: string) =>
    find(name)?.loose();

export const entriesOf = ({ names, find }: Catalog): Entry[] => names.map((name) => find(name) as Entry);

/** The answer to a request that needs no handler; undefined for the call of a subcommand that exists. */
export async function answer(request: Request, catalog: Catalog, terminal = false): Promise<Answer | undefined> {
  try {
    const { to, name } = request;
    const entry = name === undefined ? undefined : catalog.find(name);
    if (to === "call" && entry) return undefined;
    if (to === "call" && name === "version" && catalog.version !== undefined)
      return versionAnswer(catalog.name, catalog.version);
    if (name !== undefined && !entry) throw await unknownSubcommand(name, catalog);
    const entries = entry ? [entry] : entriesOf(catalog);
    if (to === "schema") return await schemaAnswer(entries, name);
    return terminal && to === "help" && !request.json
      ? await helpForPeople(entries, catalog)
      : await helpAnswer(entries, catalog);
  } catch (error) {
    return fail(error);
  }
}

async function schemaAnswer(entries: readonly Entry[], name: string | undefined): Promise<Answer> {
  const pairs: [string, { input: JsonSchema; output: JsonSchema }][] = [];
  for (const { name, input, output } of entries) pairs.push([name, { input: await input(), output: await output() }]);
  const message = name === undefined ? "the JSON Schema of every subcommand" : `the JSON Schema of ${quote(name)}`;
  return succeed({ ok: true, message, schemas: Object.fromEntries(pairs) });
}

async function helpAnswer(entries: readonly Entry[], { name, version, description }: ToolMeta): Promise<Answer> {
  return succeed({ ok: true, message: description, tool: { name, version }, subcommands: await list(entries) });
}

/** For a person at a terminal: the one answer that is not JSON. */
async function helpForPeople(entries: readonly Entry[], meta: ToolMeta): Promise<Answer> {
  return { ok: true, text: renderHelp(meta, await list(entries)) };
}

function versionAnswer(name: string, version: string): Answer {
  return succeed({ ok: true, message: `${name} ${version}`, name, version });
}

async function unknownSubcommand(name: string, catalog: Catalog): Promise<Failure> {
  const message = name === "" ? "no subcommand was given" : `there is no subcommand ${quote(name)}`;
  const close = closest(name, catalog.names);
  return new Failure("unknown_subcommand", message, {
    subcommands: await list(entriesOf(catalog)),
    ...(close.length > 0 && { did_you_mean: close }),
  });
}

async function list(entries: readonly Entry[]): Promise<Listed[]> {
  const listed: Listed[] = [];
  for (const { name, description, input } of entries) listed.push({ name, description, input_schema: await input() });
  return listed;
}

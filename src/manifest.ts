import { answer, type Catalog, type Entry } from "./answers.ts";
import type { Request } from "./request.ts";
import type { JsonSchema, ToolMeta } from "./types.ts";

/** Everything that can be known of a tool without calling a handler. Plain JSON. */
export type Manifest = ToolMeta & {
  subcommands: Described[];
  /** The exact bytes of an answer, without the newline, by what was asked: `schema`, `help`, `version`, or nothing. */
  answers: Record<string, string>;
  /** How the tool runs: on the command line as it is, on one that it makes itself, or not at all, being only exported. */
  run: "plain" | "other" | "exported";
};

/** A subcommand with the JSON Schemas of both sides; `loose` types argv where the input side does not. */
export type Described = {
  name: string;
  description: string;
  input: JsonSchema;
  output: JsonSchema;
  loose?: JsonSchema;
};

/** The manifest with its schemas as text, so that an executable parses the one that it needs; `maps` are SourceMaps. */
export type Frozen = Omit<Manifest, "subcommands"> & {
  maps: string;
  subcommands: (Omit<Described, "input" | "output" | "loose"> & { input: string; output: string; loose?: string })[];
};

/** Makes the manifest of a tool; its answers come from the function that gives them at run time. */
export async function describeTool(catalog: Catalog, run: Manifest["run"]): Promise<Manifest> {
  const { name, version, description } = catalog;
  const subcommands: Described[] = [];
  for (const entry of catalog.subcommands) subcommands.push(await describeSubcommand(entry));
  const known = { ...catalog, subcommands: subcommands.map(knownEntry) };
  const answers: Record<string, string> = {};
  for (const [key, request] of QUESTIONS) {
    const given = await answer(request, known);
    if (given && given.ok === (key !== "")) answers[key] = given.text;
  }
  return { name, version, description, subcommands, answers, run };
}

const QUESTIONS: [string, Request][] = [
  ["schema", { to: "schema", json: true }],
  ["help", { to: "help", json: true }],
  ["version", { to: "call", name: "version", tokens: [] }],
  ["", { to: "call", name: "", tokens: [] }],
];

async function describeSubcommand({ name, description, input, output, loose }: Entry): Promise<Described> {
  const sides = { input: await input(), output: await output() };
  const typing = await loose();
  return {
    name,
    description,
    ...sides,
    ...(JSON.stringify(typing) !== JSON.stringify(sides.input) && { loose: typing }),
  };
}

/** What an executable answers from. */
export function frozenCatalog({ name, version, description, subcommands }: Frozen): Catalog {
  const parse = (text: string) => () => JSON.parse(text) as JsonSchema;
  return {
    name,
    version,
    description,
    subcommands: subcommands.map(({ input, output, loose = input, ...words }) => ({
      ...words,
      input: parse(input),
      output: parse(output),
      loose: parse(loose),
    })),
  };
}

function knownEntry({ input, output, loose = input, ...words }: Described): Entry {
  return { ...words, input: () => input, output: () => output, loose: () => loose };
}

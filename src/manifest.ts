import { answer, type Catalog, catalogWith, type Entry, entriesOf, loose } from "./answers.ts";
import type { Answer } from "./envelope.ts";
import { once } from "./lazy.ts";
import type { Plains } from "./plain.ts";
import { type Request, readRequest } from "./request.ts";
import type { JsonSchema, ToolMeta } from "./types.ts";

const { parse, stringify } = JSON; // the tool may replace them while it loads

/** Everything that can be known of a tool without calling a handler. Plain JSON. */
export type Manifest = ToolMeta & {
  subcommands: Described[];
  /** The exact bytes of an answer, without the newline, by what was asked: `schema`, `help`, `version`, or nothing. */
  answers: Record<string, string>;
  /** How the tool runs: on the command line as it is, on one that it makes itself, or not at all, being only exported. */
  run: "plain" | "other" | "exported";
  /** Whether its answers may be others in another run, so that the tool is loaded for each, as in source. */
  live: false | Live;
};

/** What decides beside the words: the variables of the environment that the tool reads while it loads. */
export type Live = { variables: readonly string[] | "all" };

/** A subcommand with the JSON Schemas of both sides; `loose` types argv where the input side does not, `plain` spares Zod. */
export type Described = {
  name: string;
  description: string;
  input: JsonSchema;
  output: JsonSchema;
  loose?: JsonSchema;
  plain?: Plains;
};

/** The manifest as an executable holds it: few and long texts load faster than many, and of most nothing is ever read. */
export type Frozen = Omit<Manifest, "subcommands"> & {
  /** The names of the subcommands, with spaces between them: no name has one. */
  names: string;
  /** The subcommands, each a line of JSON. */
  subcommands: string;
  /** Whether what a build found to be lazy is made when it is asked for. */
  lazy: boolean;
};

export function freeze({ subcommands, ...words }: Manifest): Omit<Frozen, "lazy"> {
  return {
    ...words,
    answers: words.live ? {} : words.answers,
    names: subcommands.map(({ name }) => name).join(" "),
    subcommands: subcommands.map((subcommand) => stringify(subcommand)).join("\n"),
  };
}

/** Makes the manifest of a tool; its answers come from the function that gives them at run time. */
export async function describeTool(catalog: Catalog, run: Manifest["run"]): Promise<Manifest> {
  const { name, version, description } = catalog;
  const subcommands: Described[] = [];
  for (const entry of entriesOf(catalog)) subcommands.push(await describeSubcommand(entry));
  const known = knownCatalog({ name, version, description, subcommands });
  const answers: Record<string, string> = {};
  for (const [key, request] of QUESTIONS) {
    const given = await answer(request, known);
    if (given && given.ok === (key !== "")) answers[key] = given.text;
  }
  return { name, version, description, subcommands, answers, run, live: run === "other" && { variables: [] } };
}

const QUESTIONS: [string, Request][] = [
  ["schema", { to: "schema", json: true }],
  ["help", { to: "help", json: true }],
  ["version", { to: "call", name: "version", tokens: [] }],
  ["", { to: "call", name: "", tokens: [] }],
];

async function describeSubcommand({ name, description, input, output, loose, plain }: Entry): Promise<Described> {
  const sides = { input: await input(), output: await output() };
  const typing = await loose();
  return {
    name,
    description,
    ...sides,
    ...(stringify(typing) !== stringify(sides.input) && { loose: typing }),
    plain: await plain(),
  };
}

/** A command line that no code of the author's is needed for, and the line that it prints, with its newline. */
export type FrozenLine = {
  argv: string[];
  text: string;
  /** A terminal is given another text. */
  notOnTerminal: boolean;
};

/** The usual ways to ask for what a manifest knows; the bytes are those that the executable's own entry answers with. */
export async function freezeLines(manifest: Manifest): Promise<FrozenLine[]> {
  if (manifest.live) return [];
  const catalog = knownCatalog(manifest);
  const answers = new Map<string, Promise<Answer | undefined>>(); // there are several ways to ask for each
  const lines: FrozenLine[] = [];
  for (const argv of usualLines(manifest)) {
    const request = await readRequest(argv, loose(catalog));
    const question = stringify([request.to, request.name]);
    const answered = answers.get(question) ?? answer(request, catalog);
    answers.set(question, answered);
    const given = await answered;
    if (given?.ok !== argv.length > 0) continue; // of a subcommand that declares the flag, or went wrong
    lines.push({ argv, text: `${given.text}\n`, notOnTerminal: request.to === "help" && !request.json });
  }
  return lines;
}

function usualLines({ subcommands }: Manifest): string[][] {
  const builtins = ["schema", "--schema", "help", "--help", "-h", "version", "--version"].map((word) => [word]);
  const focused = subcommands.flatMap(({ name }) => [
    ["schema", name],
    ["help", name],
    [name, "--schema"],
    [name, "--help"],
    [name, "-h"],
  ]);
  return [[], ...builtins, ["help", "--json"], ...focused];
}

/** What an executable answers from; most of it is never read. */
export function frozenCatalog({ name, version, description, ...frozen }: Frozen): Catalog {
  const names = frozen.names === "" ? [] : frozen.names.split(" ");
  const lines = frozen.subcommands.split("\n");
  const find = (name: string) => {
    const at = names.indexOf(name);
    return at < 0 ? undefined : frozenEntry(name, lines[at] as string);
  };
  return { name, version, description, names, find };
}

function frozenEntry(name: string, line: string): Entry {
  const read = once((): Described => parse(line));
  return {
    name,
    get description() {
      return read().description;
    },
    input: () => read().input,
    output: () => read().output,
    loose: () => read().loose ?? read().input,
    plain: () => read().plain ?? {},
  };
}

function knownCatalog({ subcommands, ...words }: Pick<Manifest, "subcommands"> & ToolMeta): Catalog {
  return catalogWith(words, subcommands.map(knownEntry));
}

function knownEntry({ input, output, loose = input, plain = {}, ...words }: Described): Entry {
  return { ...words, input: () => input, output: () => output, loose: () => loose, plain: () => plain };
}

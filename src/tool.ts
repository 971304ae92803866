import { answer, type Catalog, catalogWith, type Entry, loose } from "./answers.ts";
import { isBuiltin } from "./argv.ts";
import { checkInput, checkOutput, type Given, inputRefused, withoutFlags } from "./check.ts";
import { readDocument } from "./document.ts";
import { commandLine, deliver, startRun, warn } from "./endings.ts";
import { type Answer, type ErrorEnvelope, fail, type ToolOutput } from "./envelope.ts";
import { InputError, isA } from "./errors.ts";
import { quote } from "./exact.ts";
import { host } from "./host.ts";
import { flagIssues, readInput } from "./input.ts";
import { isPlainObject } from "./json.ts";
import type { ClassificationShape, DataShape, ProcedureShape } from "./output.ts";
import { type Request, readRequest } from "./request.ts";
import {
  type AnySpec,
  classificationOutput,
  complete,
  dataOutput,
  entryOf,
  type OutputOf,
  procedureOutput,
  refuseName,
  type Subcommand,
  subcommandOf,
  wholeOutput,
} from "./subcommand.ts";
import type {
  ClassificationSubcommandSpec,
  DataSubcommandSpec,
  Literal,
  ProcedureSubcommandSpec,
  Schema,
  SubcommandSpec,
  ToolMeta,
} from "./types.ts";

const { parse } = JSON; // a handler may replace it

/** What there is to tell of a tool, for a build. */
export let catalogOf: (tool: Tool) => Catalog;
/** The schemas of a subcommand, for a build to ask them. */
export let schemasOf: (tool: Tool, name: string) => Record<"input" | "output", Schema>;
/** What a run with this command line would print, for a test. */
export let replyTo: (tool: Tool, argv: readonly string[]) => Promise<Answer>;

/**
 * A command-line tool: subcommands with a Zod schema for what they take and one for what they give.
 *
 * Registering fails at once: a RangeError for a name that is reserved, taken or impossible to call and for an output that
 * redeclares a key of the envelope, a TypeError for a missing schema or handler.
 */
export class Tool {
  readonly #meta: ToolMeta;
  readonly #subcommands = new Map<string, Subcommand>();
  #sealed = false;

  constructor(meta: ToolMeta) {
    this.#meta = { ...meta };
  }

  /** Adds a subcommand whose `output` is a whole Zod schema. */
  subcommand<I extends Schema, O extends Schema, L extends Literal>(spec: SubcommandSpec<I, O, L>): this {
    return this.#register(spec, wholeOutput);
  }

  /** Adds a subcommand that returns data: `output` is the shape of the fields beside `message`. */
  dataSubcommand<I extends Schema, const S extends DataShape, L extends Literal>(
    spec: DataSubcommandSpec<I, S, L>,
  ): this {
    return this.#register(spec, dataOutput);
  }

  /** Adds a subcommand that returns a category to branch on: the shape has a `classification`. */
  classificationSubcommand<I extends Schema, const S extends ClassificationShape, L extends Literal>(
    spec: ClassificationSubcommandSpec<I, S, L>,
  ): this {
    return this.#register(spec, classificationOutput);
  }

  /** Adds a subcommand that returns `instructions` to follow, and the fields of `output` where there are any. */
  procedureSubcommand<I extends Schema, L extends Literal, const S extends ProcedureShape = {}>(
    spec: ProcedureSubcommandSpec<I, S, L>,
  ): this {
    return this.#register(spec, procedureOutput);
  }

  /**
   * Calls a subcommand, or a builtin, in this process. `input` is what its schema accepts: no text is read.
   * Resolves to the envelope, whatever happens; neither prints nor exits. `{ _: ["name"] }` focuses `schema` and `help`.
   */
  async invoke(name: string, input: unknown = {}): Promise<ToolOutput | ErrorEnvelope> {
    const respond = async () =>
      this.#respond(requestOf(name, input), this.#catalog(), () => ({ input, explain: withoutFlags }));
    const { text } = await respond().catch(fail);
    return parse(text) as ToolOutput | ErrorEnvelope;
  }

  /**
   * Answers a command line: prints one JSON object and exits 0. It ends the process, so it never resolves; nothing can be
   * registered any more.
   */
  async run(argv: readonly string[] = commandLine()): Promise<void> {
    const isRunning = this.#sealed;
    this.#sealed = true;
    if (host.observe) return host.observe(this, argv);
    if (isRunning) throw new Error("the tool is running already");
    host.runner ??= this;
    const { terminal } = startRun();
    return deliver(await this.#reply(argv, terminal));
  }

  async #reply(argv: readonly string[], terminal: boolean): Promise<Answer> {
    const catalog = (host.runner === this && host.catalog) || this.#catalog();
    const request = await readRequest(argv, loose(catalog));
    const tokens = request.to === "call" ? request.tokens : [];
    return this.#respond(request, catalog, (entry) => readTokens(tokens, entry), terminal);
  }

  async #respond(request: Request, catalog: Catalog, read: Read, terminal = false): Promise<Answer> {
    return (await answer(request, catalog, terminal)) ?? (await this.#call(request.name ?? "", catalog, read));
  }

  async #call(name: string, catalog: Catalog, read: Read): Promise<Answer> {
    const entry = catalog.find(name);
    try {
      const subcommand = this.#subcommands.get(name);
      if (!entry || !subcommand) throw new Error(`the tool has lost its subcommand ${quote(name)}`);
      const { input, output, handle } = subcommand;
      const plain = catalog === host.catalog ? await entry.plain() : {}; // in source the schemas are there already
      const given = await checkInput({ schema: input, plain: plain.input }, await read(entry));
      if (!plain.output) output(); // the handler may change what it is made of
      return await checkOutput({ schema: output, plain: plain.output }, await handle(given));
    } catch (error) {
      return fail(entry && isA(InputError, error) ? inputRefused(error.issues, await entry.input()) : error);
    }
  }

  #register<S extends AnySpec>(spec: S, outputOf: OutputOf<S>): this {
    const { name } = spec;
    if (this.#sealed) throw new Error(`the subcommand ${quote(name)} comes too late: register it before tool.run()`);
    refuseName(name, this.#subcommands);
    this.#subcommands.set(name, complete(subcommandOf(spec, outputOf), spec));
    return this;
  }

  #catalog(): Catalog {
    return catalogWith(this.#meta, [...this.#subcommands.values()].map(entryOf));
  }

  static {
    catalogOf = (tool) => tool.#catalog();
    schemasOf = (tool, name) => {
      const { input, output } = tool.#subcommands.get(name) as Subcommand;
      return { input: input(), output: output() };
    };
    replyTo = (tool, argv) => tool.#reply(argv, false);
  }
}

/** Brings the input of a call: the one thing in which `run` and `invoke` differ. */
type Read = (entry: Entry) => Given | Promise<Given>;

async function readTokens(tokens: readonly string[], entry: Entry): Promise<Given> {
  const schema = await entry.loose();
  const read = readInput(tokens, schema, warn);
  if ("document" in read) return { input: await readDocument(read.document, schema), explain: withoutFlags };
  return { input: read.input, explain: (issues) => flagIssues(issues, read) };
}

/** `invoke` names what a command line asks for; `{ _: ["name"] }` is the rest of it. */
function requestOf(name: string, input: unknown): Request {
  if (!isBuiltin(name)) return { to: "call", name, tokens: [] };
  const words = isPlainObject(input) ? input["_"] : undefined;
  const focus: unknown = Array.isArray(words) ? words[0] : undefined;
  return { to: name, json: true, ...(typeof focus === "string" && { name: focus }) };
}

import type { Entry } from "./answers.ts";
import { isBuiltin } from "./argv.ts";
import { quote } from "./exact.ts";
import { isLate, once, reading, saysAll } from "./lazy.ts";
import {
  type ClassificationShape,
  type DataShape,
  l1Output,
  l2Output,
  l3Output,
  type ProcedureShape,
} from "./output.ts";
import { isSchema } from "./schema.ts";
import type { Schema } from "./types.ts";

/** A subcommand as its author declares it, in one of four ways: its handler takes what its own input schema returns. */
export type AnySpec = { name: string; description: string; input: Schema; handler: (input: never) => unknown };

/** Makes of a spec the schema of its whole output. */
export type OutputOf<S> = (spec: S) => Schema;

/** A subcommand of any types. Its schemas are made when they are asked for, where a build has seen to it that they can be. */
export type Subcommand = Pick<AnySpec, "name" | "description"> & {
  input: () => Schema;
  output: () => Schema;
  handle: (input: unknown) => unknown;
  /** Whether the sides are written out, without any function in them. */
  saysAll: () => boolean;
};

export function subcommandOf<S extends AnySpec>(spec: S, outputOf: OutputOf<S>): Subcommand {
  const { name, description } = spec;
  if (typeof spec.handler !== "function") throw new TypeError(`the subcommand ${quote(name)} needs a handler`);
  const input = isLate(spec, "input") ? reading(spec, "input") : () => spec.input;
  return {
    name,
    description,
    input: once(() => checked(input(), name, "input")),
    output: once(outputIn(spec, outputOf)),
    handle: (input) => spec.handler(input as never),
    saysAll: () => saysAll(spec.input) && (!("output" in spec) || saysAll(spec.output)),
  };
}

/** Of a late output the getter is kept: what the author puts in its place later is not read, as in source. */
function outputIn<S extends AnySpec>(spec: S, outputOf: OutputOf<S>): () => Schema {
  if (!isLate(spec, "output")) return () => checked(outputOf(spec), spec.name, "output");
  const output = reading(spec as S & { output?: unknown }, "output");
  return () => checked(outputOf({ output: output() } as unknown as S), spec.name, "output");
}

function checked(schema: Schema, name: string, side: string): Schema {
  if (!isSchema(schema)) throw new TypeError(`the subcommand ${quote(name)} needs a Zod schema as its ${side}`);
  return schema;
}

/** Makes its schemas, so that what is wrong with one shows where the subcommand stands; a late one was made by the build. */
export function complete(subcommand: Subcommand, spec: object): Subcommand {
  if (!isLate(spec, "input")) subcommand.input();
  if (!isLate(spec, "output")) subcommand.output();
  return subcommand;
}

export const wholeOutput: OutputOf<{ output: Schema }> = ({ output }) => output;
export const dataOutput: OutputOf<{ output: DataShape }> = ({ output }) => l1Output(output);
export const procedureOutput: OutputOf<{ output?: ProcedureShape }> = ({ output }) => l3Output(output);
export const classificationOutput: OutputOf<{ output: ClassificationShape }> = ({ output }) => {
  const { classification, ...shape } = output;
  return l2Output(classification, shape);
};

/** Throws for a name that no command line can call, or that is somebody else's. */
export function refuseName(name: unknown, taken: ReadonlyMap<string, unknown>): void {
  if (typeof name !== "string") throw new TypeError(`a subcommand needs a name, not ${String(name)}`);
  if (isBuiltin(name)) throw new RangeError(`the name ${quote(name)} is reserved for a builtin`);
  if (taken.has(name)) throw new RangeError(`there are two subcommands ${quote(name)}`);
  if (!/^(?!-)[^\s\p{Cc}]+$/u.test(name))
    throw new RangeError(
      `no command line can call ${quote(name)}: a name has no leading dash, white space or control character`,
    );
}

/** What there is to tell of a subcommand. */
export function entryOf({ name, description, input, output, saysAll }: Subcommand): Entry {
  return {
    name,
    description,
    input: async () => (await converter()).toJsonSchema(input(), "input"),
    output: async () => (await converter()).toJsonSchema(output(), "output"),
    loose: async () => (await converter()).toLooseSchema(input()),
    plain: async () => (saysAll() ? (await converter()).plainSides(input(), output()) : {}),
  };
}

/** Not loaded in an executable, whose schemas are frozen. */
const converter = () => import("./convert.ts");

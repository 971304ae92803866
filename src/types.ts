import type { z } from "zod";
import type * as z3 from "zod/v3";
import type {
  ClassificationOutput,
  ClassificationShape,
  DataOutput,
  DataShape,
  ProcedureOutput,
  ProcedureShape,
} from "./output.ts";

/** A Zod schema: Zod 4 (classic or mini), or Zod 3 imported from `zod/v3`. */
export type Schema = z.core.$ZodType | z3.ZodTypeAny;

/** A raw Zod shape: what `z.object()` takes. */
export type Shape = Readonly<Record<string, z.core.$ZodType>>;

/** What a schema accepts, before defaults and transforms. */
export type InputOf<S> = S extends z.core.$ZodType ? z.core.input<S> : S extends z3.ZodTypeAny ? S["_input"] : never;

/** What a schema returns, after defaults and transforms. */
export type OutputOf<S> = S extends z.core.$ZodType ? z.core.output<S> : S extends z3.ZodTypeAny ? S["_output"] : never;

/** A JSON Schema document, draft 2020-12 (draft 7 from `zod/v3`). */
export type JsonSchema = { [keyword: string]: unknown };

/** What a tool is called. With a `version` it answers `version`. */
export type ToolMeta = { name: string; description: string; version?: string | undefined };

type WithoutOk<T> = T extends unknown ? Omit<T, "ok"> : never;

/** What a handler returns: what its output schema accepts, without `ok`, which is stamped for it. */
export type HandlerReturn<Output extends Schema> = WithoutOk<InputOf<Output>> & { message: string };

export type Literal = string | number | boolean | null | undefined;

/**
 * No handler can return this. It is there so that TypeScript keeps the literals of what one does return: without it, the
 * type of `const level = n > 9 ? "high" : "low"` has become `string` by the time it is compared with the output schema.
 */
type LiteralHint<L> = { [key: string]: Kept<L> } & { readonly [theReturnedObjectDoesNotFitTheOutputSchema]: true };
type Kept<L> = L | readonly Kept<L>[] | { readonly [key: string]: Kept<L> };
declare const theReturnedObjectDoesNotFitTheOutputSchema: unique symbol;

type Returned<Output extends Schema, L> = LiteralHint<L> | HandlerReturn<Output>;

type Spec<Input extends Schema, Output extends Schema, L> = {
  name: string;
  description: string;
  input: Input;
  handler: (input: OutputOf<Input>) => Returned<Output, L> | Promise<Returned<Output, L>>;
};

/** A subcommand; `output` is a whole schema, usually made by `l1Output`, `l2Output` or `l3Output`. */
export type SubcommandSpec<
  Input extends Schema = Schema,
  Output extends Schema = Schema,
  L extends Literal = never,
> = Spec<Input, Output, L> & { output: Output };

/** A data subcommand; `output` is the shape of its fields beside `message`. */
export type DataSubcommandSpec<Input extends Schema, S extends DataShape, L extends Literal = never> = Spec<
  Input,
  DataOutput<S>,
  L
> & { output: S };

/** A classification subcommand; `output` is a shape with the key `classification`. */
export type ClassificationSubcommandSpec<
  Input extends Schema,
  S extends ClassificationShape,
  L extends Literal = never,
> = Spec<Input, ClassificationOutput<S["classification"], Omit<S, "classification">>, L> & { output: S };

/** A procedure subcommand; `output`, where there is one, is the shape of its fields beside `message` and `instructions`. */
export type ProcedureSubcommandSpec<
  Input extends Schema,
  S extends ProcedureShape = {},
  L extends Literal = never,
> = Spec<Input, ProcedureOutput<S>, L> & { output?: S };

/** One thing that is wrong with an input or an output; `path` leads to it from the root. */
export type Issue = { path: (string | number)[]; code: string; message: string; flag?: string };

/** The schema-blind reading of a command line: a flag without a value is `true`. */
export type ParsedArgs = { flags: Record<string, string | true>; positional: string[] };

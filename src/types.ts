import type { z } from "zod";
import type * as z3 from "zod/v3";

/** A Zod schema: Zod 4 (classic or mini), or Zod 3 imported from `zod/v3`. */
export type Schema = z.core.$ZodType | z3.ZodTypeAny;

/** A raw Zod shape: the object that `z.object()` takes. */
export type Shape = Readonly<Record<string, z.core.$ZodType>>;

/** What a schema accepts, before defaults and transforms. */
export type InputOf<S> = S extends z.core.$ZodType ? z.core.input<S> : S extends z3.ZodTypeAny ? S["_input"] : never;

/** What a schema returns, after defaults and transforms. */
export type OutputOf<S> = S extends z.core.$ZodType ? z.core.output<S> : S extends z3.ZodTypeAny ? S["_output"] : never;

/** A JSON Schema document, draft 2020-12 (draft 7 from `zod/v3`). */
export type JsonSchema = { [keyword: string]: unknown };

/** What a tool is called. `version` turns the `version` answer on. */
export type ToolMeta = { name: string; description: string; version?: string | undefined };

/** One thing that is wrong with an input or an output; `path` leads to it from the root. */
export type Issue = { path: (string | number)[]; code: string; message: string; flag?: string };

/** The raw reading of a command line: a flag without a value is `true`. */
export type ParsedArgs = { flags: Record<string, string | true>; positional: string[] };

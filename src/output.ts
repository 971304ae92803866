import * as z from "zod";
import { quote } from "./exact.ts";
import { isZod4 } from "./schema.ts";
import type { Shape } from "./types.ts";

type Forbid<Keys extends string> = { readonly [key in Keys]?: never };

/** `{ ok: true, message, …shape }` */
export type DataOutput<S extends Shape = {}> = z.ZodObject<
  { ok: z.ZodLiteral<true>; message: z.ZodString } & { -readonly [K in keyof S]: S[K] },
  z.core.$strip
>;

/** `{ ok: true, message, classification, …shape }` */
export type ClassificationOutput<C extends z.core.$ZodType, S extends Shape = {}> = DataOutput<
  { classification: C } & S
>;

/** `{ ok: true, message, instructions, …shape }` */
export type ProcedureOutput<S extends Shape = {}> = DataOutput<{ instructions: z.ZodString } & S>;

/** What the shape of a data output may hold: anything but the keys of the envelope. */
export type DataShape = Shape & Forbid<"ok" | "message">;
/** The shape of a classification output, `classification` included. */
export type ClassificationShape = DataShape & { readonly classification: z.core.$ZodType };
/** What the shape of a procedure output may hold beside `instructions`. */
export type ProcedureShape = DataShape & Forbid<"instructions">;

/**
 * The output schema of a data subcommand: `ok`, `message`, then the fields of `shape`.
 * Throws a RangeError when `shape` redeclares a key of the envelope.
 */
export function l1Output<const S extends DataShape>(shape: S): DataOutput<S> {
  return compose(shape, ["ok", "message"]);
}

/**
 * The output schema of a classification subcommand: `ok`, `message`, `classification`, then the fields of `shape`.
 * `classification` is any Zod schema, commonly `z.enum([…])`.
 */
export function l2Output<C extends z.core.$ZodType, const S extends DataShape & Forbid<"classification"> = {}>(
  classification: C,
  shape?: S,
): ClassificationOutput<C, S> {
  return compose(shape, ["ok", "message", "classification"], { classification });
}

/** The output schema of a procedure subcommand: `ok`, `message`, `instructions`, then the fields of `shape`. */
export function l3Output<const S extends ProcedureShape = {}>(shape?: S): ProcedureOutput<S> {
  return compose(shape, ["ok", "message", "instructions"], { instructions: z.string() });
}

export { l1Output as dataTypeOutput, l2Output as classificationTypeOutput, l3Output as procedureTypeOutput };

function compose<Output>(shape: Shape = {}, reserved: readonly string[], own: Shape = {}): Output {
  const taken = reserved.filter((key) => Object.hasOwn(shape, key));
  if (taken.length > 0) throw new RangeError(`the envelope's own keys cannot be declared again: ${taken.join(", ")}`);
  for (const [key, field] of Object.entries({ ...own, ...shape }))
    if (!isZod4(field))
      throw new TypeError(`the output field ${quote(key)} is no Zod 4 schema: import { z } from "zod"`);
  return z.object({ ok: z.literal(true), message: z.string(), ...own, ...shape }) as Output;
}

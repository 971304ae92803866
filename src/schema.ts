import type { ZodTypeAny } from "zod/v3";
import type { $ZodType } from "zod/v4/core";
import type { Conversion } from "./carried.ts";
import { inPieces } from "./loose.ts";
import type { Io } from "./required.ts";
import { convert4 } from "./schema4.ts";
import type { JsonSchema, Schema } from "./types.ts";

/** Whether this is a Zod schema that a tool can be made of, whatever it is. */
export function isSchema(value: unknown): value is Schema {
  try {
    return isZod4(value) || isZod3(value);
  } catch {
    return false; // a proxy that throws, or was revoked
  }
}

/** Whether a schema is one of Zod 4: classic, mini or core. */
export function isZod4(schema: unknown): schema is $ZodType {
  return (
    isObject(schema) && isObject(schema["_zod"]) && isObject(schema["_zod"]["def"]) && "type" in schema["_zod"]["def"]
  );
}

function isZod3(schema: unknown): schema is ZodTypeAny {
  return isObject(schema) && isObject(schema["_def"]) && typeof schema["_def"]["typeName"] === "string";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** One side of a schema as a JSON Schema document, or `{ $error }` with what JSON cannot carry and where. */
export async function toJsonSchema(schema: Schema, io: Io): Promise<JsonSchema> {
  const { document, problems } = await convert(schema, io);
  return document && problems.length === 0 ? document : { $error: problems.join("; ") };
}

/** The input side for the sake of its types: what JSON cannot carry is `{}`, and what matters to texts is marked. */
export async function toLooseSchema(schema: Schema): Promise<JsonSchema> {
  return (await whole(schema)) ?? inPieces(schema, whole);
}

async function whole(schema: unknown): Promise<JsonSchema | undefined> {
  return isSchema(schema) ? (await convert(schema, "input", true)).document : undefined;
}

async function convert(schema: Schema, io: Io, forTexts = false): Promise<Conversion> {
  if (isZod4(schema)) return convert4(schema, io, forTexts);
  const { convert3 } = await import("./schema3.ts"); // brings zod/v3 and its converter
  return convert3(schema, io, forTexts);
}

/** The fields of an object schema, in their order; none for another. */
export function shapeOf(schema: Schema): object {
  const { shape = {} } = (isZod4(schema) ? schema._zod.def : schema._def) as { shape?: object | (() => object) };
  return typeof shape === "function" ? shape() : shape;
}

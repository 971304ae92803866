import type { ZodTypeAny } from "zod/v3";
import type { $ZodType } from "zod/v4/core";
import type { Conversion } from "./carried.ts";
import type { Io } from "./required.ts";
import { convert4, markForTexts } from "./schema4.ts";
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
  const { document } = isZod4(schema) ? await convert4(schema, "input", markForTexts) : await convert(schema, "input");
  if (document) return document;
  const properties = await Promise.all(Object.entries(shapeOf(schema)).map(looseProperty));
  return properties.length > 0 ? { type: "object", properties: Object.fromEntries(properties) } : {};
}

async function looseProperty([key, field]: [string, unknown]): Promise<[string, JsonSchema]> {
  return [key, (isSchema(field) && (await convert(field, "input")).document) || {}];
}

async function convert(schema: Schema, io: Io): Promise<Conversion> {
  if (isZod4(schema)) return convert4(schema, io);
  const { convert3 } = await import("./schema3.ts"); // brings zod/v3 and its converter
  return convert3(schema, io);
}

/** The fields of an object schema, in their order; none for another. */
export function shapeOf(schema: Schema): object {
  const { shape = {} } = (isZod4(schema) ? schema._zod.def : schema._def) as { shape?: object | (() => object) };
  return typeof shape === "function" ? shape() : shape;
}

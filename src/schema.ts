import type { ZodTypeAny } from "zod/v3";
import type { $ZodType } from "zod/v4/core";
import type { Schema } from "./types.ts";

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

/** The fields of an object schema, in their order; none for another. */
export function shapeOf(schema: Schema): object {
  const { shape = {} } = (isZod4(schema) ? schema._zod.def : schema._def) as { shape?: object | (() => object) };
  return typeof shape === "function" ? shape() : shape;
}

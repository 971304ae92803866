import type { Conversion } from "./carried.ts";
import { inPieces } from "./loose.ts";
import { type Plains, plainOf } from "./plain.ts";
import type { Io } from "./required.ts";
import { isSchema, isZod4 } from "./schema.ts";
import { convert4 } from "./schema4.ts";
import type { JsonSchema, Schema } from "./types.ts";

/** One side of a schema as a JSON Schema document, or `{ $error }` with what JSON cannot carry and where. */
export async function toJsonSchema(schema: Schema, io: Io): Promise<JsonSchema> {
  const { document, problems } = await convert(schema, io);
  return document && problems.length === 0 ? document : { $error: problems.join("; ") };
}

/** The input side for the sake of its types: what JSON cannot carry is `{}`, and what matters to texts is marked. */
export async function toLooseSchema(schema: Schema): Promise<JsonSchema> {
  return (await whole(schema)) ?? inPieces(schema, whole);
}

/** What both sides ask for, as far as that is plain. */
export function plainSides(input: Schema, output: Schema): Plains {
  return { input: plainOf(input), output: plainOf(output) };
}

async function whole(schema: unknown): Promise<JsonSchema | undefined> {
  return isSchema(schema) ? (await convert(schema, "input", true)).document : undefined;
}

async function convert(schema: Schema, io: Io, forTexts = false): Promise<Conversion> {
  if (isZod4(schema)) return convert4(schema, io, forTexts);
  const { convert3 } = await import("./schema3.ts"); // brings zod/v3 and its converter
  return convert3(schema, io, forTexts);
}

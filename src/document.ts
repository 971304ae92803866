import { branchesOf } from "./branches.ts";
import { conform } from "./conform.ts";
import { InputError } from "./errors.ts";
import { quote, readJson, readOr, where } from "./exact.ts";
import { isMarked } from "./marks.ts";
import type { JsonSchema } from "./types.ts";

/**
 * Reads the whole input, as `schema` describes it: JSON text, the JSON file `@FILE`, or `-` for JSON on standard input, which is read only then.
 * Throws an `InputError` for anything but one JSON object.
 */
export async function readDocument(source: string, schema: JsonSchema = {}): Promise<Record<string, unknown>> {
  const text = source === "-" ? await readStdin() : source.startsWith("@") ? await readFile(source.slice(1)) : source;
  const value = parse(text);
  if (isObject(value)) return isMarked(schema) || MAY_HOLD_PROTO.test(text) ? conformed(value, schema) : value;
  throw documentRefused(
    "invalid_type",
    `expected one JSON object, got ${Array.isArray(value) ? "an array" : quote(text.trim())}`,
  );
}

/** Spelled out, or hidden in escapes. */
const MAY_HOLD_PROTO = /__proto__|\\u00/;

/** What is inside is typed already, but for what Zod would make something else of. */
function conformed(value: Record<string, unknown>, schema: JsonSchema): Record<string, unknown> {
  return readOr(
    () => conform(value, branchesOf(schema, schema), schema) as Record<string, unknown>,
    ({ path, code, message }) => {
      const flag = "--input-json";
      const inside = path.length > 0 ? `${where(path).replace(/^\./, "")}: ` : "";
      throw new InputError([{ path: [...path], code, message: `--input-json: ${inside}${message}`, flag }]);
    },
  );
}

async function readStdin(): Promise<string> {
  const { stdin } = await import("node:process"); // unlike descriptor 0, it waits where a pipe is non-blocking
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of stdin) chunks.push(chunk);
  } catch (error) {
    throw unreadable("standard input", error);
  }
  return decode(Buffer.concat(chunks), "standard input");
}

async function readFile(path: string): Promise<string> {
  if (path === "") throw documentRefused("invalid_value", "expected the name of a file behind @");
  const fs = await import("node:fs/promises");
  const bytes = await fs.readFile(path).catch((error: unknown) => {
    throw unreadable(quote(path), error);
  });
  return decode(bytes, quote(path));
}

function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw documentRefused("invalid_format", `${name} is not UTF-8 text`, error);
  }
}

function parse(text: string): unknown {
  if (text.trim() === "") throw documentRefused("missing_value", "expected one JSON object, got nothing");
  return readOr(
    () => readJson(text),
    (refusal) => {
      throw documentRefused(refusal.code, refusal.message, refusal);
    },
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function unreadable(name: string, error: unknown): InputError {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  const why = { ENOENT: "no such file", EISDIR: "it is a folder", EACCES: "permission denied" }[code] ?? code;
  return documentRefused("invalid_value", `cannot read ${name}: ${why}`, error);
}

/** The whole input cannot be used. */
export function documentRefused(code: string, message: string, cause?: unknown): InputError {
  return new InputError([{ path: [], code, message: `--input-json: ${message}`, flag: "--input-json" }], { cause });
}

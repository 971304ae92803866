import { Failure, isA, stringifyError, ToolError } from "./errors.ts";
import { host } from "./host.ts";
import { lenient, renderJson } from "./json.ts";
import type { Issue, JsonSchema } from "./types.ts";

const { Error } = globalThis; // an author may replace it

/** A successful result. The fields are those of the subcommand's output schema. */
export type ToolOutput = { ok: true; message: string; [field: string]: unknown };

/** One subcommand as `help` and `unknown_subcommand` list it. */
export type Listed = { name: string; description: string; input_schema: JsonSchema };

type UnknownSubcommand = { error: "unknown_subcommand"; subcommands: Listed[]; did_you_mean?: string[] };
type InputRefused = { error: "input_validation_error"; detail: string; input_schema: JsonSchema; issues: Issue[] };
type SchemaViolation = { error: "schema_violation"; detail: string; issues: Issue[] };
type NonObjectReturn = { error: "non_object_return" };
type Unexpected = { error: "unexpected_error"; detail?: string };
type AuthorsOwn = { error: string; detail?: string | object } & {
  [key in "subcommands" | "did_you_mean" | "input_schema" | "issues"]?: never;
};

/** A failed result. Narrows on the framework's own codes; every other `error` is a code of the tool's author. */
export type ErrorEnvelope = { ok: false; message: string } & (
  | UnknownSubcommand
  | InputRefused
  | SchemaViolation
  | NonObjectReturn
  | Unexpected
  | AuthorsOwn
);

/** What a run ends with: whether it went well, and the line to print, without its newline. */
export type Answer = { ok: boolean; text: string };

/** The answer of a success, from an envelope that JSON can carry; throws Unfaithful where it cannot. */
export function succeed(envelope: ToolOutput): Answer {
  return { ok: true, text: renderJson(envelope) };
}

/** The answer of anything that was thrown. Never throws. */
export function fail(error: unknown): Answer {
  try {
    const text = renderJson({ ok: false, ...failure(error) }, lenient);
    if (text[0] === "{") return { ok: false, text };
  } catch {
    // an author has replaced what this is made of
  }
  return { ok: false, text: LAST_RESORT };
}

const LAST_RESORT = '{"ok":false,"error":"unexpected_error","message":"an error that cannot be read was thrown"}';

function failure(error: unknown): Record<string, unknown> {
  if (isA(Failure, error)) return { error: error.code, message: error.message, ...error.extra };
  if (isA(ToolError, error)) return { error: `${error.code}`, message: stringifyError(error), detail: error.detail };
  return { error: "unexpected_error", message: stringifyError(error), ...stackOf(error) };
}

function stackOf(error: unknown): { detail?: string } {
  let stack: unknown;
  try {
    stack = isA(Error, error) ? error.stack : undefined;
    if (typeof stack === "string") stack = host.mapStack?.(stack) ?? stack;
  } catch {
    // the author's getter, his Error.prepareStackTrace, or what he has put in the place of an intrinsic
  }
  return typeof stack === "string" ? { detail: stack } : {};
}

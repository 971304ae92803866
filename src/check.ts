import type * as z from "zod";
import { safeParseAsync } from "zod";
import { accept } from "./accept.ts";
import { mergeParsed } from "./argv.ts";
import { type Complaint, complaintOf, unmergable, type ZodIssue } from "./complaints.ts";
import { warn } from "./endings.ts";
import { type Answer, succeed, type ToolOutput } from "./envelope.ts";
import { Failure, InputError, isA } from "./errors.ts";
import { isPlainObject, kindOf, lenient, renderJson, Unfaithful, withoutPrototype } from "./json.ts";
import type { Plain } from "./plain.ts";
import { DOUBTED, isAccepted } from "./scalars.ts";
import { isZod4, shapeOf } from "./schema.ts";
import type { Issue, JsonSchema, ParsedArgs, Schema } from "./types.ts";

const { fromEntries, hasOwn, keys } = Object; // an author may replace them

/** The `safeParse` of what `parseArgs` read: the flags, and the positionals under `_`. */
export function validateInput<S extends z.ZodType>(parsed: ParsedArgs, schema: S): z.ZodSafeParseResult<z.output<S>> {
  return schema.safeParse(mergeParsed(parsed, warn));
}

/** An input to check, and how to tell the caller what is wrong with it. */
export type Given = { input: unknown; explain: (complaints: readonly Complaint[]) => Issue[] };

/** One side of a subcommand: its schema, and where it is known what that asks for, this too, so that it need not be made. */
export type Side = { schema: () => Schema; plain?: Plain | undefined };

/** The input as its schema returns it; throws an InputError with all that the schema has against it. */
export async function checkInput(side: Side, { input, explain }: Given): Promise<unknown> {
  const { data, issues } = await pass(side, isPlainObject(input) ? withoutPrototype(input) : input); // Zod asks whether a key is `in` it
  if (issues) throw new InputError(explain(issues));
  return data;
}

/** The issues of an input that did not come by flags. */
export function withoutFlags(complaints: readonly Complaint[]): Issue[] {
  return complaints.map(({ path, code, message }) => ({ path, code, message }));
}

/** The failure of a refused input; `input_schema` shows the caller what would be taken. */
export function inputRefused(issues: readonly Issue[], input_schema: JsonSchema): Failure {
  return new Failure("input_validation_error", "the input was refused", {
    detail: compact(issues),
    input_schema,
    issues,
  });
}

/** The answer of what a handler returned: stamped with `ok`, passed through the output schema, and JSON as it stands. */
export async function checkOutput(side: Side, returned: unknown): Promise<Answer> {
  if (!isPlainObject(returned))
    throw new Failure("non_object_return", `the handler returned ${kindOf(returned)} instead of a plain object`);
  try {
    return succeed(await envelopeOf(side, returned));
  } catch (error) {
    if (isA(Unfaithful, error)) throw violation([{ path: [...error.path], code: "not_json", message: error.message }]);
    throw error;
  }
}

async function envelopeOf(side: Side, returned: Record<string, unknown>): Promise<ToolOutput> {
  const stamped = stamp(returned);
  const { data, issues } = await passOutput(side, stamped);
  if (issues) throw violation(withoutFlags(issues));
  if (!isPlainObject(data))
    throw violation([{ path: [], code: "invalid_type", message: `the output schema made ${kindOf(data)} of it` }]);
  refuseFalse(data);
  const { ok: _, message = stamped["message"], ...fields } = data;
  if (typeof message !== "string")
    throw violation([
      { path: ["message"], code: "invalid_type", message: `expected string, received ${kindOf(message)}` },
    ]);
  return { ok: true, message, ...inOrder(fields, side) };
}

/** The fields as the schema lists them: Zod adds those that are async when they settle. */
function inOrder(fields: Record<string, unknown>, { schema, plain }: Side): Record<string, unknown> {
  if (plain) return fields;
  const declared = keys(shapeOf(schema())).filter((key) => hasOwn(fields, key));
  return { ...fromEntries(declared.map((key) => [key, undefined])), ...fields };
}

function stamp(returned: Record<string, unknown>): Record<string, unknown> {
  try {
    refuseFalse(returned);
    refuseToJson(returned);
    return { ...returned, ok: true };
  } catch (error) {
    if (!isA(Failure, error)) renderJson(returned);
    throw error;
  }
}

async function passOutput(side: Side, stamped: Record<string, unknown>): Promise<Parsed> {
  try {
    return await pass(side, stamped);
  } catch (error) {
    renderJson(stamped); // names what no schema can read: a getter that throws, a cycle
    throw error;
  }
}

/** A failure must not be dressed up as a success. */
function refuseFalse(envelope: Record<string, unknown>): void {
  const ok = hasOwn(envelope, "ok") ? envelope["ok"] : undefined;
  if (ok === undefined || ok === true) return;
  const message = `the handler returned ok: ${renderJson(ok, lenient)}; throw a ToolError to report a failure`;
  throw violation([{ path: ["ok"], code: "invalid_value", message }]);
}

/** An object that says how it wants to be printed must not be printed otherwise. */
function refuseToJson(returned: Record<string, unknown>): void {
  if (hasOwn(returned, "toJSON") && typeof returned["toJSON"] === "function")
    throw new Unfaithful(["toJSON"], "a function has no JSON form");
}

function violation(issues: readonly Issue[]): Failure {
  return new Failure("schema_violation", "the handler's output breaks its schema", { detail: compact(issues), issues });
}

function compact(issues: readonly Issue[]): string {
  return issues.map(compactOne).join("; ");
}

function compactOne({ path, message, flag }: Issue): string {
  const isNamed = path.length === 0 || (flag !== undefined && message.startsWith(flag));
  return isNamed ? message : `${path.join(".")}: ${message}`;
}

type Parsed = { data: unknown; issues?: undefined } | { data?: undefined; issues: Complaint[] };

async function pass({ schema, plain }: Side, value: unknown): Promise<Parsed> {
  const data = plain ? accept(plain, value) : DOUBTED;
  if (isAccepted(data)) return { data };
  return await parse(schema(), value); // which has the words for what is wrong; awaited, for `then` may be replaced
}

async function parse(schema: Schema, value: unknown): Promise<Parsed> {
  try {
    const result = isZod4(schema) ? await safeParseAsync(schema, value) : await schema.safeParseAsync(value);
    if (result.success) return { data: result.data };
    return { issues: (result.error.issues as readonly ZodIssue[]).map((issue) => complaintOf(issue, value)) };
  } catch (error) {
    const complaint = unmergable(error);
    if (complaint) return { issues: [complaint] };
    throw error;
  }
}

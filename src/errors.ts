import type { Issue } from "./types.ts";

// Taken before any code of the author runs, who may replace it.
const { Error } = globalThis;
const { apply } = Reflect;
const isInstance = Function.prototype[Symbol.hasInstance];
const text = String;

/**
 * A domain error for a handler to throw: the caller gets `{ ok: false, error: code, message, detail? }`.
 * `detail` is a string or an object that JSON can carry.
 */
export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly code: string;
  readonly detail?: string | object | undefined;

  constructor(code: string, message: string, detail?: string | object) {
    super(message);
    this.code = code;
    this.detail = detail;
  }
}

/** An input that was refused, before or by the input schema. */
export class InputError extends Error {
  override readonly name = "InputError";
  readonly issues: readonly Issue[];

  constructor(issues: readonly Issue[], options?: ErrorOptions) {
    super("the input was refused", options);
    this.issues = issues;
  }
}

/** One of the framework's own failures; `extra` are the keys that its envelope has beside `message`. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly code: string;
  readonly extra: Record<string, unknown>;

  constructor(code: string, message: string, extra: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.extra = extra;
  }
}

/** The message of a thrown value, whatever was thrown; never throws itself. */
export function stringifyError(value: unknown): string {
  try {
    if (isA(Error, value) && value.message === "") return `${value.name ?? "Error"}`;
    return typeof value === "object" && value !== null && "message" in value && typeof value.message === "string"
      ? value.message
      : text(value);
  } catch {
    return "a value that cannot be read was thrown";
  }
}

/** `instanceof` for what an author made: a proxy may throw when it is asked, and a class may answer as it likes. */
export function isA<T>(kind: abstract new (...args: never) => T, value: unknown): value is T {
  try {
    return apply(isInstance, kind, [value]);
  } catch {
    return false;
  }
}

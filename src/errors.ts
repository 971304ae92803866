import type { Issue } from "./types.ts";

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

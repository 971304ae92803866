/** A build that cannot be done, and why; `hint` is one line that says what to do. */
export class BuildError extends Error {
  override readonly name = "BuildError";
  readonly hint: string | undefined;

  constructor(message: string, options: ErrorOptions & { hint?: string | undefined } = {}) {
    super(message, options);
    this.hint = options.hint;
  }
}

/** A value in a message. */
export const quote = (value: string): string => JSON.stringify(value);

/** A text that is not a value of its field. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly expected: string;
  readonly got: string;
  readonly code: string;
  /** Where inside the field. */
  readonly path: readonly (string | number)[];

  constructor(expected: string, got: string, code = "invalid_type", path: readonly (string | number)[] = []) {
    super(`expected ${expected}, got ${got}`);
    this.expected = expected;
    this.code = code;
    this.path = path;
    this.got = got;
  }

  /** The same, of an item or a field of something larger. */
  inside(step: string | number): Refusal {
    return new Refusal(this.expected, this.got, this.code, [step, ...this.path]);
  }
}

/** What `read` returns, or what `refused` makes of its Refusal; any other error goes on. */
export function readOr<T, U>(read: () => T, refused: (refusal: Refusal) => U): T | U {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal) return refused(error);
    throw error;
  }
}

/** A place inside a value as JavaScript writes it: `[1].name`. */
export const where = (path: readonly (string | number)[]) =>
  path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");

/** A text as it stands in a message: in quotes, and cut where it is long. */
export const quote = (text: string) => JSON.stringify(cut(text));

/** A JSON value as it stands in a message. */
export const shown = (value: unknown) => cut(JSON.stringify(value));

export const cut = (text: string, most = 60) => (text.length > most ? `${text.slice(0, most - 3)}…` : text);

/** A finite decimal number that a double holds; undefined for every other text. */
export function readNumber(text: string): number | undefined {
  const literal = text.trim();
  return isDecimal(literal) && isHeld(literal) ? Number(literal) : undefined;
}

export const isDecimal = (literal: string) => /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(literal);

/** Whether a double is what was written: neither infinite, nor nothing, nor the integer next to it. */
export function isHeld(literal: string): boolean {
  const value = Number(literal);
  if (literal === `${value}`) return Number.isFinite(value); // nearly always
  if (!Number.isFinite(value)) return false;
  if (value === 0) return !/^[^eE]*[1-9]/.test(literal);
  if (!Number.isInteger(value)) return true;
  const written = decimal(literal);
  return written === decimal(`${BigInt(value)}`) || written === decimal(`${value}`); // 2 ** 60 prints as 1152921504606847000
}

/** A number by its significant digits and its power of ten. */
function decimal(literal: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(literal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign.replace("+", "")}${significant}e${power}`;
}

/** One of the words for a boolean; undefined for every other text. */
export function readBoolean(text: string): boolean | undefined {
  return WORDS.get(text.length > 3 ? text.toLowerCase() : text);
}

const WORDS = new Map([
  ["true", true],
  ["1", true],
  ["yes", true],
  ["on", true],
  ["false", false],
  ["0", false],
  ["no", false],
  ["off", false],
]);

/** A date and time of RFC 3339 that a Date holds, to the millisecond; undefined for every other text. */
export function readDate(text: string): Date | undefined {
  const [, day] =
    /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3])(:[0-5]\d){2}(\.\d{1,3}0*)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/.exec(text) ?? [];
  const midnight = new Date(`${day}T00:00:00Z`);
  const isDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(`${day}T`); // February has no 30th
  return isDay ? new Date(text) : undefined;
}

/** Whether a text follows a pattern of JSON Schema, written for either mode of regular expressions. */
export function matches(text: string, pattern: unknown, flags = ""): boolean {
  if (typeof pattern !== "string") return true;
  for (const mode of ["u", ""]) {
    try {
      return new RegExp(pattern, mode + flags).test(text);
    } catch {} // written for the other mode
  }
  return true;
}

/** One JSON document, with a BOM or without; refuses numbers that a double cannot hold, at any depth. */
export function readJson(text: string): unknown {
  const document = text.replace(/^\uFEFF/, "");
  const value = parse(document);
  const lost = findLostNumber(document);
  if (lost !== undefined) throw new Refusal("numbers that a double can hold", quote(lost), "invalid_value");
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Refusal("JSON", `${quote(text)} (${cut(why, 120)})`, "invalid_format");
  }
}

function findLostNumber(json: string): string | undefined {
  if (!/[\d.]{16}|[eE][+-]?\d{3}/.test(json)) return undefined;
  const outsideStrings = json
    .replace(/\\./g, "")
    .split('"')
    .filter((_, index) => index % 2 === 0);
  return outsideStrings.flatMap((part) => part.match(/-?\d[\d.eE+-]*/g) ?? []).find((literal) => !isHeld(literal));
}

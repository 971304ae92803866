/** A text that is not a value of its field. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly expected: string;
  readonly code: string;
  /** Where inside the field. */
  readonly path: readonly (string | number)[];

  constructor(expected: string, got: string, code = "invalid_type", path: readonly (string | number)[] = []) {
    super(`${path.length > 0 ? `${path.join(".")}: ` : ""}expected ${expected}, got ${got}`);
    this.expected = expected;
    this.code = code;
    this.path = path;
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

/** A text as it stands in a message: in quotes, and cut where it is long. */
export const quote = (text: string) => JSON.stringify(cut(text));

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
  if (/^(true|1|yes|on)$/.test(text) || text.toLowerCase() === "true") return true;
  if (/^(false|0|no|off)$/.test(text) || text.toLowerCase() === "false") return false;
  return undefined;
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

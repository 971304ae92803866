import { ASSIGNING, type Names } from "./declared.ts";
import type { Token } from "./tokens.ts";

/** An index to go on from, or why it matters when the expression is evaluated. */
type Step = number | { refused: string };

/**
 * Why it may matter when the expressions between two tokens are evaluated; undefined where it does not: they call nothing but
 * makers of schemas and the methods of schemas, and use what is declared once. What stands inside of functions is evaluated
 * later in any case.
 */
export function refusalOf(tokens: readonly Token[], from: number, to: number, names: Names): string | undefined {
  for (let index = from; index < to; ) {
    const step = stepOver(tokens, index, from, names);
    if (typeof step !== "number") return step.refused;
    index = step;
  }
  return undefined;
}

/** The index behind the calls that make a schema, of `schemas` too, and start here; undefined where it matters when they do. */
export function endOfSchema(
  tokens: readonly Token[],
  start: number,
  names: Names,
  schemas: ReadonlySet<string>,
): number | undefined {
  const root = tokens[start]?.text ?? "";
  if (!names.makers.has(root) && !schemas.has(root)) return undefined;
  const end = stepOverChain(tokens, start, names);
  return typeof end === "number" && tokens[end - 1]?.text === ")" ? end : undefined;
}

/** The index behind a literal, or a list or an object of them, `as const` or not. */
export function endOfData(tokens: readonly Token[], start: number): number | undefined {
  const { kind, match } = tokens[start] ?? {};
  const end = kind === "string" || kind === "number" ? start + 1 : (match ?? -1) + 1;
  const isData = ({ kind, text }: Token, index: number) =>
    kind === "string" ||
    kind === "number" ||
    (kind === "punctuator" && /^[[\]{},:-]$/.test(text)) ||
    (kind === "name" && (/^(true|false|null)$/.test(text) || tokens[start + index + 1]?.text === ":"));
  if (end <= start || !tokens.slice(start, end).every(isData)) return undefined;
  return tokens[end]?.text === "as" && tokens[end + 1]?.text === "const" ? end + 2 : end;
}

function stepOver(tokens: readonly Token[], index: number, from: number, names: Names): Step {
  const { kind, text, match } = tokens[index] as Token;
  const isFirst = index === from || tokens[index - 1]?.text === ",";
  if (isFirst && kind !== "punctuator" && tokens[index + 1]?.text === ":") return index + 2; // a key
  const end = (isFirst ? endOfMethod(tokens, index) : undefined) ?? endOfFunction(tokens, index);
  if (end !== undefined) return end;
  if (text === "as" || text === "satisfies") return endOfItem(tokens, index);
  if (kind === "name") return VALUES.has(text) ? index + 1 : stepOverChain(tokens, index, names);
  if (match !== undefined && match > index) {
    const refused = refusalOf(tokens, index + 1, match, names);
    return refused === undefined ? match + (kind === "template" ? 0 : 1) : { refused };
  }
  return kind === "punctuator" && (text === "?" || ASSIGNING.test(text)) ? { refused: `it uses ${text}` } : index + 1;
}

const VALUES = new Set(["true", "false", "null", "undefined", "NaN", "Infinity", "typeof", "void"]);

/** A name with all that is called on it, such as `z.string().optional()`. */
function stepOverChain(tokens: readonly Token[], start: number, names: Names): Step {
  const root = (tokens[start] as Token).text;
  const makes = names.makers.has(root);
  if (!makes && !names.fixed.has(root) && root !== "Object") return { refused: `it uses ${root}` };
  let called = root;
  let allowed = makes; // to call what has been read so far
  for (let index = start + 1; ; ) {
    const { kind, text, match = 0 } = tokens[index] ?? { kind: undefined, text: "" };
    if (kind === "template" && !text.startsWith("}")) return { refused: `it calls ${called}` };
    if (text === "(" || text === "[") {
      const refused = text === "(" && !allowed ? `it calls ${called}` : refusalOf(tokens, index + 1, match, names);
      if (refused !== undefined) return { refused };
      allowed = false;
      index = match + 1;
    } else if (text === "." || text === "?.") {
      const member = tokens[index + 1]?.text ?? "";
      const isFirstCall = makes && index < start + 5 && !tokens.slice(start, index).some(({ text }) => text === "(");
      allowed = isFirstCall ? !EFFECTS.has(member) : (root === "Object" ? LISTS : METHODS).has(member);
      called += `.${member}`;
      index += 2;
    } else if (text === "!") index++;
    else {
      const end = endOfTypes(tokens, index);
      if (end === undefined) return index;
      index = end;
    }
  }
}

/** What of Zod changes more than it returns, or calls the author's functions at once. */
const EFFECTS = new Set(["config", "setErrorMap", "registry", "parse", "parseAsync", "safeParse", "safeParseAsync"]);
const LISTS = new Set(["keys", "values", "entries", "fromEntries"]);
/** The methods of schemas that return another schema, and those of texts and lists that call nothing. */
const METHODS = new Set(
  `optional nullable nullish nonoptional exactOptional default prefault catch describe meta brand readonly pipe transform refine
  superRefine overwrite check and or array element unwrap clone min max length nonempty size regex includes startsWith endsWith
  trim normalize toLowerCase toUpperCase lowercase uppercase email url uuid guid emoji nanoid cuid cuid2 ulid xid ksuid ipv4 ipv6
  cidrv4 cidrv6 base64 base64url jwt e164 datetime date time duration int int32 uint32 safe finite positive negative nonpositive
  nonnegative multipleOf step gt gte lt lte mime strict strip passthrough loose catchall extend safeExtend merge pick omit
  partial required keyof exclude extract rest join slice concat split`.split(/\s+/),
);

/** The end of an arrow function or a `function` that starts here. */
function endOfFunction(tokens: readonly Token[], index: number): number | undefined {
  const start = tokens[index]?.text === "async" ? index + 1 : index;
  const token = tokens[start];
  if (token?.text === "function") {
    const params = tokens.findIndex((token, at) => at > start && token.text === "(");
    return endOfBody(tokens, tokens[params]?.match);
  }
  if (token?.kind === "name" && tokens[start + 1]?.text === "=>") return endOfArrow(tokens, start + 1);
  const close = token?.text === "(" ? token.match : undefined;
  if (close === undefined) return undefined;
  const arrow = tokens[close + 1]?.text === ":" ? arrowIn(tokens, close + 2) : close + 1;
  return tokens[arrow]?.text === "=>" ? endOfArrow(tokens, arrow) : undefined;
}

function endOfArrow(tokens: readonly Token[], arrow: number): number {
  const body = tokens[arrow + 1];
  return body?.text === "{" ? (body.match as number) + 1 : endOfItem(tokens, arrow + 1);
}

/** The arrow behind a type that a function returns. */
function arrowIn(tokens: readonly Token[], start: number): number {
  let index = start;
  while (!isEnd(tokens[index]) && tokens[index]?.text !== "=>") index = past(tokens, index);
  return index;
}

/** The end of a method of an object literal, or of a getter. */
function endOfMethod(tokens: readonly Token[], start: number): number | undefined {
  let index = start;
  while (/^(async|get|set|\*)$/.test(tokens[index]?.text ?? "") && tokens[index + 1]?.text !== "(") index++;
  const params = past(tokens, index);
  return tokens[params]?.text === "(" ? endOfBody(tokens, tokens[params]?.match) : undefined;
}

/** The end of the braces behind the parameters that close here, and behind the type that is returned. */
function endOfBody(tokens: readonly Token[], close = tokens.length): number | undefined {
  let index = close + 1;
  if (tokens[index]?.text === ":")
    while (!isEnd(tokens[index]) && tokens[index]?.text !== "{") index = past(tokens, index);
  return tokens[index]?.text === "{" ? (tokens[index]?.match as number) + 1 : undefined;
}

/** The end of `<…>` in front of arguments. */
function endOfTypes(tokens: readonly Token[], start: number): number | undefined {
  if (tokens[start]?.text !== "<") return undefined;
  let depth = 0;
  for (let index = start; !isEnd(tokens[index]); index = past(tokens, index)) {
    if (tokens[index]?.text === "<") depth++;
    if (tokens[index]?.text === ">" && --depth === 0) return tokens[index + 1]?.text === "(" ? index + 1 : undefined;
  }
  return undefined;
}

/** The comma behind what starts here, or the bracket that closes round it. */
export function endOfItem(tokens: readonly Token[], start: number): number {
  let index = start;
  while (!isEnd(tokens[index])) index = past(tokens, index);
  return index;
}

function isEnd(token: Token | undefined): boolean {
  return (
    token === undefined || (token.kind === "punctuator" && /^[,)\]}]$/.test(token.text)) || /^\}./.test(token.text)
  );
}

/** Past a token, and past all that a bracket holds. */
export function past(tokens: readonly Token[], index: number): number {
  const { match = 0 } = tokens[index] ?? {};
  return Math.max(index, match) + 1;
}

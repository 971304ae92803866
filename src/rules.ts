export type Lengths = { least?: number; most?: number };
export type Bounds = {
  whole?: true;
  /** Of a date in milliseconds. */
  bounds?: [sign: "<" | "<=" | ">" | ">=", limit: number][];
  steps?: number[];
};
export type Pattern = [source: string, flags: string];
/** A text as it is asked for, and once it is rewritten. */
export type Text = { is: "string"; like?: Pattern[]; url?: UrlParts[]; next?: [Rewriting, Text] } & Lengths;
export type UrlParts = { hostname?: Pattern; protocol?: Pattern };
export type Rewriting = "trim" | "toLowerCase" | "toUpperCase";

/** What Zod knows of a check. */
export type Check = Readonly<Record<string, unknown>>;
/** What a check adds to the rules so far. */
type Rules<R> = Record<string, (check: Check, rules: R) => R>;

export function demand(condition: boolean): asserts condition {
  if (!condition) throw new Error("not plain");
}

/** The rules of checks that run in this order; throws for one that is more than these say. */
export function textOf(checks: readonly Check[]): Text {
  const at = checks.findIndex(({ check }) => check === "overwrite");
  if (at < 0) return { is: "string", ...rulesOf(checks, STRING) };
  const next: [Rewriting, Text] = [rewritingOf(checks[at] as Check), textOf(checks.slice(at + 1))];
  return { is: "string", ...rulesOf(checks.slice(0, at), STRING), next };
}

export const boundsOf = (checks: readonly Check[]) => rulesOf(checks, NUMBER);
export const lengthsOf = (checks: readonly Check[]) => rulesOf(checks, LENGTHS);

function rulesOf<R extends object>(checks: readonly Check[], known: Rules<R>): R {
  let rules = {} as R;
  for (const check of checks) {
    const rule = known[String(check["check"])];
    demand(rule !== undefined && isAlways(check));
    rules = { ...rules, ...rule(check, rules) };
  }
  return rules;
}

/** Zod's own condition is that there is a length; an author may have given another. */
const isAlways = ({ when }: Check) => when === undefined || /\.length\s*!==/.test(String(when));

/** The text of a function is proof: what reads like this does this, whoever wrote it. */
function rewritingOf({ tx, when }: Check): Rewriting {
  const [, , name] = /^\(?(\w+)\)?\s*=>\s*\1\.(trim|toLowerCase|toUpperCase)\(\)$/.exec(String(tx)) ?? [];
  demand(name !== undefined && when === undefined);
  return name as Rewriting;
}

const atLeast = (value: unknown, { least = 0 }: Lengths) => ({ least: Math.max(least, number(value)) });
const atMost = (value: unknown, { most }: Lengths) => ({ most: Math.min(most ?? number(value), number(value)) });

const LENGTHS: Rules<Lengths> = {
  min_length: ({ minimum }, rules) => atLeast(minimum, rules),
  max_length: ({ maximum }, rules) => atMost(maximum, rules),
  length_equals: ({ length }, rules) => ({ ...atLeast(length, rules), ...atMost(length, rules) }),
};

const STRING: Rules<Omit<Text, "is" | "next">> = {
  ...LENGTHS,
  string_format({ format, ...check }, { like = [], url = [] }) {
    if (format === "url") return { url: [...url, urlParts(check)] };
    return { like: [...like, patternOf(String(format), check)] };
  },
};

function patternOf(format: string, { pattern, includes, position, prefix, suffix }: Check): Pattern {
  if (format === "includes" && position === undefined) return [escaped(includes), ""];
  if (format === "starts_with") return [`^${escaped(prefix)}`, ""];
  if (format === "ends_with") return [`${escaped(suffix)}$`, ""];
  demand(PATTERNS.test(format));
  return sourceOf(pattern);
}

/** Formats that are a pattern, and nothing beside it. */
const PATTERNS =
  /^(regex|email|[gu]uid|date|time|datetime|duration|ipv4|cidrv4|e164|nanoid|cuid2?|ulid|xid|ksuid|emoji|lowercase|uppercase)$/;

function sourceOf(pattern: unknown): Pattern {
  demand(pattern instanceof RegExp && !/[gy]/.test(pattern.flags));
  return [pattern.source, pattern.flags];
}

function escaped(text: unknown): string {
  demand(typeof text === "string");
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

function urlParts({ hostname, protocol, normalize }: Check): UrlParts {
  demand(!normalize);
  return {
    ...(hostname !== undefined && { hostname: sourceOf(hostname) }),
    ...(protocol !== undefined && { protocol: sourceOf(protocol) }),
  };
}

const NUMBER: Rules<Bounds> = {
  number_format({ format }, { bounds = [] }) {
    if (format === "safeint") return { whole: true };
    const [least, most] = RANGES[String(format)] ?? [];
    return {
      ...(format !== "float32" && { whole: true }),
      bounds: [...bounds, [">=", number(least)], ["<=", number(most)]],
    };
  },
  greater_than: ({ value, inclusive }, { bounds = [] }) => ({
    bounds: [...bounds, [inclusive ? ">=" : ">", number(value)]],
  }),
  less_than: ({ value, inclusive }, { bounds = [] }) => ({
    bounds: [...bounds, [inclusive ? "<=" : "<", number(value)]],
  }),
  multiple_of({ value }, { steps = [] }) {
    demand(Number.isInteger(value) && Math.abs(number(value)) < 1e9 && value !== 0);
    return { steps: [...steps, number(value)] };
  },
};

const RANGES: Record<string, [least: number, most: number]> = {
  int32: [-2147483648, 2147483647],
  uint32: [0, 4294967295],
  float32: [-3.4028234663852886e38, 3.4028234663852886e38],
};

function number(value: unknown): number {
  const limit = value instanceof Date ? value.getTime() : value;
  demand(Number.isFinite(limit));
  return limit as number;
}

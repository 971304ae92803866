import { withoutPrototype } from "./json.ts";
import type { Bounds, Pattern, Rewriting, Text, UrlParts } from "./rules.ts";

// Taken before any code of the author runs, who may replace them.
const { RegExp } = globalThis;
const { apply } = Reflect;
const { test } = RegExp.prototype;
const { getTime } = Date.prototype;
const { codePointAt, toLowerCase, toUpperCase, trim } = String.prototype;
const { isFinite, isSafeInteger } = Number;

/** Zod refuses the value. */
export const REFUSED = Symbol("refused");
/** Zod has to judge: versions of it differ, or the value is more than JSON has. */
export const DOUBTED = Symbol("doubted");

export const isAccepted = (value: unknown) => value !== REFUSED && value !== DOUBTED;

export function acceptText(plain: Text, text: string): unknown {
  const { least = 0, most = Infinity, like = [], url = [], next } = withoutPrototype(plain);
  for (let index = 0; index < like.length; index++) if (!isLike(text, like[index] as Pattern)) return REFUSED;
  // The length counts code points or, for some versions, units of UTF-16, which are never fewer.
  const units = text.length;
  const points = units > most || units < 2 * least ? codePointsOf(text) : units;
  if (units < least || points > most) return REFUSED;
  if (units > most || (units < 2 * least && points < least)) return DOUBTED;
  for (let index = 0; index < url.length; index++) if (!isUrl(text, url[index] as UrlParts)) return DOUBTED;
  return next ? acceptText(next[1], apply(REWRITINGS[next[0]], text, []) as string) : text;
}

const REWRITINGS: Record<Rewriting, (this: string) => string> = { toLowerCase, toUpperCase, trim };

const isLike = (text: string, pattern: Pattern) => apply(test, new RegExp(pattern[0], pattern[1]), [text]) as boolean;

/** Whether no version of Zod would trim or complete it. */
function isUrl(text: string, { hostname, protocol }: UrlParts): boolean {
  try {
    const url = new URL(text);
    if (url.href !== text && url.href !== `${text}/`) return false;
    return (!hostname || isLike(url.hostname, hostname)) && (!protocol || isLike(url.protocol.slice(0, -1), protocol));
  } catch {
    return false;
  }
}

function codePointsOf(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; count++)
    index += (apply(codePointAt, text, [index]) as number) > 0xffff ? 2 : 1;
  return count;
}

export function acceptNumber(plain: Bounds, value: number): unknown {
  const { whole, bounds = [], steps = [] } = withoutPrototype(plain);
  if (whole && !isSafeInteger(value)) return REFUSED;
  for (let index = 0; index < bounds.length; index++) {
    const bound = bounds[index] as [sign: keyof typeof COMPARISONS, limit: number];
    if (!COMPARISONS[bound[0]](value, bound[1])) return REFUSED;
  }
  for (let index = 0; index < steps.length; index++) {
    if (!isSafeInteger(value) || value > LARGEST || value < -LARGEST) return DOUBTED;
    if (value % (steps[index] as number) !== 0) return REFUSED;
  }
  return value;
}

/** Versions of Zod are of different exactness in what they take for a multiple. */
const LARGEST = 1e12;

export function acceptDate(plain: Bounds, date: Date): unknown {
  const time = apply(getTime, date, []) as number;
  const accepted = isFinite(time) ? acceptNumber(plain, time) : REFUSED;
  return isAccepted(accepted) ? date : accepted;
}

const COMPARISONS = {
  "<": (value: number, limit: number) => value < limit,
  "<=": (value: number, limit: number) => value <= limit,
  ">": (value: number, limit: number) => value > limit,
  ">=": (value: number, limit: number) => value >= limit,
};

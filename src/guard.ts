import type { $ZodType } from "zod/v4/core";
import { accept } from "./accept.ts";
import { isPlainObject } from "./json.ts";
import type { Plain } from "./plain.ts";
import { samplesOf } from "./samples.ts";
import { isAccepted } from "./scalars.ts";
import type { Schema } from "./types.ts";

/** A side whose plain form takes a sample otherwise than the project's own Zod does. */
export type Doubt = { name: string; side: "input" | "output"; sample: string };

/** Tells a sample that is taken otherwise; undefined where there is none. */
export type Guard = (plain: Plain, schema: Schema) => Promise<string | undefined>;

/** Of one side. */
const MOST = 100;
/** Of a tool: a sample takes some microseconds. */
const BUDGET = 3_000;

/**
 * Asks the project's own Zod about samples of what is frozen as plain. Only those that the plain form takes: what it refuses
 * is Zod's to judge at run time too. No code of the author's runs, for a plain schema has none.
 */
export function guard(): Guard {
  const asked = new Map<string, Promise<string | undefined>>();
  let left = BUDGET;
  return (plain, schema) => {
    const text = JSON.stringify(plain);
    const most = Math.min(MOST, Math.max(left, 10));
    const doubt = asked.get(text) ?? ask(plain, schema as $ZodType, most);
    if (!asked.has(text)) left -= most;
    asked.set(text, doubt);
    return doubt;
  };
}

async function ask(plain: Plain, schema: $ZodType, most: number): Promise<string | undefined> {
  let tried = 0;
  let taken = 0;
  for (const sample of samplesOf(plain)) {
    if (taken > most || tried++ > 5 * most) return undefined;
    const accepted = accept(plain, sample);
    if (!isAccepted(accepted)) continue;
    taken++;
    if (!(await isMade(accepted, schema, structuredClone(sample)))) return shown(sample);
  }
  return undefined;
}

/** Whether Zod makes this of a sample; some versions throw where others do not. */
async function isMade(expected: unknown, schema: $ZodType, sample: unknown): Promise<boolean> {
  try {
    const { value, issues } = await schema._zod.run({ value: sample, issues: [] }, { async: true });
    return issues.length === 0 && isSame(expected, value);
  } catch {
    return false;
  }
}

/** Whether two values have the same parts in the same order. */
function isSame(one: unknown, other: unknown): boolean {
  if (one instanceof Date && other instanceof Date) return one.getTime() === other.getTime();
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  if (!isPlainObject(one) || !isPlainObject(other)) return Object.is(one, other);
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  return keys.length === others.length && keys.every((key, at) => key === others[at] && isSame(one[key], other[key]));
}

const shown = (sample: unknown) => {
  const text = JSON.stringify(sample) ?? "undefined";
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
};

import { quote, shown, where } from "./exact.ts";
import type { Issue } from "./types.ts";

/** What a schema has against a value; `keys` are those that it does not know. */
export type Complaint = Issue & { keys?: readonly string[] };

/** An issue of any generation of Zod. */
export type ZodIssue = {
  path: readonly PropertyKey[];
  code?: string | undefined;
  message: string;
  expected?: string;
  received?: string;
  /** Of a bound: the type that has it. */
  origin?: string;
  keys?: readonly string[];
  /** Of a union: what each alternative has against the value. */
  errors?: readonly (readonly ZodIssue[])[];
  unionErrors?: readonly { issues: readonly ZodIssue[] }[];
  /** Of a key: what is wrong with it. */
  issues?: readonly ZodIssue[];
};

/** Zod's issue about a value as a complaint: where its words hide what was wrong, in ours. */
export function complaintOf({ path, code = "custom", keys, ...issue }: ZodIssue, value: unknown): Complaint {
  const steps = stepsOf(path);
  return { path: steps, code, message: tell({ path, code, ...issue }, at(value, steps)), ...(keys && { keys }) };
}

/** Zod throws where the two sides of an intersection make different values of one. */
export function unmergable(error: unknown): Complaint | undefined {
  const [, path] =
    /^Unmergable intersection\. Error path: (\[.*\])$/s.exec(error instanceof Error ? error.message : "") ?? [];
  if (path === undefined) return undefined;
  const message = "the two sides of an intersection make different values of it";
  return { path: JSON.parse(path), code: "invalid_intersection", message };
}

function tell(issue: ZodIssue, value: unknown): string {
  const { code, message, expected, received = "" } = issue;
  const isMade = /^(nan|Invalid Date)$/i.test(received) || code === "invalid_date"; // by z.coerce, of something else
  if (isMade && value === undefined) return `${PREFIX}expected ${expected ?? "date"}, received undefined`;
  if (isMade && isSent(value)) return `expected a ${expected ?? "date"}, got ${shown(value)}`;
  if (issue.origin === "date") return message.replace(/-?\d+$/, (time) => quote(new Date(Number(time)).toISOString()));
  if (code === "invalid_key") return `${message} (${quote(String(issue.path.at(-1)))}): ${summary(issue.issues ?? [])}`;
  if (code !== "invalid_union" || message !== "Invalid input") return message;
  return [message, alternatives(issue)].filter((part) => part !== "").join(": ");
}

const PREFIX = "Invalid input: ";

/** Neither NaN nor an invalid Date itself, which `invoke` may be given. */
const isSent = (value: unknown) => ["string", "boolean"].includes(typeof value) || Number.isFinite(value);

/** What each alternative of a union wanted, the first few. */
function alternatives({ errors, unionErrors, path }: ZodIssue): string {
  const inside = errors ?? (unionErrors ?? []).map(({ issues }) => issues.map((issue) => relative(issue, path.length)));
  const wanted = [...new Set(inside.map(summary).filter((text) => text !== ""))];
  const others = wanted.length > MOST ? ` or ${wanted.length - MOST} others` : "";
  return wanted.slice(0, MOST).join(", or ") + others;
}

const MOST = 4;

/** The paths of `zod/v3` begin at the root, in a union too. */
const relative = (issue: ZodIssue, depth: number): ZodIssue => ({ ...issue, path: issue.path.slice(depth) });

function summary(issues: readonly ZodIssue[]): string {
  return issues
    .slice(0, MOST)
    .map((issue) => {
      const place = where(stepsOf(issue.path)).replace(/^\./, "");
      const told = tell(issue, undefined).replace(PREFIX, "");
      const message = told.includes(", or ") ? `(${told})` : told;
      return place === "" ? message : `${place}: ${message}`;
    })
    .join(" and ");
}

const stepsOf = (path: readonly PropertyKey[]) => path.map((key) => (typeof key === "symbol" ? String(key) : key));

function at(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (holder, key) =>
      typeof holder === "object" && holder !== null ? (holder as Record<string, unknown>)[key] : undefined,
    value,
  );
}

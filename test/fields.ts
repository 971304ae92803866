import { isDeepStrictEqual } from "node:util";
import * as assert from "uvu/assert";
import { toJsonSchema } from "../src/convert.ts";
import type { Issue } from "../src/types.ts";
import { kinds } from "./fixtures/fields/kinds.ts";
import { compiled, inSource, onNode, type Ran, type RunOptions, run } from "./harness.ts";

export const file = "test/fixtures/fields.ts";

/** What is typed after the tool's name: its tokens, or a line that is split at spaces, but not inside single quotes. */
export type Typed = string | string[];

/** `input` is what the tool finds on stdin. */
export type Row = [typed: Typed, ran: Ran, input?: string | Uint8Array];

type Way = (file: string, args: string[], options?: RunOptions) => Promise<Ran>;

/** A tool in source under Bun, from `dist` under Node, and compiled. */
export const ways: Record<string, Way> = {
  "in source": inSource,
  "on Node": onNode,
  compiled: async (file, args, options) => run(await compiled(file), args, options),
};

/** Runs every row, a few at a time, and shows all that came out otherwise. */
export async function compare(way: Way, rows: readonly Row[], of = file): Promise<void> {
  const wrong: { got: Row; expected: Row }[] = [];
  for (let at = 0; at < rows.length; at += 4) {
    const some = rows.slice(at, at + 4).map(async ([typed, expected, input]) => {
      const ran = withoutEngine(await way(of, tokens(typed), input === undefined ? {} : { input }));
      if (!isDeepStrictEqual(ran, expected)) wrong.push({ got: [typed, ran], expected: [typed, expected] });
    });
    await Promise.all(some);
  }
  assert.equal(
    wrong.map(({ got }) => got),
    wrong.map(({ expected }) => expected),
  );
}

/** The words of an engine about broken JSON. */
const withoutEngine = ({ stdout, ...others }: Ran): Ran => ({
  stdout: stdout.replace(/ \((?:JSON Parse error: |Unexpected |Expected )(?:[^()"]|\\")*\)/g, " (…)"),
  ...others,
});

export const tokens = (typed: Typed): string[] =>
  typeof typed === "string"
    ? [...typed.matchAll(/(?:'[^']*'|[^' ])+/g)].map(([word]) => word.replaceAll("'", ""))
    : typed;

export const printed = (envelope: object, stderr = ""): Ran => ({
  stdout: `${JSON.stringify(envelope)}\n`,
  stderr,
  code: 0,
});

/** What a subcommand of the tool answers that got this. */
export const gave = (name: string, got: unknown, stderr?: string) => printed({ ok: true, message: name, got }, stderr);

export async function refused(name: string, issues: readonly Issue[], stderr?: string): Promise<Ran> {
  const detail = issues.map(({ path, message, flag }) =>
    path.length === 0 || (flag && message.startsWith(flag)) ? message : `${path.join(".")}: ${message}`,
  );
  const input = kinds.get(name);
  return printed(
    {
      ok: false,
      error: "input_validation_error",
      message: "the input was refused",
      detail: detail.join("; "),
      input_schema: input && (await toJsonSchema(input, "input")),
      issues,
    },
    stderr,
  );
}

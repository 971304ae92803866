import { createHash } from "node:crypto";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { endings } from "./fixtures/misbehaving/endings.ts";
import { leaves } from "./fixtures/misbehaving/leaves.ts";
import { prints } from "./fixtures/misbehaving/prints.ts";
import { replaces } from "./fixtures/misbehaving/replaces.ts";
import { returns } from "./fixtures/misbehaving/returns.ts";
import { type Envelope, nameOf, type Row } from "./fixtures/misbehaving/row.ts";
import { schemas } from "./fixtures/misbehaving/schemas.ts";
import { throws } from "./fixtures/misbehaving/throws.ts";
import { bun, compiled, inSource, onNode, type Ran, run } from "./harness.ts";

const rows = [returns, throws, prints, endings, leaves, replaces, schemas].flat();
const file = "test/fixtures/misbehaving.ts";

const ways = {
  compiled: async (args: string[], piped?: boolean) => (piped ? runPiped : run)(await compiled(file), args),
  "in source": async (args: string[], piped?: boolean) =>
    piped ? runPiped(bun, [file, ...args]) : inSource(file, args),
  "on Node": (args: string[]) => onNode(file, args),
};

/** Node gives its children sockets; these get pipes. */
const runPiped = (command: string, args: string[]) =>
  run("bash", ["-c", '{ "$@" 2>&1 >&3 | cat >&2; exit $PIPESTATUS; } 3>&1', "bash", command, ...args]);

for (const [name, way] of Object.entries(ways)) {
  const handlers = suite(`handlers ${name}`);
  const held = rows.filter(([, , , more]) => !more?.except?.[name as "on Node"]);
  const runs = fourAtATime(held, ([sentence, , , more]) => way([nameOf(sentence), ...(more?.args ?? [])], more?.piped));
  for (const [index, row] of held.entries()) {
    handlers(`${name}, one that ${row[0]}`, async () => {
      const ran = (await runs[index]) as Ran;
      assert.equal(shown(ran), shown(expected(row, ran, name === "on Node")));
    });
  }
  handlers.run();
}

/** What the caller should get; a stack is taken from what it got, once its beginning is right. */
function expected([, , envelope, more]: Row, { stdout, stderr }: Ran, isNode: boolean): Ran {
  const printed = more?.stderr ?? "";
  return {
    stdout: `${JSON.stringify(withStack((isNode && more?.onNode) || envelope, stdout))}\n`,
    stderr: typeof printed === "string" || !printed.test(stderr) ? String(printed) : stderr,
    code: 0,
  };
}

function withStack(envelope: Envelope, line: string): Envelope {
  const beginning = typeof envelope["detail"] === "string" && /^(.*)…$/s.exec(envelope["detail"])?.[1];
  if (beginning === false || beginning === undefined) return envelope;
  const { detail } = JSON.parse(line) as Envelope;
  return typeof detail === "string" && detail.startsWith(beginning) ? { ...envelope, detail } : envelope;
}

/** A difference between millions of characters is for nobody to read. */
function shown({ stdout, stderr, code }: Ran) {
  const short = (text: string) =>
    text.length < 20_000 ? text : `${text.length} characters, ${createHash("sha256").update(text).digest("hex")}`;
  return { stdout: short(stdout), stderr: short(stderr), code };
}

/** Starts all of it, four of them at any time. */
function fourAtATime<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R>[] {
  const lanes: Promise<unknown>[] = [Promise.resolve(), Promise.resolve(), Promise.resolve(), Promise.resolve()];
  return items.map((item, index) => {
    const lane = index % lanes.length;
    const result = (lanes[lane] as Promise<unknown>).then(() => work(item));
    lanes[lane] = result.catch(() => {});
    return result;
  });
}

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { boom, called, type Envelope, idle, thrown } from "./fixtures/misbehaving/row.ts";
import { compiled, inSource, onNode, run } from "./harness.ts";

type Way = "in source" | "on Node";
type Row = [
  module: string,
  subcommand: string,
  envelope: Envelope,
  stderr?: string,
  except?: { [way in Way]?: string },
];

const hello = { ok: true, message: "hello" };

/** Until it runs, a tool in source is a module like any other. */
const TOO_EARLY = { "in source": "nothing is a tool before `run`", "on Node": "nothing is a tool before `run`" };

const rows: Row[] = [
  ["prints", "greet", hello, "loading\nloaded\n", TOO_EARLY],
  ["prints-after", "greet", hello, "loaded\n"],
  ["throws-before", "greet", boom, "", TOO_EARLY],
  ["throws-after", "wait", boom],
  ["throws-nothing", "wait", thrown("a value that cannot be read was thrown")],
  ["exits-before", "greet", called("process.exit(3)"), "", TOO_EARLY],
  ["exits-after", "greet", called("process.exit(3)")],
  ["rejects-before", "wait", boom, "", TOO_EARLY],
  ["rejects-after", "wait", boom],
  ["awaits", "greet", hello],
  ["awaits", "wait", idle, "", { "in source": "Bun spins over a module that never settles" }],
  ["awaits-throwing", "greet", boom, "", TOO_EARLY],
  ["awaits-nothing", "greet", idle, "", TOO_EARLY],
  ["exports", "greet", hello, "loading\n", { "in source": "nobody runs it", "on Node": "nobody runs it" }],
  ["forgets", "greet", idle, "", { "in source": "nobody runs it", "on Node": "nobody runs it" }],
  ["replaces", "greet", hello],
  ["leaves-timer", "greet", hello],
  ["removes-listeners", "wait", idle],
];

const ways = {
  compiled: async (file: string, args: string[]) => run(await compiled(file), args),
  "in source": inSource,
  "on Node": onNode,
};

for (const [name, way] of Object.entries(ways)) {
  const loading = suite(`loading ${name}`);
  for (const [module, subcommand, envelope, stderr = "", except] of rows) {
    if (except?.[name as Way]) continue;
    loading(`${name}, a module that ${module}: ${subcommand}`, async () => {
      const ran = await way(`test/fixtures/loading/${module}.ts`, [subcommand]);
      assert.equal({ ...ran, stdout: beginning(ran.stdout, envelope) }, { stdout: line(envelope), stderr, code: 0 });
    });
  }
  loading.run();
}

const line = (envelope: Envelope) => `${JSON.stringify(envelope)}\n`;

/** The line with the stack cut off where the one that is expected is. */
function beginning(stdout: string, { detail }: Envelope) {
  if (typeof detail !== "string") return stdout;
  const envelope = JSON.parse(stdout) as Envelope;
  const stack = String(envelope["detail"]);
  const start = detail.slice(0, -1);
  return stdout.replace(JSON.stringify(stack), JSON.stringify(stack.startsWith(start) ? detail : stack));
}

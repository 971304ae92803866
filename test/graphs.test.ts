import { suite } from "uvu";
import * as assert from "uvu/assert";
import { graphOf } from "./graph.ts";
import { difference, tryGraph } from "./graph-run.ts";

const graphs = suite("graphs of modules");

const first = Number(process.env["CFA_GRAPHS_SEED"] ?? 1);
const count = Number(process.env["CFA_GRAPHS"] ?? 32);

/** Graphs in which CommonJS requires ES modules that fail or wait, while others are still being loaded. */
const APART: Record<number, string> = {
  19: "source runs none of the modules of a require that do not link, the executable those that do",
  27: "source goes on with a module that waits before it runs CommonJS that others import, the executable after",
};

for (let seed = first; seed < first + count; seed++) {
  const why = APART[seed];
  if (why !== undefined) console.log(`left out: graph ${seed}, ${why}`);
  (why === undefined ? graphs : graphs.skip)(`the executable of graph ${seed} logs what its source logs`, async () => {
    const verdict = await tryGraph(graphOf(seed));
    // nothing to compare with: the source is refused by Bun, or is not the same twice
    if (verdict.kind === "source fails" || verdict.kind === "source varies") return;
    assert.is(verdict.kind, "same", `npm run graphs -- 1 --seed ${seed}: ${difference(verdict)}`);
  });
}

graphs.run();

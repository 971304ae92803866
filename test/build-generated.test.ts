import { suite } from "uvu";
import * as assert from "uvu/assert";
import { drawsOf, ENVIRONMENTS, LINES, toolOf } from "./generated.ts";
import { bothOf } from "./likeness.ts";

const generated = suite("generated tools");

/** `CFA_TOOLS=1000 npm test -- build-generated` tries so many, with more lines of each; CFA_SEED goes on behind others. */
const { CFA_TOOLS, CFA_SEED = "0" } = process.env;
const count = Number(CFA_TOOLS ?? 24);
const first = Number(CFA_SEED);

for (let seed = first; seed < first + count; seed++) {
  generated(`tool ${seed} gives the same in source and as an executable`, async () => {
    const draw = drawsOf(seed);
    const source = toolOf(draw);
    const { ask } = await bothOf(source, { bytecode: false });
    const lines = Array.from({ length: CFA_TOOLS ? 10 : 4 }, () => draw(LINES));
    for (const line of lines) {
      const environments = CFA_TOOLS ? ENVIRONMENTS : [draw(ENVIRONMENTS)];
      for (const env of environments) {
        const { source: inSource, built } = await ask(line.split(" ").filter(Boolean), { env, input: "typed\n" });
        assert.equal(built, inSource, `${JSON.stringify({ line, env })} of\n${source}`);
      }
    }
  });
}

generated.run();

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { nameChunks } from "../build/bundle/chunks.ts";

const chunks = suite("the names of chunks");

/** A tool with four chunks by the names that esbuild gave: two of them differ in what they import, which is all alike. */
function filesOf([one, other, first, second]: readonly string[]) {
  const file = (name: string | undefined, text: string) => ({ name: `${name}.js`, text });
  return [
    file("tool", `import { a } from "./${one}.js";\nconst b = () => import("./${other}.js");`),
    file(one, `import "./${first}.js";\nexport const a = "chunk-NOTHINGS";`),
    file(other, `import "./${second}.js";\nexport const a = "chunk-NOTHINGS";`),
    file(first, "export const c = 1;"),
    file(second, "export const c = 2;"),
    file("zod/index", `export { a } from "../${one}.js";`),
  ];
}

const given = ["chunk-AAAAAAAA", "chunk-BBBBBBBB", "chunk-CCCCCCCC", "chunk-DDDDDDDD"];

chunks("come from what is in them, whatever esbuild named them by", () => {
  const named = nameChunks(filesOf(given));
  assert.equal(named, nameChunks(filesOf(given.toReversed())));
  const names = [...named.keys()].map((name) => name.replace(".js", "")).slice(1, 5);
  assert.equal(
    [...named],
    filesOf(names).map(({ name, text }) => [name, text]),
  );
  for (const name of names) assert.match(name, /^chunk-[0-9A-F]{8}$/);
  assert.is(new Set(names).size, 4);
});

chunks("are different where the chunks are not", () => {
  const text = "export let n = 0;";
  const named = nameChunks(given.map((name) => ({ name: `${name}.js`, text })));
  const [first = ""] = [...named.keys()].map((name) => name.replace(".js", ""));
  assert.equal(
    [...named],
    ["", "-2", "-3", "-4"].map((end) => [`${first}${end}.js`, text]),
  );
});

chunks("are none where there are no chunks", () => {
  assert.equal(nameChunks([{ name: "tool.js", text: "chunk-AAAAAAAA" }]), new Map([["tool.js", "chunk-AAAAAAAA"]]));
});

chunks.run();

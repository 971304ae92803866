import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const fromSource = import.meta.url.endsWith(".ts");

const index = file(fromSource ? "../src/index.ts" : "./index.js");

/** The runtime that comes with this `cfa`, which goes into every executable. */
export const runtime = {
  name: "@code-first-agents/tool",
  version: (JSON.parse(readFileSync(file("../package.json"), "utf8")) as { version: string }).version,
  folder: dirname(index),
  index,
  entry: file(fromSource ? "../src/entry.ts" : "./entry.js"),
  closed: file(fromSource ? "../src/closed.ts" : "./closed.js"),
  lazy: file(fromSource ? "../src/lazy.ts" : "./lazy.js"),
  commonjs: file(fromSource ? "../src/commonjs.ts" : "./commonjs.js"),
  graph: file(fromSource ? "./graph/main.ts" : "./graph.js"),
  observe: file(fromSource ? "../src/observe.ts" : "./observe.js"),
};

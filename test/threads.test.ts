import { suite } from "uvu";
import * as assert from "uvu/assert";
import { workersIn } from "../build/closed/threads.ts";

const threads = suite("workers that are started from files");

const started = [
  'new Worker("./w.ts")',
  "new globalThis.Worker('w.js', { name: 'w' })",
  'new Worker(new URL("./w.ts", import.meta.url).href, options)',
  'const url = new URL("./w.ts", import.meta.url); new Worker(url)',
  'import { Worker as W } from "node:worker_threads"; new W(import.meta.filename, { workerData: 1 })',
  'import threads from "worker_threads"; new threads.Worker(fileURLToPath(new URL("./w.ts", import.meta.url)))',
  'import * as threads from "worker_threads"; new threads.Worker(`$' + "{__dirname}/w.js`)",
  'const { Worker } = require("worker_threads"); new Worker(path.join(__dirname, "w.js"))',
  'const { Worker: W } = await import("node:worker_threads"); new W(require.resolve("./w.ts"))',
];
for (const source of started)
  threads(`are in ${source}`, () =>
    assert.equal(workersIn(`// new Worker("./comment.ts")\n${source};\n`, "a.ts"), [{ line: 2, text: `${source};` }]),
  );

const others = [
  'new Worker(URL.createObjectURL(new Blob(["1"])))',
  'new Worker("/* ./w.ts */ 1", { eval: true })',
  'import { Worker } from "queue"; new Worker("./mails.ts")',
  'class Worker {}; new Worker("./w.ts")',
  'new Pool.Worker("./w.ts")',
];
for (const source of others) threads(`are not in ${source}`, () => assert.equal(workersIn(source, "a.ts"), []));

threads.run();

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { run } from "./harness.ts";
import { cfa, type Files, folderWith, shown, steady, told, toolWith } from "./project.ts";

const closed = suite("what executables load from where they run");

/** Each name leads to code that says so; the folder is where the executable is started. */
const place = folderWith({
  "node_modules/evil-above/index.js": pwns(),
  "here/node_modules/evil/index.js": pwns(),
  "here/evil.js": pwns(),
  "here/package.json": '{ "name": "evil", "sideEffects": false, "imports": { "#evil": "./evil.js" } }',
});
const here = join(place, "here");
const names = ["evil", "evil-above", "./evil.js", "evil.js", "#evil", join(here, "evil.js"), `file://${here}/evil.js`];

/** How a package asks for a module, whose name is `name`; what it must get instead. */
const forms: [ask: string, code: string][] = [
  ["alias(name)", "MODULE_NOT_FOUND"],
  ["require(name)", "MODULE_NOT_FOUND"],
  ["module.require(name)", "MODULE_NOT_FOUND"],
  ["require.resolve(name)", "MODULE_NOT_FOUND"],
  ["require.resolve(name, { paths: [process.cwd()] })", "MODULE_NOT_FOUND"],
  ['require("module").createRequire(process.cwd() + "/x.js")(name)', "MODULE_NOT_FOUND"],
  ['require("node:module").createRequire(process.cwd() + "/x.js").resolve(name)', "MODULE_NOT_FOUND"],
  ['process.getBuiltinModule("module").createRequire(process.cwd() + "/x.js")(name)', "MODULE_NOT_FOUND"],
  ['createRequire("file://" + process.cwd() + "/x.js")(name)', "MODULE_NOT_FOUND"],
  ["loader[['require'].join()](name)", "MODULE_NOT_FOUND"],
  ["import(name)", "ERR_MODULE_NOT_FOUND"],
  ["(void 'ü', /* x */ import (/* y */ name, {}))", "ERR_MODULE_NOT_FOUND"],
  ["imports.fromModule(name)", "ERR_MODULE_NOT_FOUND"],
  ['new Function("name", "return import(name)")(name)', "ERR_MODULE_NOT_FOUND"],
  ["Function('name', 'return import(name)')(name)", "ERR_MODULE_NOT_FOUND"],
  ["eval('import(name)')", "ERR_MODULE_NOT_FOUND"],
  ["(0, eval)('import(' + JSON.stringify(name) + ')')", "ERR_MODULE_NOT_FOUND"],
  ["new Function('return import(' + JSON.stringify(name) + ')')()", "ERR_MODULE_NOT_FOUND"],
  [
    "Object.getPrototypeOf(async () => {}).constructor('name', 'return await import(name)')(name)",
    "ERR_MODULE_NOT_FOUND",
  ],
  ["new Function('ask', 'name', 'return ask(name)')(require, name)", "MODULE_NOT_FOUND"],
  ["vm.runInThisContext('(name) => import(name)', importing)(name)", "ERR_MODULE_NOT_FOUND"],
  ["vm.runInNewContext('(name) => import(name)', {}, importing)(name)", "ERR_MODULE_NOT_FOUND"],
  [
    "import(['data:text/javascript,export default (name) => import(name)'].join()).then((code) => code.default(name))",
    "ERR_MODULE_NOT_FOUND",
  ],
  ["Bun.resolveSync(name, process.cwd())", "ERR_MODULE_NOT_FOUND"],
  ["Bun.resolve(name, process.cwd())", "ERR_MODULE_NOT_FOUND"],
  ["imports.resolveSync(name)", "ERR_MODULE_NOT_FOUND"],
];
const workers: typeof forms = [
  ["new Worker(name)", "ERR_MODULE_NOT_FOUND"],
  ["new threads.Worker(name)", "ERR_MODULE_NOT_FOUND"],
  ["new imports.Thread(new URL(name, 'file:///'))", "ERR_MODULE_NOT_FOUND"],
  ["new Worker('data:text/javascript,', { preload: name })", "ERR_MODULE_NOT_FOUND"],
];

const asking = {
  "node_modules/asks/package.json": "{}",
  "node_modules/asks/imports.mjs": `export const fromModule = (name) => import(name);
    export const resolveSync = (name) => import.meta.resolveSync(name);
    export { Worker as Thread } from "node:worker_threads";`,
  "node_modules/asks/index.js": `
    const { createRequire } = require("module");
    const imports = require("./imports.mjs");
    const alias = require;
    const threads = require("worker_threads");
    const loader = { require };
    const vm = require("vm");
    const importing = { importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER };
    const codeOf = async (ask) => {
      try { return await ask(); } catch (error) { return error.code ?? error.message; }
    };
    exports.ask = async (names) => {
      const found = [];
      const asks = [${[...forms, ...workers].map(([ask]) => `(name) => ${ask}`).join(",\n")}];
      for (const ask of asks) found.push(await Promise.all(names.map((name) => codeOf(() => ask(name)))));
      return found;
    };`,
};

closed("no form of import that a package has finds anything there", async () => {
  const head = 'import { ask } from "asks";';
  const tool = await built({ ...asking, "tool.ts": toolWith({ head, value: `await ask(${JSON.stringify(names)})` }) });
  assert.equal(
    await shows(tool),
    [...forms, ...workers].map(([, code]) => names.map(() => code)),
  );
});

closed("the modules of Node and Bun are found in all forms", async () => {
  const head = 'import { ask } from "asks";';
  const value = `(await ask(["fs", "node:path", "bun", "bun:sqlite"])).slice(0, ${forms.length}).flat()`;
  const tool = await built({
    ...asking,
    "tool.ts": toolWith({ head, value: `${value}.map((module) => typeof module)` }),
  });
  const expected = forms.map(([ask]) => (ask.includes("resolve") ? "string" : "object"));
  assert.equal(
    await shows(tool),
    expected.flatMap((type) => [type, type, type, type]),
  );
});

closed("code that is given to a worker finds nothing there either, and works as it does elsewhere", async () => {
  const head = `
    import * as threads from "node:worker_threads";
    const code = \`import { parentPort, workerData } from "node:worker_threads";
      const ask = async (name) => [
        await import(name).catch((error) => error.code),
        await new Promise((done) => done(require(name))).catch((error) => error.code),
        await new Promise((done) => done(new Worker(name))).catch((error) => error.code),
      ];
      parentPort.once("message", async (names) => parentPort.postMessage([workerData, ...await Promise.all(names.map(ask))]));\`;
    const bad = "import " + ${JSON.stringify(JSON.stringify(join(here, "evil.js")))} + "; postMessage('PWNED');";
    const blob = (code: string) => URL.createObjectURL(new Blob([code]));
    const data = (code: string) => "data:text/javascript," + encodeURIComponent(code);
    const base64 = (code: string) => "data:text/javascript;base64," + btoa(code);
    const said = (worker: threads.Worker | Worker) =>
      new Promise((done) => {
        const failed = ({ message }: { message: string }) => done(/an executable loads no code/.test(message) || message);
        if (worker instanceof EventTarget) Object.assign(worker, { onmessage: ({ data }) => done(data), onerror: failed });
        else worker.once("message", done).once("error", failed);
        worker.postMessage(${JSON.stringify(names)});
      }).finally(() => worker.terminate());
    const revoked = (url: string) => { const worker = new Worker(url, { workerData: 6 }); URL.revokeObjectURL(url); return worker; };`;
  const value = `await Promise.all([
    new threads.Worker(code, { eval: true, workerData: 6 }), ...[blob, data, base64].map((form) => new Worker(form(code), { workerData: 6 })),
    revoked(blob(code)), new threads.Worker(bad, { eval: true }), ...[blob, data].map((form) => new Worker(form(bad))),
  ].map(said))`;
  const none = names.map(() => ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND", "ERR_MODULE_NOT_FOUND"]);
  const said = [6, ...none];
  assert.equal(await shows(await built({ "tool.ts": toolWith({ head, value }) })), [
    ...Array(5).fill(said),
    true,
    true,
    true,
  ]);
});

closed("an optional dependency that is not installed is not found, as at home", async () => {
  const tool = await built({
    "node_modules/opts/package.json": "{}",
    "node_modules/opts/index.js": `
      const codes = [];
      const lazy = () => require("evil-above");
      for (const ask of [lazy, lazy, () => require("@evil/scoped/x.js")])
        try { ask(); } catch (error) { codes.push([error.code, error.message]); }
      try { require("evil"); } catch (error) { codes.push([error.code, error.message]); }
      try { require("./evil.js"); } catch (error) { codes.push([error.code, error.message]); }
      exports.codes = async () => [
        ...codes,
        await import("evil").catch((error) => [error.code, error.message]),
      ];`.replace(
      '() => require("./evil.js")',
      '() => { try { require("./evil.js"); } catch (error) { throw error; } }',
    ),
    "tool.ts": toolWith({ head: 'import { codes } from "opts";', value: "await codes()" }),
  });
  const from = "/$bunfs/root/app/node_modules/opts/index.js";
  const required = (name: string) => ["MODULE_NOT_FOUND", `Cannot find module '${name}' from '${from}'`];
  assert.equal(await shows(tool), [
    required("evil-above"),
    required("evil-above"),
    required("@evil/scoped/x.js"),
    required("evil"),
    required("./evil.js"),
    ["ERR_MODULE_NOT_FOUND", "Cannot find package 'evil'"],
  ]);
});

closed("what the author guards is not found either, which is said", async () => {
  const head = `
    const codes: unknown[] = [];
    try { require("evil"); } catch (error) { codes.push(error.code); }
    try { await import("evil-above"); } catch (error) { codes.push(error.code); }
    await import("./evil.ts").catch((error) => codes.push(error.code));`;
  const says = (name: string) => `cfa: warning: "${name}" is not there, so the executable will not find it either\n`;
  const files = { "tool.ts": toolWith({ head, value: "codes" }) };
  const tool = await built(files, ["evil-above", "./evil.ts", "evil"].map(says).join(""));
  assert.equal(await shows(tool), ["MODULE_NOT_FOUND", "ERR_MODULE_NOT_FOUND", "ERR_MODULE_NOT_FOUND"]);
});

closed("what the author asks for by a require of their own is not found", async () => {
  const head = `import { createRequire } from "node:module";
    const ask = createRequire(import.meta.url);
    const codes = () => ${JSON.stringify(names)}.map((name) => { try { return ask(name); } catch (error) { return error.code; } });
    const whileLoading = codes();`;
  const value = "[...whileLoading, ...codes()]";
  const tool = await built({ "tool.ts": `#!/usr/bin/env bun\n${toolWith({ head, value })}` });
  assert.equal(
    await shows(tool),
    [...names, ...names].map(() => "MODULE_NOT_FOUND"),
  );
});

closed("import.meta.require is bundled as require is", async () => {
  const files = { "data.json": "[5]", "tool.ts": toolWith({ value: 'import.meta.require("./data.json")' }) };
  assert.equal(await shows(await built(files)), [5]);
});

closed("import.meta.resolve tells what is beside it, and of the engine's modules", async () => {
  const ask = (name: string) =>
    `(() => { try { return import.meta.resolve("${name}"); } catch (error) { return error.code; } })()`;
  const tool = await built({
    "tool.ts": toolWith({ value: `[${["./evil.js", "node:fs", "evil", "#evil"].map(ask)}]` }),
  });
  const [beside, ...others] = (await shows(tool)) as string[];
  assert.match(beside ?? "", /^file:\/\/\/.*\/root\/app\/evil\.js$/);
  assert.equal(others, ["node:fs", "ERR_MODULE_NOT_FOUND", "ERR_MODULE_NOT_FOUND"]);
});

closed("a tool that asks for nothing by name does without what would look after it", async () => {
  const hooks = async (files: Files) =>
    (await run("grep", ["-c", "--text", "__cfa_import", await built(files)])).stdout !== "0\n";
  const requires = "if (typeof require === 'function') require('fs');";
  const packages = {
    "node_modules/plain/package.json": "{}",
    "node_modules/plain/index.js": `exports.n = 1; ${requires}`,
  };
  const head = 'import { n } from "plain"; import("node:path");';
  assert.is(await hooks({ ...packages, "tool.ts": toolWith({ head, value: "n" }) }), false);
  const asks = [
    'import "asks";',
    'import "node:vm";',
    "(0, eval)('1');",
    "Bun.resolveSync;",
    "import.meta.resolve('fs');",
  ];
  for (const head of asks) assert.is(await hooks({ ...asking, "tool.ts": toolWith({ head }) }), true, head);
});

closed.run();

function pwns() {
  return 'console.error("PWNED"); module.exports = "PWNED";';
}

/** Built where the same traps lie, in the folder of the executable and above it. */
async function built(files: Files, says = ""): Promise<string> {
  const folder = folderWith(files);
  mkdirSync(join(here, "out"), { recursive: true });
  const outfile = join(here, "out/tool");
  assert.equal(steady(await cfa(folder, ["build", "tool.ts", "-o", outfile])), told(outfile, says));
  return outfile;
}

async function shows(executable: string): Promise<unknown> {
  const { stdout, stderr, code } = await run(executable, ["show"], { cwd: here });
  assert.equal([stderr, code], ["", 0]);
  const { value } = JSON.parse(stdout);
  assert.is(stdout, `${shown(value)}\n`);
  return value;
}

import { COMMONJS } from "./commonjs.ts";
import type { Module } from "./discover.ts";
import { renderFirst } from "./esmodule.ts";
import { commonsFrom, type Links, WRAPPED } from "./link.ts";
import { between } from "./names.ts";
import { asksByName } from "./unresolved.ts";

/** The start of the tool, and what stands for modules of the engine. */
export function* writeStart(modules: readonly Module[], links: Links): Generator<readonly [string, string]> {
  const { byPath, names, request } = links;
  const entry = byPath.get(request.entry) as Module;
  const isModule = entry.format === "esm";
  const { file, module } = names.named(entry.path, "code");
  const main = isModule ? { file, module } : { file: names.placed(entry.path), module: names.placed(entry.path) };
  const engine = new Set(modules.flatMap(engineModulesOf));
  const closing = modules.some(asksByName)
    ? `import "./closed.js";\n${engine.has("threads.js") ? 'import "./closed-threads.js";\n' : ""}`
    : "";
  const first = isModule ? renderFirst(commonsFrom(entry, links), "tool-first.js", links) : "";
  yield ["tool-path.js", renderPath(main)];
  if (asksForPlaces(modules)) yield ["tool-places.js", PLACES];
  if (closing !== "" || first !== "") yield ["tool-first.js", `import "./tool-path.js";\n${closing}${first}`];
  const start = closing !== "" || first !== "" ? "./tool-first.js" : "./tool-path.js";
  yield [
    "tool.js",
    `import ${JSON.stringify(start)};\n${isModule ? renderTool(module) : renderCommonTool(main.module)}`,
  ];
  if (engine.has("module.js")) yield ["module.js", MODULE];
  if (engine.has("threads.js")) yield ["threads.js", THREADS];
  if (engine.has("threads.js")) yield ["closed-threads.js", 'import "./closed.js";\n__cfa_threads();\n'];
}

/** The modules of the engine that others stand for, where a module asks for one. */
function engineModulesOf({ parsed, imports, requires, format }: Module): string[] {
  if (format === "json") return [];
  const targets = [
    ...parsed.imports.map(({ specifier, type }) => imports(specifier, type)),
    ...parsed.calls.flatMap(({ specifier, type }) => (specifier === undefined ? [] : [imports(specifier, type)])),
    ...requires.values(),
  ];
  return targets.flatMap((target) => (target.to === "engine" ? [WRAPPED[target.name] ?? ""] : []));
}

/** The tool's own module is what the process runs, as in source: guards ask for that. */
const renderPath = ({
  file,
  module,
}: {
  file: string;
  module: string;
}) => `const separator = process.platform === "win32" ? "\\\\" : "/";
const name = Bun.isStandaloneExecutable ? ${JSON.stringify(module)} : ${JSON.stringify(file)};
Bun.main = process.argv[1] = [import.meta.dirname, ...name.split("/")].join(separator);
`;

export const asksForPlaces = (modules: readonly Module[]) => modules.some(({ code }) => code.includes("realpath"));

/** The modules of an executable are real, though no file system has them: who looks whether it is the main one follows links first. */
const PLACES = `const fs = process.getBuiltinModule("node:fs");
const isOurs = (path) => String(path).replaceAll("\\\\", "/").startsWith(import.meta.dirname.replaceAll("\\\\", "/"));
for (const [owner, name] of [[fs, "realpathSync"], [fs.promises, "realpath"]]) {
  const real = owner[name];
  owner[name] = Object.assign((path, ...options) => (isOurs(path) ? String(path) : real(path, ...options)), real);
}
`;

const renderTool = (module: string) => `import * as tool from ${JSON.stringify(between("tool.js", module))};
export default tool.default;
`;

const renderCommonTool = (name: string) => `import { load } from "./framework.js";
import ${JSON.stringify(`./${COMMONJS}`)};
export default load(${JSON.stringify(name)}, true);
`;

const MODULE = `import { closedModule, createRequire } from "./framework.js";
import "./${COMMONJS}";
export * from "node:module";
const Module = closedModule();
export { createRequire, Module };
export default Module;
`;

const NAMES = `BroadcastChannel, getEnvironmentData, isMainThread, markAsUntransferable, MessageChannel, MessagePort,
  moveMessagePortToContext, parentPort, receiveMessageOnPort, resourceLimits, SHARE_ENV, setEnvironmentData, threadId, Worker,
  workerData`;
const THREADS = `const threads = process.getBuiltinModule("node:worker_threads");
export const { ${NAMES} } = threads;
export default threads;
`;

import { workersIn } from "../closed/threads.ts";
import type { Module } from "./discover.ts";
import { packageOf } from "./installed.ts";
import { type Links, statementsOf } from "./link.ts";
import type { SyntaxFault } from "./parse.ts";
import type { Fault } from "./request.ts";
import { frameAt, lineAt, nameIn, placeIn, type Text } from "./where.ts";

/** Thrown for what cannot be in an executable. */
export class GraphFault extends Error {
  readonly fault: Fault;
  constructor(message: string, hint: string) {
    super(message);
    this.fault = { message, hint };
  }
}

export const isFault = (error: unknown): error is GraphFault => error instanceof GraphFault;

const MEND = "mend it in the source";

export const syntaxFault = (text: Text, { message, at }: SyntaxFault, root: string) =>
  new GraphFault(`${placeIn(text, at, root)}: ${message}\n${frameAt(text.code, at)}`, MEND);

/** Throws for what stands in a module of the author's that no executable can hold. */
export function refuse(module: Module, links: Links): void {
  if (!module.isAuthors) return;
  refuseMissing(module, links);
  refuseComputed(module, links);
  refuseWorkers(module, links);
}

function refuseMissing(module: Module, links: Links): void {
  const { root } = links.request;
  for (const { specifier, target, at, names, attributes } of statementsOf(module)) {
    const place = placeIn(module, at.start, root);
    const frame = frameAt(module.code, at.start);
    if (target.to === "nowhere")
      throw new GraphFault(
        `${place} imports ${JSON.stringify(specifier)}, which is not there\n${frame}`,
        hintFor(specifier),
      );
    if (
      target.to === "data" &&
      target.type === "sqlite" &&
      !/\bembed\b/.test(module.code.slice(attributes.start, attributes.end))
    )
      throw new GraphFault(
        `${place} opens a database that is not in the executable\n${frame}`,
        'embed it: with { type: "sqlite", embed: "true" }',
      );
    const exported = target.to === "module" ? exportedBy(target.path, links) : undefined;
    const unknown = names === "all" || !exported ? undefined : [...names].find((name) => !exported.has(name));
    if (target.to === "module" && unknown !== undefined)
      throw new GraphFault(
        `${place} imports ${JSON.stringify(unknown)}, which ${JSON.stringify(nameIn(target.path, root))} does not export\n${frame}`,
        MEND,
      );
  }
}

function hintFor(specifier: string): string {
  const [name] = /^(@[^/]+\/)?[^/.#~@:][^/:]*(?=\/|$)/.exec(specifier) ?? [];
  return name ? `npm install ${name}` : MEND;
}

/** The names that a module exports, as far as all of them are known. */
function exportedBy(path: string, links: Links, seen = new Set<string>()): ReadonlySet<string> | undefined {
  const module = links.byPath.get(path);
  if (module?.format !== "esm") return undefined;
  if (seen.has(path)) return new Set();
  seen.add(path);
  const names = new Set(module.parsed.exports);
  if (!names.has("*")) return names;
  for (const { target, names: taken } of statementsOf(module)) {
    if (taken !== "all") continue;
    const others = target.to === "module" ? exportedBy(target.path, links, seen) : undefined;
    if (!others) return undefined;
    for (const name of others) names.add(name);
  }
  return names;
}

const TEXT =
  'give it its code: import code from "./worker.ts" with { type: "text" }, new Worker(URL.createObjectURL(new Blob([code])))';

/** An executable holds one program, so a worker has no file to start from. */
function refuseWorkers(module: Module, { request }: Links): void {
  const [worker] = workersOf(module);
  if (!worker) return;
  const place = `${nameIn(module.path, request.root)}:${worker.line}`;
  throw new GraphFault(`${place} starts a worker from a file: ${worker.text}`, TEXT);
}

/** What is said of packages that do. */
export function workerWarnings(modules: readonly Module[]): string[] {
  const starting = modules.filter((module) => !module.isAuthors && workersOf(module).length > 0);
  const names = starting.flatMap(({ path }) => packageOf(path)?.name ?? []);
  return [...new Set(names)].map(
    (name) =>
      `${JSON.stringify(name)} starts a worker from a file, which an executable does not have: go without that part of it`,
  );
}

const workersOf = ({ code, original = code, path, format }: Module) =>
  format !== "json" && /\bWorker\b/.test(original) ? workersIn(original, path) : [];

const COMPUTED = 'import each file by its own name, such as { add: () => import("./cmds/add.ts") }';

function refuseComputed(module: Module, { request }: Links): void {
  const call = module.parsed.calls.find(({ specifier }) => specifier === undefined);
  const at = call?.start ?? module.places.patterns.find(({ isOwn }) => !isOwn)?.at;
  if (at === undefined) return;
  const place = placeIn(module, at, request.root);
  throw new GraphFault(`${place} imports what only shows at run time: ${lineAt(module.code, at).trim()}`, COMPUTED);
}

import { mayEvaluate } from "../closed/evals.ts";
import type { Module } from "./discover.ts";

/** Whether a module may ask for another by a name that only shows when it runs, by other ways than `require` of CommonJS. */
export function asksByName(module: Module): boolean {
  const { code, parsed, format, places } = module;
  if (format === "json") return false;
  const isEngines = (specifier: string) => /^(node:)?(module|vm|worker_threads)$/.test(specifier);
  return (
    parsed.calls.some(({ specifier }) => specifier === undefined) ||
    parsed.imports.some(({ specifier }) => isEngines(specifier)) ||
    [...module.requires.keys()].some(isEngines) ||
    places.metas.length > 0 ||
    ASKING.test(code) ||
    (EVALUATING.test(code) && mayEvaluate(parsed.program()))
  );
}

/** The words without which nothing makes code of text: a tree costs more than all else. */
const EVALUATING = /\b(?:eval|ShadowRealm|Function|constructor)\b|\\u/;
const ASKING = /\bWorker\b|\bBun\s*\.\s*resolve|\bgetBuiltinModule\b(?!\("node:(?!module")[\w/]+"\))/;

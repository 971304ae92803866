import { parseSync } from "oxc-parser";
import type { Node } from "../graph/tree.ts";
import { search } from "./search.ts";

/** What in a source of CommonJS means something else in strict code, and on which line. */
export type Sloppy = { line: number; what: string };

/**
 * The first thing that does; undefined where a source may as well be strict code of an ES module. `program`: its tree as a
 * script, where there is one.
 */
export function sloppyIn(code: string, program: () => unknown = () => parsed(code).program): Sloppy | undefined {
  const isStrict = startsStrict(code);
  if (isStrict && !OF_MODULES.test(code)) return undefined;
  const [refused] = parsed(`${START}${code}${END}`, "module", true).errors;
  if (refused) {
    if (parsed(`${START}${code}${END}`).errors.length > 0) return undefined; // it runs nowhere
    return { line: lineAt(code, (refused.labels[0]?.start ?? 0) - START.length), what: refused.message };
  }
  if (isStrict || !MAY_DIFFER.test(code)) return undefined;
  const found = search(program() as Node);
  return found && { line: lineAt(code, found.node.start), what: found.what };
}

/** Without one of these nothing differs that a parser does not refuse; a look at the text costs less than a tree. */
const MAY_DIFFER = /=|\+\+|--|\b(?:this|arguments|caller|eval|delete|function|in|of)\b/;
/** What strict code may have, and code of an ES module may not. */
const OF_MODULES = /\bawait\b|<!--|-->|\\u/;

const START = "(function (exports, require, module, __filename, __dirname) {";
const END = "\n})";

const parsed = (code: string, sourceType: "script" | "module" | "commonjs" = "commonjs", showSemanticErrors = false) =>
  parseSync("source.cjs", code, { sourceType, lang: "js", showSemanticErrors });
const lineAt = (code: string, at: number) => code.slice(0, Math.max(0, at)).split("\n").length;

function startsStrict(code: string): boolean {
  const skipped = /\s+|\/\/.*|\/\*[\s\S]*?\*\//y;
  let at = 0;
  while (skipped.test(code)) at = skipped.lastIndex;
  return /^(["'])use strict\1[ \t]*(;|\r?\n\s*[\w$])/.test(code.slice(at, at + 200));
}

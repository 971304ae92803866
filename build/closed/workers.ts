import type { Metafile } from "esbuild";
import { isAuthors, isSource, sourceOf } from "../bundle/inputs.ts";
import { BuildError } from "../errors.ts";
import { type Token, tokensOf } from "../rewrite/tokens.ts";

/** An executable holds one program, so a worker has no file to start from. Where it shows in the author's files, it is refused. */
export function refuseWorkers({ inputs }: Metafile, root: string): void {
  for (const file of Object.keys(inputs)) {
    if (!isSource(file) || !isAuthors(file, root)) continue;
    const source = sourceOf(file, root) ?? "";
    const at = /\bWorker\b/.test(source) ? workerIn(tokensOf(source) ?? []) : undefined;
    if (at === undefined) continue;
    const line = source.slice(0, at).split("\n").length;
    throw new BuildError(`${file}:${line} starts a worker from a file: ${source.split("\n")[line - 1]?.trim()}`, {
      hint: 'give it its code: import code from "./worker.ts" with { type: "text" }, new Worker(URL.createObjectURL(new Blob([code])))',
    });
  }
}

/** Where the first worker is made of a file. */
function workerIn(tokens: readonly Token[]): number | undefined {
  const names = workersIn(tokens);
  return tokens.find(({ text }, index) => {
    if (text !== "new") return false;
    let open = index + 1;
    while (/^[\w$.]+$/.test(tokens[open]?.text ?? "")) open++;
    const callee = tokens.slice(index + 1, open).map((token) => token.text);
    if (tokens[open]?.text !== "(" || !names.has(callee.join(""))) return false;
    const given = tokens.slice(open + 1, tokens[open]?.match);
    return !given.some((token) => token.text === "eval") && isFile(tokens, open + 1);
  })?.at;
}

/** What stands for a Worker: the global, where nothing else has its name, and what comes from Node's module. */
function workersIn(tokens: readonly Token[]): Set<string> {
  const isBound = ({ text }: Token, index: number) => text === "Worker" && BINDING.test(tokens[index - 1]?.text ?? "");
  const names = new Set(["globalThis.Worker", "self.Worker", ...(tokens.some(isBound) ? [] : ["Worker"])]);
  tokens.forEach(({ kind, text }, index) => {
    if (kind !== "string" || !/^.(node:)?worker_threads.$/.test(text)) return;
    for (const name of namesFrom(tokens, index)) names.add(name);
  });
  return names;
}

const BINDING = /^([{,(]|as|import|class|function|const|let|var)$/;

/** What an import or a declaration that ends with the name of Node's module makes of it. */
function namesFrom(tokens: readonly Token[], end: number): string[] {
  const start = tokens.findLastIndex(
    ({ text }, index) => index < end && /^(import|const|let|var)$/.test(text) && tokens[index + 1]?.text !== "(",
  );
  const clause = tokens.slice(start + 1, end);
  const stop = clause.findIndex(({ text }) => text === "from" || text === "=");
  return clause.slice(0, stop).flatMap(({ kind, text }, index) => {
    const [before, next, alias] = [clause[index - 1]?.text ?? "", clause[index + 1]?.text ?? "", clause[index + 2]];
    if (kind !== "name" || text === "as") return [];
    if (text === "Worker" && before !== "as") return [/^(as|:)$/.test(next) ? (alias?.text ?? "") : text];
    return /^(|as)$/.test(before) ? [`${text}.Worker`] : [];
  });
}

/** Whether the expression that begins here is the name of a file, as far as that shows; it may lead on to another one. */
function isFile(tokens: readonly Token[], index: number, steps = 9): boolean {
  if (steps === 0) return false; // constants of several functions may seem to stand for one another
  const [text = "", next = ""] = tokens.slice(index, index + 2).map((token) => token.text);
  const ahead = tokens.slice(index, index + 4).map((token) => token.text);
  if (/^["'`]/.test(text)) return text === "`${" ? isFile(tokens, index + 1, steps - 1) : PATH.test(text.slice(1));
  const [call = ""] =
    /^(newURL|path\.join|path\.resolve|join|resolve|fileURLToPath|pathToFileURL)\(/.exec(ahead.join("")) ?? [];
  if (call) return isFile(tokens, index + ahead.indexOf("(") + 1, steps - 1);
  if (/^(import\.meta|require\.resolve|__filename|__dirname)/.test(ahead.join(""))) return true;
  if (!/^[),.}]/.test(next)) return false;
  const declared = tokens.findIndex(
    (token, at) => token.text === text && tokens[at - 1]?.text === "const" && tokens[at + 1]?.text === "=",
  );
  return declared >= 0 && isFile(tokens, declared + 2, steps - 1);
}

/** No code, which may begin with a comment or hold the name of a file. */
const PATH = /^(\.{0,2}\/(?![/*])|file:|[^:;\s"'(]+\.[cm]?[jt]sx?["'`]$)/;

/** A piece of a TypeScript source that is neither white space nor a comment. */
export type Token = {
  kind: "name" | "string" | "template" | "number" | "regex" | "punctuator";
  text: string;
  /** Where it starts in the source. */
  at: number;
  /** Of a bracket: the index of the token that closes or opens it. */
  match?: number;
};

/** Splits a source, without JSX, into its tokens; undefined where that cannot be done for certain. */
export function tokensOf(source: string): Token[] | undefined {
  const tokens: Token[] = [];
  const open: number[] = []; // the brackets, and the templates that an expression interrupts
  const scanner = new RegExp(SCANNER, "yu");
  while (scanner.lastIndex < source.length) {
    const at = scanner.lastIndex;
    const { groups } = scanner.exec(source) ?? {};
    if (!groups) return undefined;
    const [kind, text] = Object.entries(groups).find(([, text]) => text !== undefined) as [string, string];
    if (kind === "blank") continue;
    let token: Token = { kind: kind as Token["kind"], text, at };
    if (kind === "slash") {
      const slash = readSlash(source, at, tokens);
      if (!slash) return undefined;
      token = slash;
    } else if (text === "}" && tokens[open.at(-1) ?? -1]?.kind === "template") {
      token = {
        kind: "template",
        text: (/^\}(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)/.exec(source.slice(at)) ?? [""])[0],
        at,
      };
      if (token.text === "") return undefined;
    }
    scanner.lastIndex = at + token.text.length;
    if (!pair(token, tokens, open)) return undefined;
    tokens.push(token);
  }
  return open.length === 0 ? tokens : undefined;
}

const SCANNER = [
  String.raw`(?<blank>\s+|\/\/.*|\/\*[\s\S]*?\*\/|(?<![\s\S])#!.*)`,
  String.raw`(?<name>[#@]?[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*)`,
  String.raw`(?<number>\.?\d(?:[eE][-+]?\d|[\w.])*)`,
  String.raw`(?<string>"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*')`,
  "(?<template>`(?:[^`\\\\$]|\\\\[\\s\\S]|\\$(?!\\{))*(?:`|\\$\\{))",
  String.raw`(?<slash>\/)`,
  String.raw`(?<punctuator>=>|\.{3}|\?\.(?!\d)|\+\+|--|[=!]==?|[<>]=|(?:\*\*|&&|\|\||\?\?|<<|>{2,3}|[-+*%&|^])=|&&|\|\||\?\?|[{}()[\]<>;,.?:~!=+*%&|^-])`,
].join("|");

/** A slash divides, or begins a regular expression: what stands before it decides, where it can be told. */
function readSlash(source: string, at: number, tokens: readonly Token[]): Token | undefined {
  const last = tokens.at(-1);
  if (last?.text === "}") return undefined; // of a block, or of an object
  if (last && divides(last, tokens)) return { kind: "punctuator", text: "/", at };
  const [text] = /^\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/.exec(source.slice(at)) ?? [];
  return text === undefined ? undefined : { kind: "regex", text, at };
}

function divides({ kind, text, match }: Token, tokens: readonly Token[]): boolean {
  if (kind === "name") return !BEFORE_A_VALUE.has(text);
  if (text === ")") return !/^(if|while|for|with)$/.test(tokens[(match ?? 0) - 1]?.text ?? "");
  if (kind === "template") return text.endsWith("`");
  return kind !== "punctuator" || text === "]" || text === "++" || text === "--";
}

const BEFORE_A_VALUE = new Set(
  "return typeof case in of delete void throw new else do yield await instanceof".split(" "),
);

const CLOSING: Record<string, string> = { ")": "(", "]": "[", "}": "{" };

/** Finds the partner of a closing bracket; false where there is none. */
function pair(token: Token, tokens: Token[], open: number[]): boolean {
  const { kind, text } = token;
  const isPart = kind === "template" && text.startsWith("}");
  const opener = isPart ? "${" : kind === "punctuator" ? CLOSING[text] : undefined;
  if (opener !== undefined) {
    const partner = open.pop();
    const before = tokens[partner ?? -1];
    if (partner === undefined || !before?.text.endsWith(opener)) return false;
    token.match = partner;
    before.match = tokens.length;
  }
  if (kind === "template" ? text.endsWith("${") : kind === "punctuator" && /^[([{]$/.test(text))
    open.push(tokens.length);
  return true;
}

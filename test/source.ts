import * as esbuild from "esbuild";

/** Whether a source has to do with the global `process`, by esbuild's understanding. */
export function touches(source: string): boolean {
  const { code } = esbuild.transformSync(source, { loader: "ts", format: "esm", define: { process: "TOUCHED" } });
  return /\bTOUCHED\b|\bprocess\b.* = globalThis/.test(code);
}

/** The functions with a body of their own lines, in source as Biome formats it. */
export function functionsIn(source: string): { name: string; lines: number }[] {
  const lines = source.split("\n");
  return lines.flatMap((line, start) => {
    const indent = /^ */.exec(line)?.[0] ?? "";
    const head = line.trim();
    if (!/\bfunction\b|=> \{$|^(?!if|for|while|switch|catch|else)[#\w<>, ]+\(/.test(head) || !/[{(]$/.test(head))
      return [];
    const end = lines.findIndex((other, index) => index > start && other.startsWith(`${indent}}`));
    const [, name = head] = /(?:function|const) ([\w$]+)|^(?:async )?(#?\w+)\(/.exec(head)?.filter(Boolean) ?? [];
    return end < 0 ? [] : [{ name, lines: end - start + 1 }];
  });
}

/** Whether nothing of a source is left at run time. */
export function isOnlyTypes(source: string): boolean {
  return esbuild.transformSync(source, { loader: "ts", format: "esm" }).code.trim() === "";
}

import { relative, sep } from "node:path";

/** A text, and the file that it stands in. */
export type Text = { path: string; code: string };

/** A place in a file, as an author looks it up: the file, the line and the column, which count from 1. */
export const placeIn = ({ path, code }: Text, at: number, root: string): string =>
  `${nameIn(path, root)}:${lineOf(code, at)}`;

/** A file as its author knows it. */
export function nameIn(path: string, root: string): string {
  const fromRoot = relative(root, path).replaceAll(sep, "/");
  return fromRoot.startsWith("../") ? path : fromRoot;
}

/** The line, from 1, of a place. */
export const lineOf = (code: string, at: number): number => code.slice(0, at).split("\n").length;

/** The text of the line that a place is in. */
export const lineAt = (code: string, at: number): string => code.split("\n")[lineOf(code, at) - 1] ?? "";

/** The line of a place, and under it a mark where in it that is. */
export function frameAt(code: string, at: number): string {
  const column = at - (code.lastIndexOf("\n", at - 1) + 1);
  return `\n    ${lineAt(code, at)}\n    ${" ".repeat(column)}^\n`;
}

import { readFileSync } from "node:fs";
import { join, sep } from "node:path";

const FOLDER = `${sep}node_modules${sep}`;

/** Whether a file is of a package that is installed. */
export const isInstalled = (path: string): boolean => path.includes(FOLDER);

/** The package that a file is installed with, and its folder. */
export function packageOf(path: string): { name: string; folder: string } | undefined {
  if (!isInstalled(path)) return undefined;
  const start = path.lastIndexOf(FOLDER) + FOLDER.length;
  const [name] = /^(@[^/\\]+[/\\])?[^/\\]+/.exec(path.slice(start)) ?? [];
  return name === undefined
    ? undefined
    : { name: name.replaceAll(sep, "/"), folder: path.slice(0, start + name.length) };
}

/** What `package.json` of a folder says; undefined where there is none that can be read. */
export function manifestIn(folder: string): { name?: string; version?: string; type?: string } | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { name?: string };
  } catch {
    return undefined;
  }
}

import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { runtime } from "../runtime.ts";

// Whose the files are that esbuild has put into a bundle, by the names that it gives them.

export const isRuntimes = (file: string, root: string) => dirname(resolve(root, file)) === runtime.folder;
/** Whether a file is of a package that the tool depends on; the runtime may be installed among them. */
export const isPackages = (file: string, root: string) =>
  /(^|[\\/])node_modules[\\/]/.test(file) && !isRuntimes(file, root);
export const isAuthors = (file: string, root: string) => !isPackages(file, root) && !isRuntimes(file, root);
/** Whether a file is of Zod's own packages. */
export const isZods = (file: string) => /(^|\/)node_modules\/zod(-to-json-schema)?\//.test(file);
/** Whether an input of a bundle is a file with code, and nothing that a plugin made. */
export const isSource = (file: string) => /^(?![\w()<>-]{2,}:).*\.[cm]?[jt]sx?$/.test(file);

/** Nothing where it cannot be read: esbuild writes a backslash in a name as a slash. */
export function sourceOf(file: string, root: string): string | undefined {
  try {
    return readFileSync(resolve(root, file), "utf8");
  } catch {
    return undefined;
  }
}

import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./harness.ts";
import { type Files, folderWith } from "./project.ts";

/** A new folder with these files, which run from source as well: this package and zod are found above them. */
export function linkedFolder(files: Files): string {
  const folder = folderWith(files);
  const packages = join(dirname(folder), "node_modules");
  mkdirSync(join(packages, "@code-first-agents"), { recursive: true });
  symlinkSync(root, join(packages, "@code-first-agents/tool"));
  symlinkSync(join(root, "node_modules/zod"), join(packages, "zod"));
  return folder;
}

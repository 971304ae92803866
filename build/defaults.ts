import { resolve } from "node:path";
import { BuildError, quote } from "./errors.ts";
import type { BuildOptions } from "./plan.ts";

/** The options that `package.json` may hold under `"cfa"`, and what they are. */
const KINDS = {
  outfile: "string",
  outdir: "string",
  targets: "list",
  bun: "string",
  bunDir: "string",
  bytecode: "boolean",
  minify: "boolean",
  prelude: "boolean",
  sbom: "boolean",
  licenses: "boolean",
  archive: "boolean",
  timeout: "number",
} as const;

export type Defaults = Pick<BuildOptions, keyof typeof KINDS>;

/** Reads the options that a package has; paths start from its own folder. */
export function readDefaults(cfa: unknown = {}, root: string): Defaults {
  if (typeof cfa !== "object" || cfa === null || Array.isArray(cfa)) throw wrong("it is no object");
  for (const [key, value] of Object.entries(cfa)) {
    const kind = Object.hasOwn(KINDS, key) && KINDS[key as keyof typeof KINDS];
    if (!kind) throw wrong(`there is no option ${quote(key)}`);
    if (kindOf(value) !== kind) throw wrong(`${quote(key)} is no ${kind === "list" ? "list of strings" : kind}`);
  }
  const defaults: Defaults = { ...cfa };
  for (const key of ["outfile", "outdir", "bun", "bunDir"] as const)
    if (defaults[key]) defaults[key] = resolve(root, defaults[key]);
  return defaults;
}

function kindOf(value: unknown): string {
  return Array.isArray(value) && value.every((one) => typeof one === "string") ? "list" : typeof value;
}

function wrong(why: string): BuildError {
  return new BuildError(`the key "cfa" in package.json: ${why}`, {
    hint: `its options are ${Object.keys(KINDS).join(", ")}`,
  });
}

import { dirname } from "node:path";
import type { OnResolveArgs, PluginBuild, ResolveResult } from "esbuild";
import { readPackageJSON } from "pkg-types";

/** Marks our own questions to esbuild, which come by the same plugins. */
export const ASKED = Symbol("asked");

/** Resolves from the first of some folders that can. */
export async function resolveFrom(
  build: PluginBuild,
  { path, kind, importer }: OnResolveArgs,
  folders: string[],
): Promise<ResolveResult> {
  const [resolveDir, ...others] = folders;
  const found = await build.resolve(path, { kind, importer, resolveDir: resolveDir as string, pluginData: ASKED });
  return found.errors.length > 0 && others.length > 0
    ? resolveFrom(build, { path, kind, importer } as OnResolveArgs, others)
    : found;
}

/** The package of this name that a file belongs to; it may have others inside. */
export async function packageNamed(path: string, name: string): Promise<{ version?: string }> {
  const folder = dirname(path);
  const found = await readPackageJSON(folder).catch(() => ({}) as { name?: string; version?: string });
  return found.name === name || folder === path ? found : packageNamed(folder, name);
}

export function exactly(text: string): RegExp {
  return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")}$`);
}

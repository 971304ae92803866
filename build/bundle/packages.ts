import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type PackageJson, readPackageJSON } from "pkg-types";

/** An npm package that is inside an executable. */
export type Package = {
  name: string;
  version: string;
  /** As the package declares it, mostly an SPDX expression. */
  license?: string | undefined;
  folder: string;
};

/**
 * The packages that files belong to, by name and version, each once. That of the tool itself, whose folder is `root`, is none
 * of them; that of the runtime in its folder always is one.
 */
export async function packagesOf(files: readonly string[], root: string, runtime: string): Promise<Package[]> {
  const folders = new Set(files.map(dirname));
  const packages = await Promise.all(
    [...folders].map((folder) => packageAround(folder, folder === runtime ? undefined : root)),
  );
  const found = packages.filter((one) => one !== undefined);
  const byKey = new Map(found.map((one) => [`${one.name}@${one.version}`, one]));
  return [...byKey.values()].sort((one, other) => compare(one.name, other.name) || compare(one.version, other.version));
}

const compare = (one: string, other: string) => (one === other ? 0 : one < other ? -1 : 1);

/** The nearest folder with a name and a version: packages have others inside that only say what kind of module they are. */
async function packageAround(folder: string, root: string | undefined): Promise<Package | undefined> {
  if (folder === root) return undefined;
  const file = join(folder, "package.json");
  const { name, version, ...rest } = await readPackageJSON(file).catch((): PackageJson => ({}));
  if (name && version) return { name, version, license: licenseOf(rest), folder };
  const above = dirname(folder);
  return above === folder ? undefined : packageAround(above, root);
}

/** There were other forms before SPDX: an object with a type, and a list of those. */
function licenseOf({ license, licenses }: Record<string, unknown>): string | undefined {
  const declared = [license ?? licenses ?? []].flat();
  const names = declared.map((one) => (typeof one === "object" && one !== null && "type" in one ? one.type : one));
  const texts = names.filter((name) => typeof name === "string" && name !== "");
  return texts.length > 1 ? `(${texts.join(" OR ")})` : (texts[0] as string | undefined);
}

/** The texts of a package's licence that it comes with. */
export async function licenseTexts({ folder }: Package): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => LICENSE.test(name)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8").catch(() => "")));
  return texts.map((text) => text.replaceAll("\r\n", "\n").trim()).filter(Boolean);
}

const LICENSE = /^(licen[cs]e|copying|notice)(?!.*\.([cm]?[jt]sx?|json|map)$)/i;

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { readPackageJSON } from "pkg-types";
import { BuildError, quote } from "../errors.ts";
import type { Plan } from "../plan.ts";
import type { Making } from "../release/products.ts";
import { coreOf, type EngineSums } from "../release/record.ts";
import { inParallel } from "../system/parallel.ts";
import { inScratch } from "../system/scratch.ts";
import { cacheFolder } from "./cache.ts";
import { packWithNpm } from "./npm.ts";
import { extractFile } from "./tarball.ts";
import type { Target } from "./targets.ts";

/** An executable of Bun's that a tool is put into. */
export type Base = { path: string; sums: EngineSums };

export type Places = {
  /** Holds packages or tarballs of Bun; nothing else is looked at then. */
  bunDir: string | undefined;
  /** Where bases are kept, with their sums. */
  cache: string;
  /** The tool's package: what is installed there serves, and its settings for npm count. */
  root: string;
};

/** What there is to make, each with the Bun that goes into it; `fetch` is told of those for other machines. */
export async function findEngines(
  { products, host, engine, bunDir, root }: Plan,
  fetch: <T>(work: () => Promise<T>, target: Target) => Promise<T>,
): Promise<Making[]> {
  const cache = cacheFolder();
  return inParallel(products, async (product) => {
    const { target } = product;
    if (target !== host) {
      const find = () => findBase(target, engine.version, { bunDir, cache, root });
      return { ...product, base: await fetch(find, target) };
    }
    const sums = sumsOfEngine(engine.path, cache); // which is ready when it is asked for, at the end
    sums.catch(() => {});
    return { ...product, base: { path: engine.path, sums } };
  });
}

/**
 * Finds Bun for a target in exactly this version: in the folder that is named, or else in the cache, among the installed
 * packages, or at npm's registry. Its sum is kept when it is first seen, and compared each time that it is used; throws a
 * BuildError where there is none or where it is another.
 */
export async function findBase(target: Target, version: string, places: Places): Promise<Base> {
  const kept = join(places.cache, `bun-${version}`, `${target.name}${target.extension}`);
  const found = places.bunDir === undefined ? await known(target, version, kept, places) : undefined;
  const path = found ?? (await unpacked(target, version, kept, places));
  return { path, sums: await checked(path, kept) };
}

async function known(target: Target, version: string, kept: string, { root }: Places): Promise<string | undefined> {
  if (await isThere(kept)) return kept;
  for (const from of [join(root, "_"), import.meta.url]) {
    const folder = packageSeen(createRequire(from), target);
    if (folder && (await versionOf(folder)) === version) return join(folder, target.binary);
  }
  return undefined;
}

/** From a folder that is installed as it stands, or from a tarball, which is unpacked into the cache. */
async function unpacked(target: Target, version: string, kept: string, { bunDir, root }: Places): Promise<string> {
  if (bunDir === undefined)
    return withFolderIn(dirname(kept), async (folder) => {
      await packWithNpm(`${target.package}@${version}`, folder, root);
      const [tarball = ""] = await readdir(folder);
      return unpack(join(folder, tarball), target, kept);
    });
  const folder = await folderIn(bunDir, target, version);
  if (folder) return join(folder, target.binary);
  const tarball = join(bunDir, `${target.package.replace("@", "").replace("/", "-")}-${version}.tgz`);
  if (await isThere(tarball)) return (await isThere(kept)) ? kept : unpack(tarball, target, kept);
  throw new BuildError(`${quote(bunDir)} has no Bun ${version} for ${target.name}`, {
    hint: `npm pack ${target.package}@${version}, run there, puts it in`,
  });
}

async function folderIn(bunDir: string, target: Target, version: string): Promise<string | undefined> {
  const name = target.package.split("/")[1] ?? "";
  for (const above of [["node_modules", "@oven"], ["@oven"], []]) {
    const folder = join(bunDir, ...above, name);
    if ((await versionOf(folder)) === version && (await isThere(join(folder, target.binary)))) return folder;
  }
  return undefined;
}

async function unpack(tarball: string, target: Target, kept: string): Promise<string> {
  return withFolderIn(dirname(kept), async (folder) => {
    const binary = join(folder, "binary");
    const found = await extractFile(tarball, `package/${target.binary}`, binary).catch((cause: Error) => {
      throw new BuildError(`the tarball ${quote(tarball)} is damaged: ${cause.message}`, {
        cause,
        hint: "get it again",
      });
    });
    if (!found) throw new BuildError(`${quote(tarball)} holds no ${target.binary}`, { hint: "get it again" });
    await chmod(binary, 0o755);
    await checked(binary, kept);
    await rename(binary, kept); // another build may have been faster, with the same bytes
    return kept;
  });
}

/** The sums of a file, which must be the ones that are kept, or are kept from now on. */
async function checked(path: string, kept: string): Promise<EngineSums> {
  const record = `${kept}.json`;
  const [sums, known] = await Promise.all([sumsOf(path), readJson<EngineSums>(record)]);
  if (known === undefined) await keep(record, sums);
  if (known === undefined || known.sha256 === sums.sha256) return sums;
  throw new BuildError(`${quote(path)} is not the Bun that it was: its SHA-256 is not the one in ${quote(record)}`, {
    hint:
      path === kept
        ? `delete ${quote(path)}: the next build gets it again`
        : `get it again, or delete ${quote(record)}`,
  });
}

/** The sums of the engine that runs here. It is read once: a file that has not changed since has the sums that it had. */
export async function sumsOfEngine(path: string, cache: string): Promise<EngineSums> {
  const { size, ino, mtimeMs, ctimeMs } = await stat(path);
  const key = createHash("sha256")
    .update(JSON.stringify([path, size, ino, mtimeMs, ctimeMs, coreOf(size)]))
    .digest("hex");
  const record = join(cache, "engines", `${key}.json`);
  const known = await readJson<EngineSums>(record);
  if (known) return known;
  const sums = await sumsOf(path);
  await keep(record, sums);
  return sums;
}

async function sumsOf(path: string): Promise<EngineSums> {
  const { size: bytes } = await stat(path);
  const { from, to } = coreOf(bytes);
  const [whole, core] = [createHash("sha256"), createHash("sha256")];
  let at = 0;
  for await (const piece of createReadStream(path, { highWaterMark: 2 ** 20 })) {
    whole.update(piece);
    core.update(piece.subarray(Math.max(0, from - at), Math.max(0, to - at)));
    at += piece.length;
  }
  return { sha256: whole.digest("hex"), bytes, core: core.digest("hex") };
}

async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as T;
  } catch {
    return undefined; // not there, or only half of it: then it is made anew
  }
}

/** What cannot be kept is looked at anew the next time. */
async function keep(path: string, value: unknown): Promise<void> {
  await withFolderIn(dirname(path), async (folder) => {
    await writeFile(join(folder, "new"), `${JSON.stringify(value)}\n`);
    await rename(join(folder, "new"), path);
  }).catch(() => {});
}

/** A folder of our own, on the same disk, from which a file can be renamed into place. */
function withFolderIn<T>(parent: string, work: (folder: string) => Promise<T>): Promise<T> {
  return inScratch(join(parent, "base"), work, "name another place for the cache with the variable XDG_CACHE_HOME");
}

function packageSeen(require: NodeJS.Require, target: Target): string | undefined {
  try {
    return dirname(require.resolve(`${target.package}/package.json`));
  } catch {
    return undefined;
  }
}

async function versionOf(folder: string): Promise<string | undefined> {
  return (await readPackageJSON(folder).catch(() => undefined))?.version;
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}

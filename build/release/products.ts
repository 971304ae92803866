import { open, readlink, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import type { Engine } from "../engine/bun.ts";
import { readTargets, type Target, targetNamed, targetOf } from "../engine/targets.ts";
import { BuildError, quote } from "../errors.ts";
import { HEAD, targetNameOf } from "../executable/format.ts";
import type { EngineSums } from "./record.ts";

/** One of the executables that a build makes. */
export type Product = { target: Target; outfile: string };

/** A product with the Bun that goes into it. */
export type Making = Product & { base: { path: string; sums: EngineSums | Promise<EngineSums> } };

/** Where a build was told to put what it makes. */
export type Wishes = {
  /** The file name of the tool, without its extension. */
  name: string;
  targets: readonly string[];
  outfile: string | undefined;
  outdir: string | undefined;
  /** What relative paths start from. */
  cwd: string;
};

/** Decides which executables are made, and where: one in a file of its own name, or each in a folder by its target. */
export async function productsOf(wishes: Wishes, entry: string, host: Target): Promise<[Product, ...Product[]]> {
  const { name, outfile, outdir, cwd } = wishes;
  if (outfile !== undefined && outdir !== undefined)
    throw new BuildError("both a file and a folder for the executables", { hint: "leave out --outfile or --outdir" });
  const [first = host, ...others] = readTargets(wishes.targets, host);
  if (others.length > 0 && outdir === undefined)
    throw new BuildError(`${others.length + 1} targets and no folder for the executables`, { hint: "--outdir dist" });
  const product = async (target: Target): Promise<Product> => {
    const suffix = outdir !== undefined || target !== host ? `-${target.name}` : "";
    const path = outfile ?? join(outdir ?? "", `${name}${suffix}${target.extension}`);
    return { target, outfile: await writableFile(fileIn(cwd, path), entry) };
  };
  return [await product(first), ...(await Promise.all(others.map(product)))];
}

/** The target that an engine is for, which is this machine, by its own bytes. */
export async function targetOfEngine({ path }: Engine): Promise<Target> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    const name = targetNameOf(buffer.subarray(0, bytesRead));
    return (name && targetNamed(name)) || targetOf(process.platform, process.arch, false); // a script that starts Bun
  } finally {
    await handle.close();
  }
}

/**
 * A regular file or nothing may stand where the executable goes; a link stands for where it leads, though nothing is there
 * yet.
 */
async function writableFile(outfile: string, entry: string): Promise<string> {
  const there = await stat(outfile).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return undefined;
    throw new BuildError(`cannot write ${quote(outfile)}: ${cause.code}`, {
      cause,
      hint: "name another path with --outfile",
    });
  });
  if (!there) return endOf(outfile);
  if (!there.isFile())
    throw new BuildError(`the outfile ${quote(outfile)} is ${there.isDirectory() ? "a folder" : "no regular file"}`, {
      hint: "name a file with --outfile",
    });
  const path = await realpath(outfile);
  if (path === entry)
    throw new BuildError(`the outfile ${quote(outfile)} is the tool itself`, {
      hint: "name another file with --outfile",
    });
  return path;
}

async function endOf(path: string): Promise<string> {
  const target = await readlink(path).catch(() => undefined);
  return target === undefined ? path : endOf(resolve(await realpath(dirname(path)), target));
}

/** The path of a file, which none is that ends like a folder. */
export function fileIn(folder: string, outfile: string): string {
  if (!outfile.endsWith("/") && !outfile.endsWith(sep)) return resolve(folder, outfile);
  throw new BuildError(`the outfile ${quote(outfile)} is a folder, by its name`, {
    hint: "name a file with --outfile, or a folder with --outdir",
  });
}

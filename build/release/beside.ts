import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Manifest } from "../../src/manifest.ts";
import type { Bundle } from "../bundle/bundle.ts";
import type { Made } from "../executable/verify.ts";
import type { Plan } from "../plan.ts";
import { runtime } from "../runtime.ts";
import { inParallel } from "../system/parallel.ts";
import { publish } from "../system/scratch.ts";
import { renderTarGz, renderZip } from "./archive.ts";
import { recordOf } from "./record.ts";
import { renderLicenses, renderSbom } from "./sbom.ts";
import { renderSums, sha256Of } from "./sums.ts";

/** Writes what comes with the executables into a folder beside the bundle, and returns the paths. */
export async function pack(
  made: readonly Made[],
  manifest: Manifest,
  { packages, folder }: Bundle,
  plan: Plan,
): Promise<string[]> {
  const { name, version, description } = manifest;
  const contents = { tool: { name, version, description }, packages, engine: plan.engine.version, maker: runtime };
  const place = join(folder, "beside");
  await mkdir(place);
  const write = async (name: string, content: string | Uint8Array) => {
    await writeFile(join(place, name), content);
    return join(place, name);
  };
  const bill = plan.sbom && (await write(`${plan.name}.cdx.json`, renderSbom(contents)));
  const licenses = plan.licenses && (await write(`${plan.name}.licenses.txt`, await renderLicenses(contents)));
  const archives = plan.archive && (await inParallel(made, (one) => packOne(one, plan.name, licenses || [], place)));
  const files = [bill, licenses, archives].flat().filter((file) => file !== false);
  if (!plan.outdir) return files;
  const sums = await sumsOf(made, files);
  const facts = renderFacts(
    recordOf(manifest, packages, { engine: plan.engine.version, cfa: runtime.version }),
    await factsOf(made, sums),
  );
  const file = await write(`${plan.name}.manifest.json`, facts);
  const all = { ...sums, [basename(file)]: await sha256Of(file) };
  return [...files, file, await write("SHA256SUMS", renderSums(all))];
}

/** Puts what was packed where the executables are. */
export async function publishBeside(files: readonly string[], { outfile }: Plan): Promise<string[]> {
  const moved = files.map((file) => join(dirname(outfile), basename(file)));
  for (const [at, path] of moved.entries()) await publish(files[at] ?? "", path);
  return moved;
}

async function sumsOf(made: readonly Made[], files: readonly string[]): Promise<Record<string, string>> {
  const named = [
    ...made.map(({ executable, outfile }) => [basename(outfile), executable]),
    ...files.map((file) => [basename(file), file]),
  ];
  const sums = await inParallel(named, async ([name = "", file = ""]) => [name, await sha256Of(file)] as const);
  return Object.fromEntries(sums);
}

/** The executable by the tool's own name, with the licences where they were asked for. */
async function packOne(
  { executable, target, outfile }: Made,
  name: string,
  texts: string | string[],
  place: string,
): Promise<string> {
  const own = { name: `${name}${target.extension}`, bytes: await readFile(executable), mode: 0o755 };
  const others = [texts]
    .flat()
    .map(async (file) => ({ name: basename(file), bytes: await readFile(file), mode: 0o644 }));
  const items = [own, ...(await Promise.all(others))];
  const stem = basename(outfile, target.extension);
  const [render, extension] = target.extension ? [renderZip, ".zip"] : [renderTarGz, ".tar.gz"];
  const file = join(place, `${stem}${extension}`);
  await writeFile(file, await render(items));
  return file;
}

async function factsOf(made: readonly Made[], sums: Record<string, string>) {
  return inParallel(made, async ({ target, outfile, executable, prelude, base }) => {
    const file = basename(outfile);
    const { sha256, bytes } = await base.sums;
    const { size } = await stat(executable);
    return { target: target.name, file, bytes: size, sha256: sums[file], prelude, engine: { sha256, bytes } };
  });
}

function renderFacts(record: object, executables: readonly object[]): string {
  return `${JSON.stringify({ ...record, executables }, null, 2)}\n`;
}

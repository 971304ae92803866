import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { inspect } from "../build/release/inspect.ts";
import { type BuildRecord, coreOf, findRecord, readStamp, renderRecord, stamp } from "../build/release/record.ts";
import { emptyFolder, folderWith } from "./project.ts";

const records = suite("the record");

const record: BuildRecord = {
  name: "math",
  description: "Arithmetic, überall",
  subcommands: [{ name: "multiply", description: "Multiply", input: { type: "object" }, output: {} }],
  engine: "1.4.5",
  cfa: "0.1.0",
  packages: [{ name: "zod", version: "4.6.7", license: "MIT" }],
};

/** What stands for an executable: an engine of six megabytes, behind which the tool is. */
const ENGINE = 6 * 2 ** 20 + 77;
const engine = Buffer.alloc(ENGINE, "engine");
engine.write("\x7fELF", "latin1");
engine.writeUInt16LE(62, 18);
const { from, to } = coreOf(ENGINE);
const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const sums = { sha256: hashOf(engine), bytes: ENGINE, core: hashOf(engine.subarray(from, to)) };
const graph = Buffer.concat([Buffer.from("the module graph"), renderRecord(record), Buffer.from("its end")]);

async function stamped(): Promise<{ path: string; file: Buffer }> {
  const path = join(emptyFolder(), "math");
  writeFileSync(path, Buffer.concat([engine, graph]));
  await stamp(path, sums);
  return { path, file: readFileSync(path) };
}

records("is found where it was put, and changes nothing but itself", async () => {
  const { file } = await stamped();
  const found = findRecord(file);
  assert.equal(found, { record, at: ENGINE + 16 });
  assert.equal(file.subarray(0, ENGINE), engine);
  assert.is(file.length, ENGINE + graph.length);
  assert.ok(found && found !== "damaged");
  assert.equal(readStamp(file, found), { engine: { sha256: sums.sha256, bytes: ENGINE }, damaged: [] });
});

records("is told by cfa inspect", async () => {
  const { path } = await stamped();
  const { engine: version, ...rest } = record;
  const { core, ...known } = sums;
  assert.equal(await inspect(path), {
    ...rest,
    target: "linux-x64",
    engine: { version, ...known },
    prelude: false,
    damage: [],
  });
});

const flips: [where: string, at: number, damage: string[] | "damaged"][] = [
  ["the headers", 100, ["its headers are others"]],
  ["the engine", from, ["the Bun inside is another"]],
  ["the engine", to - 1, ["the Bun inside is another"]],
  ["what leads to the tool", to, ["the tool inside is another"]],
  ["the tool", ENGINE, ["the tool inside is another"]],
  ["the end", ENGINE + graph.length - 1, ["the tool inside is another"]],
  ["the size of the engine", ENGINE + 16 + 16 + 4 + 32, ["the tool inside is another"]],
  ["the sum of the engine", ENGINE + 16 + 16 + 4 + 32 + 8, ["the tool inside is another"]],
  ["the sum of the headers", ENGINE + 16 + 16 + 4 + 32 + 40, ["its headers are others"]],
  ["the text of the record", ENGINE + 16 + 190, "damaged"],
  ["the length of the record", ENGINE + 16 + 16, "damaged"],
  ["the sum of the record", ENGINE + 16 + 20, "damaged"],
];

for (const [where, at, damage] of flips)
  records(`shows a flipped bit in ${where} (${at})`, async () => {
    const { path, file } = await stamped();
    file[at] = (file[at] ?? 0) ^ 1;
    writeFileSync(path, file);
    if (damage === "damaged")
      await refuses(path, [`"${path}" is an executable of cfa's, but its record is damaged`, "get it again"]);
    else assert.equal((await inspect(path)).damage, damage);
  });

records("shows that the end is missing", async () => {
  const { path, file } = await stamped();
  writeFileSync(path, file.subarray(0, -1));
  assert.equal((await inspect(path)).damage, ["the tool inside is another"]);
  writeFileSync(path, file.subarray(0, ENGINE + 100));
  await refuses(path, [`"${path}" is an executable of cfa's, but its record is damaged`, "get it again"]);
});

records("is not taken from who only has its magic number", async () => {
  const { path, file } = await stamped();
  const magic = file.subarray(ENGINE + 16, ENGINE + 32);
  writeFileSync(path, Buffer.concat([engine, magic, Buffer.alloc(300), graph]));
  await stamp(path, sums);
  assert.is((await inspect(path)).name, "math");
});

records("is missed where there is none", async () => {
  const folder = folderWith({ script: "#!/bin/sh\n", engine, empty: "" });
  const hint = "cfa build makes one of a tool; who strips or compresses it loses what is inside";
  for (const name of ["script", "engine", "empty"]) {
    const path = join(folder, name);
    await refuses(path, [`"${path}" is no executable that cfa has made`, hint]);
  }
  const missing = join(folder, "missing");
  await refuses(missing, [`cannot read "${missing}": ENOENT`, "name an executable"]);
  await refuses(folder, [`"${folder}" is no regular file`, "name an executable"]);
});

records("must be there before a stamp", async () => {
  const path = join(emptyFolder(), "math");
  writeFileSync(path, engine);
  assert.equal(await refusal(() => stamp(path, sums)), [
    "the executable lacks the record that was put into it",
    "please report this with the version of Bun",
  ]);
});

records.run();

async function refuses(path: string, expected: [message: string, hint: string]) {
  assert.equal(await refusal(() => inspect(path)), expected);
}

async function refusal(work: () => Promise<unknown>): Promise<[message: string | undefined, hint: string | undefined]> {
  const error = await work().then(
    () => undefined,
    (error: Error & { hint?: string }) => error,
  );
  return [error?.message, error?.hint];
}

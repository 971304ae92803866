import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { findBase } from "../build/engine/bases.ts";
import { readTargets, type Target, targetOf } from "../build/engine/targets.ts";
import { renderTarGz } from "../build/release/archive.ts";
import { emptyFolder, type Files, folderWith, sha256, stateOf } from "./project.ts";

const bases = suite("the bases");

const host = targetOf("linux", "x64", false);
const [arm] = readTargets(["linux-arm64"], host) as [Target];
const [windows] = readTargets(["windows-x64"], host) as [Target];
const VERSION = "1.4.9";

/** What stands for Bun: only its bytes count here. */
const binary = Buffer.from("#!/bin/sh\necho bun\n");
const sum = createHash("sha256").update(binary).digest("hex");
const sums = { sha256: sum, bytes: binary.length, core: createHash("sha256").digest("hex") };

const packageOf = (target: Target, version = VERSION, below = ""): Files => ({
  [`${below}package.json`]: JSON.stringify({ name: target.package, version, os: ["nowhere"], cpu: ["none"] }),
  [`${below}${target.binary}`]: binary,
});
const tarballOf = (target: Target, version = VERSION) =>
  renderTarGz(
    Object.entries(packageOf(target, version, "package/")).map(([name, content]) => ({
      name,
      bytes: Buffer.from(content),
      mode: 0o755,
    })),
  );

const trees: [where: string, files: Files][] = [
  ["an installation", packageOf(arm, VERSION, `node_modules/${arm.package}/`)],
  ["a folder node_modules", packageOf(arm, VERSION, `${arm.package}/`)],
  ["a folder of packages", packageOf(arm, VERSION, "bun-linux-aarch64/")],
];

for (const [where, files] of trees) {
  bases(`are used in place in ${where}`, async () => {
    const bunDir = folderWith(files);
    const [path = ""] = Object.keys(files).filter((file) => file.endsWith("bin/bun"));
    const places = { bunDir, cache: emptyFolder(), root: emptyFolder() };
    assert.equal(await findBase(arm, VERSION, places), { path: join(bunDir, path), sums });
    assert.equal(Object.keys(stateOf(places.cache)), [`bun-${VERSION}`, `bun-${VERSION}/linux-arm64.json`]);
  });
}

bases("are taken out of tarballs", async () => {
  const bunDir = folderWith({
    [`oven-bun-linux-aarch64-${VERSION}.tgz`]: await tarballOf(arm),
    [`oven-bun-windows-x64-${VERSION}.tgz`]: await tarballOf(windows),
  });
  const places = { bunDir, cache: emptyFolder(), root: emptyFolder() };
  const kept = (name: string) => join(places.cache, `bun-${VERSION}`, name);
  for (const [target, name] of [
    [arm, "linux-arm64"],
    [windows, "windows-x64.exe"],
    [arm, "linux-arm64"],
  ] as const)
    assert.equal(await findBase(target, VERSION, places), { path: kept(name), sums });
  assert.equal(readFileSync(kept("linux-arm64.json"), "utf8"), `${JSON.stringify(sums)}\n`);
  assert.equal(stateOf(kept(".")), {
    "linux-arm64": sum,
    "linux-arm64.json": sha256(kept("linux-arm64.json")),
    "windows-x64.exe": sum,
    "windows-x64.exe.json": sha256(kept("windows-x64.exe.json")),
  });
});

bases("are used as they are installed beside the tool", async () => {
  const root = folderWith(packageOf(arm, VERSION, `node_modules/${arm.package}/`));
  const places = { bunDir: undefined, cache: emptyFolder(), root };
  const path = join(root, "node_modules", arm.package, arm.binary);
  assert.equal(await findBase(arm, VERSION, places), { path, sums });
});

bases("with another byte than before are refused", async () => {
  const bunDir = folderWith(packageOf(arm, VERSION, `${arm.package}/`));
  const places = { bunDir, cache: emptyFolder(), root: emptyFolder() };
  const { path } = await findBase(arm, VERSION, places);
  writeFileSync(path, Buffer.concat([binary.subarray(0, -1), Buffer.from("!")]));
  const record = join(places.cache, `bun-${VERSION}`, "linux-arm64.json");
  await refuses(
    () => findBase(arm, VERSION, places),
    [
      `"${path}" is not the Bun that it was: its SHA-256 is not the one in "${record}"`,
      `get it again, or delete "${record}"`,
    ],
  );
  const cached = record.slice(0, -".json".length);
  renameSync(path, cached);
  await refuses(
    () => findBase(arm, VERSION, { ...places, bunDir: undefined }),
    [
      `"${cached}" is not the Bun that it was: its SHA-256 is not the one in "${record}"`,
      `delete "${cached}": the next build gets it again`,
    ],
  );
});

bases("that a folder does not have are said to be missing", async () => {
  const hint = `npm pack ${arm.package}@${VERSION}, run there, puts it in`;
  for (const files of [
    {},
    packageOf(windows, VERSION, `${windows.package}/`),
    packageOf(arm, "1.4.8", `${arm.package}/`),
  ]) {
    const bunDir = folderWith(files);
    const places = { bunDir, cache: emptyFolder(), root: emptyFolder() };
    await refuses(() => findBase(arm, VERSION, places), [`"${bunDir}" has no Bun ${VERSION} for linux-arm64`, hint]);
    assert.equal(stateOf(places.cache), {});
  }
});

bases("in damaged tarballs are refused", async () => {
  const name = `oven-bun-linux-aarch64-${VERSION}.tgz`;
  const whole = await tarballOf(arm);
  const flipped = Buffer.from(whole);
  flipped[whole.length - 6] = (flipped[whole.length - 6] ?? 0) ^ 1;
  const bad: [Buffer, string][] = [
    [flipped, "is damaged: incorrect data check"],
    [whole.subarray(0, -20), "is damaged: unexpected end of file"],
    [Buffer.from("no archive"), "is damaged: incorrect header check"],
    [await tarballOf(windows), "holds no bin/bun"],
  ];
  for (const [content, why] of bad) {
    const bunDir = folderWith({ [name]: content });
    const places = { bunDir, cache: emptyFolder(), root: emptyFolder() };
    const error = await refusal(() => findBase(arm, VERSION, places));
    assert.ok(error[0]?.includes(why), error[0]);
    assert.equal(stateOf(places.cache), {});
  }
});

bases("come from npm, by the settings of the tool's project, and are then kept", async () => {
  const { root, close } = await projectWithRegistry(await tarballOf(arm));
  const places = { bunDir: undefined, cache: emptyFolder(), root };
  const kept = join(places.cache, `bun-${VERSION}`, "linux-arm64");
  const [one, other] = await Promise.all([findBase(arm, VERSION, places), findBase(arm, VERSION, places)]);
  assert.equal([one, other], Array(2).fill({ path: kept, sums }));
  close();
  assert.equal(await findBase(arm, VERSION, places), one);
  assert.equal(Object.keys(stateOf(join(kept, ".."))), ["linux-arm64", "linux-arm64.json"]);
});

bases("that npm finds to be others than promised are refused", async () => {
  const { root, close } = await projectWithRegistry(await tarballOf(arm), await tarballOf(windows));
  const places = { bunDir: undefined, cache: emptyFolder(), root };
  const [message = "", hint] = await refusal(() => findBase(arm, VERSION, places));
  close();
  assert.match(message, /^npm could not get @oven\/bun-linux-aarch64@1\.4\.9\nnpm (error|ERR!) code EINTEGRITY\n/);
  assert.is(
    hint,
    "npm config set registry URL, or https-proxy URL, says where from; --bun-dir DIR takes it from a folder",
  );
  assert.equal(stateOf(places.cache), {});
});

bases("say what to set where the registry cannot be reached", async () => {
  const { root, close } = await projectWithRegistry(await tarballOf(arm));
  close();
  const places = { bunDir: undefined, cache: emptyFolder(), root };
  const [message = "", hint] = await refusal(() => findBase(arm, VERSION, places));
  assert.match(message, /^npm could not get @oven\/bun-linux-aarch64@1\.4\.9\nnpm (error|ERR!) code ECONNREFUSED\n/);
  assert.match(hint ?? "", /^npm config set registry URL, .* --bun-dir DIR/);
});

bases("are asked of a cache that may not be written", async () => {
  const blocked = folderWith({ file: "" });
  const bunDir = folderWith(packageOf(arm, VERSION, `${arm.package}/`));
  const places = { bunDir, cache: join(blocked, "file"), root: emptyFolder() };
  assert.is((await findBase(arm, VERSION, places)).sums.sha256, sum);
  await refuses(
    () => findBase(arm, VERSION, { ...places, bunDir: undefined }),
    [
      `cannot write to the folder "${join(blocked, "file", `bun-${VERSION}`)}": ENOTDIR`,
      "name another place for the cache with the variable XDG_CACHE_HOME",
    ],
  );
});

bases.run();

/** A project whose npm asks a registry on this machine, which promises one tarball and may send another. */
async function projectWithRegistry(promised: Buffer, sent = promised) {
  const server: Server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    if (request.url?.endsWith(".tgz")) return response.end(sent);
    const integrity = `sha512-${createHash("sha512").update(promised).digest("base64")}`;
    const dist = { tarball: `http://127.0.0.1:${port}/arm.tgz`, integrity };
    const versions = { [VERSION]: { name: arm.package, version: VERSION, dist } };
    response.setHeader("content-type", "application/json");
    return response.end(JSON.stringify({ name: arm.package, "dist-tags": { latest: VERSION }, versions }));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const cache = emptyFolder();
  const settings = [`registry=http://127.0.0.1:${port}/`, `cache=${cache}`, "fetch-retries=0", "noproxy=127.0.0.1"];
  const root = folderWith({ "package.json": '{ "name": "project" }', ".npmrc": settings.join("\n") });
  return { root, close: () => server.close() };
}

async function refusal(work: () => Promise<unknown>): Promise<[message: string | undefined, hint: string | undefined]> {
  const error = await work().then(
    () => undefined,
    (error: Error & { hint?: string }) => error,
  );
  return [error?.message, error?.hint];
}

async function refuses(work: () => Promise<unknown>, expected: [message: string, hint: string]) {
  assert.equal(await refusal(work), expected);
}

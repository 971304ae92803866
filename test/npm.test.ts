import { chmodSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { bun } from "./harness.ts";
import { cfa, emptyFolder, folderWith, toolWith } from "./project.ts";
import { appeared, gone, start } from "./started.ts";

const npm = suite("npm, which a build has get Bun for other machines");

const engines = { Node: process.execPath, Bun: bun };
const args = ["build", "tool.ts", "--target", "windows-arm64"];

/** Scripts that stand for npm cannot be started on Windows. */
const canFake = process.platform !== "win32";
if (!canFake) console.log("left out: how npm is used, on Windows nothing can stand for it");
const faked = canFake ? npm : npm.skip;

for (const [name, engine] of Object.entries(engines))
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    faked(`on ${name}, ${signal} ends it, and what it has started`, async () => {
      const { folder, env, notes } = projectWithNpm(
        'sleep 600 & echo "$$ $!" > "$NOTES/part"; mv "$NOTES/part" "$NOTES/pids"; wait',
      );
      const build = start(engine, folder, args, env);
      const pids = (await appeared(join(notes, "pids"))).split(" ").map(Number);
      build.child.kill(signal);
      assert.equal(await build.ended, { signal, stderr: "plan\nfetch windows-arm64\n" });
      for (const pid of pids) await gone(pid);
    });

const settings: [whose: string, says: string, timeouts: string][] = [
  ["are nobody's, are shorter", "fetch-retry-mintimeout=10000\nfetch-retry-maxtimeout=60000", "1000 5000"],
  ["are somebody's, stay", "fetch-retry-mintimeout=10000\nfetch-retry-maxtimeout=30000", " "],
];
for (const [whose, says, timeouts] of settings)
  faked(`its waits between two tries, where they ${whose}`, async () => {
    const { folder, env, notes } = projectWithNpm(
      `if [ "$1" = config ]; then echo "${says}"; exit; fi
       echo "$npm_config_fetch_retry_mintimeout $npm_config_fetch_retry_maxtimeout" > "$NOTES/timeouts"; echo no way >&2; exit 1`,
    );
    const { stderr, ...rest } = await cfa(folder, args, { env });
    assert.equal(rest, { stdout: "", code: 1 });
    assert.match(
      stderr,
      /^plan\nfetch windows-arm64\ncfa: npm could not get @oven\/bun-windows-aarch64@[\d.]+\nno way\n {2}npm config /,
    );
    assert.is(readFileSync(join(notes, "timeouts"), "utf8"), `${timeouts}\n`);
  });

npm.run();

function projectWithNpm(script: string) {
  const bin = folderWith({ npm: `#!/bin/sh\n${script}\n` });
  chmodSync(join(bin, "npm"), 0o755);
  const notes = emptyFolder();
  const env = { PATH: `${bin}${delimiter}${process.env["PATH"]}`, NOTES: notes, XDG_CACHE_HOME: emptyFolder() };
  return { folder: folderWith({ "tool.ts": toolWith() }), env, notes };
}

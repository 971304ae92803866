import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import arg from "arg";
import { findBun } from "../build/engine/bun.ts";
import { packagesOf, quick, type Use, uses } from "../test/corpus/packages.ts";
import { install } from "../test/corpus/store.ts";
import { type Trial, tryAll } from "../test/corpus/trial.ts";

// Public packages, each really used: from source, as `bun build --compile` makes it and as `cfa build` does.
// `npm run corpus`, `npm run corpus -- cheerio zx`, `-- --quick`, `-- --big` with those that take a minute by themselves,
// `-- --folder PATH` to keep what was installed for the next time, `-- --json` for one line of JSON a package.

const flags = arg({ "--quick": Boolean, "--big": Boolean, "--json": Boolean, "--folder": String });
const AT_A_TIME = 2; // an executable weighs 107 MB

const { path: bun } = await findBun(undefined, resolve("."));
const chosen = choose();
const folder = flags["--folder"] ? resolve(flags["--folder"]) : mkdtempSync(join(tmpdir(), "cfa-corpus-"));
const trials: Trial[] = [];
try {
  const store = install(
    join(folder, "store"),
    isAll() ? packagesOf(Object.values(uses)) : packagesOf(chosen.map(([, use]) => use)),
  );
  for (let at = 0; at < chosen.length; at += AT_A_TIME)
    for (const trial of await tryAll(store, bun, chosen.slice(at, at + AT_A_TIME))) {
      trials.push(trial);
      console.log(flags["--json"] ? JSON.stringify(trial) : lineOf(trial));
    }
} finally {
  if (!flags["--folder"]) rmSync(folder, { recursive: true, force: true });
}
printCounts();
process.exitCode = trials.some(({ bad }) => bad) ? 1 : 0;

function choose(): [string, Use][] {
  const unknown = flags._.filter((name) => !(name in uses));
  if (unknown.length > 0) throw new Error(`not in the corpus: "${unknown.join('", "')}"`);
  return Object.entries(uses).filter(([name, { big }]) => {
    if (flags._.length > 0) return flags._.includes(name);
    return flags["--quick"] ? quick.includes(name) : !big || flags["--big"];
  });
}

/** Whether everything is installed: what is tried may be less. */
function isAll(): boolean {
  return Boolean(flags["--folder"]) || (flags._.length === 0 && !flags["--quick"]);
}

function lineOf({ name, source, plain, ours, note, ms, bad }: Trial): string {
  const columns = [
    name.padEnd(28),
    source.padEnd(8),
    plain.padEnd(8),
    ours.padEnd(8),
    `×${(ms.ours / ms.plain).toFixed(1)}`.padStart(6),
  ];
  return `${bad ? "BAD " : "    "}${columns.join(" ")}  ${note.replaceAll(/\s+/g, " ").slice(0, 300)}`;
}

function printCounts(): void {
  const working = trials.filter(({ source }) => source === "works");
  const count = (one: boolean, other: boolean) =>
    working.filter(({ plain, ours }) => (plain === "same") === one && (ours === "same") === other).length;
  const ratios = trials.map(({ ms }) => ms.ours / ms.plain).sort((one, other) => one - other);
  const bad = trials.filter(({ bad }) => bad).map(({ name }) => name);
  const counts = {
    packages: trials.length,
    bothWork: count(true, true),
    onlyOurs: count(false, true),
    onlyPlain: count(true, false),
    neither: count(false, false),
    sourceFails: trials.filter(({ source }) => source !== "works").map(({ name }) => name),
    bad,
    build: Number((ratios[ratios.length >> 1] ?? Number.NaN).toFixed(2)),
  };
  console.log(
    flags["--json"]
      ? JSON.stringify(counts)
      : Object.entries(counts)
          .map(([key, value]) => `${key}: ${value}`)
          .join("\n"),
  );
}

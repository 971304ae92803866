import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Module } from "./discover.ts";
import { packageOf } from "./installed.ts";

/** What is said of packages that start a program by the path of the one that runs: that is the tool itself. */
export function selfWarnings(modules: readonly Module[]): string[] {
  const starting = packagesWith(modules, /\bchild_process\b/);
  return [...packagesWith(modules, /\bprocess\.execPath\b/)]
    .filter((name) => starting.has(name))
    .map(
      (name) =>
        `${JSON.stringify(name)} may start process.execPath, which in an executable is the tool itself and not an engine`,
    );
}

function packagesWith(modules: readonly Module[], text: RegExp): ReadonlySet<string> {
  const files = modules.filter(({ code, format }) => format !== "json" && text.test(code));
  return new Set(files.flatMap(({ path }) => packageOf(path)?.name ?? []));
}

/** What is said of packages that look for a native addon where no build sees it. */
export function addonWarnings(modules: readonly Module[], embedded: ReadonlySet<string>): string[] {
  const packages = new Map(
    modules.flatMap(({ path, code, format }) => {
      const one = format !== "json" && LOOKING.test(code) ? packageOf(path) : undefined;
      return one ? [[one.folder, one.name] as const] : [];
    }),
  );
  return [...packages].flatMap(([folder, name]) => {
    const addons = addonsIn(folder);
    if (addons.length === 0 || addons.some((path) => embedded.has(path))) return [];
    return [
      `${JSON.stringify(name)} looks for a native addon in its folder, which an executable does not have: use a package without one${INSTEAD[name] ? `, such as ${INSTEAD[name]}` : ""}`,
    ];
  });
}

const LOOKING =
  /\.node["'`]|\bprebuilds\b|["'](bindings|node-gyp-build|@mapbox\/node-pre-gyp|prebuild-install)["']|\bdlopen\b/;

/** What Bun has, or is written without addons. */
const INSTEAD: Record<string, string> = {
  "better-sqlite3": "bun:sqlite",
  sqlite3: "bun:sqlite",
  bcrypt: "Bun.password or bcryptjs",
  argon2: "Bun.password",
  "classic-level": "bun:sqlite",
  "node-pty": "Bun.spawn",
};

function addonsIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return entries
    .filter((entry) => entry.endsWith(".node") && !entry.includes("node_modules"))
    .map((entry) => join(folder, entry));
}

import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";

type Manifest = { dependencies: Record<string, string> };

/** The packages of the corpus, installed outside of the repository. */
export type Store = { folder: string; packages: string[] };

const home = resolve("test/corpus");

/** Installs these packages of the corpus, as its lock file says, into a folder; what is there already stays. */
export function install(folder: string, names: readonly string[]): Store {
  if (existsSync(away(folder))) renameSync(away(folder), folder);
  const { dependencies, ...manifest } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as Manifest;
  const wanted = Object.entries(dependencies).filter(([name]) => names.includes(name) || name === "zod");
  const text = JSON.stringify({ ...manifest, dependencies: Object.fromEntries(wanted) });
  const lock = readFileSync(join(home, "package-lock.json"), "utf8");
  const mark = join(folder, "installed.json");
  const state = JSON.stringify([text, lock]);
  if (!existsSync(mark) || readFileSync(mark, "utf8") !== state) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), text);
    copyFileSync(join(home, "package-lock.json"), join(folder, "package-lock.json"));
    // `npm ci` wants a manifest and a lock file of the same packages
    const command = wanted.length === Object.keys(dependencies).length ? "ci" : "install";
    const flags = ["--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", "--silent"];
    execFileSync("npm", [command, ...flags], { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
    writeFileSync(mark, state);
  }
  link("node_modules/zod", resolve("node_modules/zod"));
  link("node_modules/@code-first-agents/tool", resolve("."));
  return { folder, packages: Object.keys((JSON.parse(lock) as { packages: object }).packages).map(nameOf) };

  function link(path: string, target: string): void {
    rmSync(join(folder, path), { recursive: true, force: true });
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(target, join(folder, path));
  }
}

/** Takes all sources and packages away for as long as something runs. */
export async function hidden<T>({ folder }: Store, work: () => Promise<T>): Promise<T> {
  renameSync(folder, away(folder));
  try {
    return await work();
  } finally {
    renameSync(away(folder), folder);
  }
}

const away = (folder: string) => `${folder}.away`;

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}

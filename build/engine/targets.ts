import { closest } from "../../src/closest.ts";
import { BuildError, quote } from "../errors.ts";

/** A kind of machine that an executable can be made for. */
export type Target = {
  name: string;
  /** What Bun calls it. */
  bun: string;
  /** The npm package that holds Bun for it, and where. */
  package: string;
  binary: string;
  /** How names of executables end there. */
  extension: "" | ".exe";
};

const targets: readonly Target[] = [
  unix("linux-x64", "linux-x64"),
  unix("linux-arm64", "linux-aarch64"),
  unix("linux-x64-musl", "linux-x64-musl"),
  unix("linux-arm64-musl", "linux-aarch64-musl"),
  unix("darwin-x64", "darwin-x64"),
  unix("darwin-arm64", "darwin-aarch64"),
  windows("windows-x64", "windows-x64"),
  windows("windows-arm64", "windows-aarch64"),
];

/** The targets of these names, each once, in the order of the table; `host` is the given one, `all` are all. */
export function readTargets(names: readonly string[], host: Target): Target[] {
  const wanted = new Set(names.flatMap((name) => namedBy(name, host)));
  return targets.filter((target) => wanted.has(target));
}

/** Gives the name of a target, or of several, back. */
export function nameOfTarget(name: string): string {
  const names = ["host", "all", ...targets.map((target) => target.name)];
  if (names.includes(name)) return name;
  const [likely] = closest(name, names);
  throw new BuildError(`there is no target ${quote(name)}${likely ? `; did you mean ${quote(likely)}?` : ""}`, {
    hint: `the targets are host, all, ${listed()}`,
  });
}

/** The target that a machine is. Throws where Bun runs but nothing can be built for. */
export function targetOf(platform: string, arch: string, musl: boolean): Target {
  const name = `${platform === "win32" ? "windows" : platform}-${arch}${musl ? "-musl" : ""}`;
  const target = targetNamed(name);
  if (target) return target;
  throw new BuildError(`this machine is ${quote(name)}, which is no target`, {
    hint: `name one with --target: ${listed()}`,
  });
}

export function targetNamed(name: string): Target | undefined {
  return targets.find((target) => target.name === name);
}

function namedBy(name: string, host: Target): readonly Target[] {
  if (name === "host") return [host];
  if (name === "all") return targets;
  return targets.filter((target) => target.name === nameOfTarget(name));
}

function listed(): string {
  return targets.map(({ name }) => name).join(", ");
}

function unix(name: string, bun: string): Target {
  return { name, bun: `bun-${bun}`, package: `@oven/bun-${bun}`, binary: "bin/bun", extension: "" };
}

function windows(name: string, bun: string): Target {
  return { name, bun: `bun-${bun}`, package: `@oven/bun-${bun}`, binary: "bin/bun.exe", extension: ".exe" };
}

import { standBefore } from "./environment.ts";

/** Another moment: some fourteen months on, at another time of day. */
const SHIFT = (431 * 24 + 7.3) * 3_600_000;
const ELSEWHERE = "elsewhere";
const MANY = 61;

/**
 * Makes a process believe that it runs at another moment and on another machine, so that what depends on them comes out
 * differently. Given a `variable`, each that the tool asks for has that value, and where it asks for all there is one more.
 */
export function disturb(variable: string | undefined): void {
  disturbMoment();
  disturbMachine();
  if (variable === undefined) return;
  standBefore({
    value: (name, own) => (own === undefined ? variable : `/${name}/${ELSEWHERE}`),
    more: () => [ELSEWHERE.toUpperCase()],
  });
}

function disturbMoment(): void {
  const later = () => Date.now() + SHIFT;
  const { Date } = globalThis;
  globalThis.Date = new Proxy(Date, {
    construct: (date, args, target) => Reflect.construct(date, args.length > 0 ? args : [later()], target),
    apply: (date) => String(new date(later())),
    get: (date, key) => (key === "now" ? later : Reflect.get(date, key)),
  });
  Date.prototype.constructor = globalThis.Date;
}

/** As far as Bun lets go of them. */
function disturbMachine(): void {
  const os = process.getBuiltinModule("node:os");
  const { userInfo } = os;
  replace(os, {
    availableParallelism: () => MANY,
    cpus: () => Array.from({ length: MANY }, () => ({ model: ELSEWHERE, speed: MANY, times: {} })),
    freemem: () => MANY,
    homedir: () => `/${ELSEWHERE}`,
    hostname: () => ELSEWHERE,
    loadavg: () => [MANY, MANY, MANY],
    networkInterfaces: () => ({}),
    release: () => ELSEWHERE,
    totalmem: () => MANY,
    uptime: () => MANY,
    userInfo: () => ({ ...userInfo(), username: ELSEWHERE, homedir: `/${ELSEWHERE}`, uid: MANY, gid: MANY }),
    version: () => ELSEWHERE,
  });
  const ids = ["getuid", "geteuid", "getgid", "getegid"];
  replace(process, Object.fromEntries(ids.map((name) => [name, () => MANY])));
  replace(process, { execPath: `/${ELSEWHERE}/bun` });
  Object.defineProperty(process, "ppid", { get: () => MANY });
  Object.defineProperty(navigator, "hardwareConcurrency", { get: () => MANY });
  const fs = process.getBuiltinModule("node:fs");
  const { existsSync } = fs;
  replace(fs, { existsSync: (path: unknown) => existsSync(path as string) !== isOfMachine(path) });
}

const isOfMachine = (path: unknown) =>
  /^(file:\/\/)?\/(etc|var|usr|opt|proc|sys|run|dev|home|root)\b/.test(String(path)) &&
  !String(path).includes(import.meta.dirname);

function replace(owner: object, others: Record<string, unknown>): void {
  for (const [name, other] of Object.entries(others)) Reflect.set(owner, name, other);
}

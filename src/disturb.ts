/** Another moment: some fourteen months on, at another time of day. */
const SHIFT = (431 * 24 + 7.3) * 3_600_000;
const ELSEWHERE = "elsewhere";

/**
 * Makes a process believe that it runs at another moment and on another machine, so that what depends on them comes out
 * differently. With `variables`, whatever variable of the environment is asked for is set.
 */
export function disturb(variables: boolean): void {
  const later = () => Date.now() + SHIFT;
  const { Date } = globalThis;
  globalThis.Date = new Proxy(Date, {
    construct: (date, args, target) => Reflect.construct(date, args.length > 0 ? args : [later()], target),
    apply: (date) => String(new date(later())),
    get: (date, key) => (key === "now" ? later : Reflect.get(date, key)),
  });
  const os = process.getBuiltinModule("node:os");
  const { userInfo } = os;
  const machine = {
    hostname: () => ELSEWHERE,
    homedir: () => `/${ELSEWHERE}`,
    userInfo: () => ({ ...userInfo(), username: ELSEWHERE, homedir: `/${ELSEWHERE}` }),
  };
  for (const [name, other] of Object.entries(machine)) Reflect.set(os, name, other); // as far as Bun lets go of them
  if (!variables) return;
  process.env = new Proxy(process.env, {
    get: (env, name) => (typeof name === "string" ? ELSEWHERE : Reflect.get(env, name)),
    has: () => true,
  });
}

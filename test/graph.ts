import { type Files, toolWith } from "./project.ts";

/** What a graph of modules may have beside ES modules that import each other. */
export type Habits = { commonJs: boolean; topLevelAwait: boolean; packages: boolean };

type Draw = { below: (limit: number) => number; chance: (share: number) => boolean };
type Module = { index: number; path: string; isCommonJs: boolean; dependencies: number[]; lazy: number | undefined };

/** A tool of generated modules, each of which logs what it does and sees; `show` answers with the log. The same seed makes the same. */
export function graphOf(seed: number, habits: Habits = habitsOf(seed)): Files {
  const draw = drawFrom(seed);
  const modules = drawModules(draw, habits);
  const files: Files = {};
  for (const module of modules) {
    const lines = module.isCommonJs ? commonJs(module, modules, draw) : esModule(module, modules, draw, habits);
    if (module.index > 0) files[module.path] = `${lines.join("\n")}\n`;
    else files[module.path] = toolOf(lines);
    if (module.path.startsWith("node_modules")) Object.assign(files, manifestOf(module));
  }
  return files;
}

/** Every eighth of all seeds has the same habits. */
const habitsOf = (seed: number): Habits => ({
  commonJs: seed % 2 === 1,
  topLevelAwait: seed % 4 > 1,
  packages: seed % 8 > 3,
});

/** Numbers that look drawn (mulberry32). */
function drawFrom(seed: number): Draw {
  let state = seed * 2654435761;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return { below: (limit) => Math.floor(next() * limit), chance: (share) => next() < share };
}

function drawModules({ below, chance }: Draw, { commonJs, packages }: Habits): Module[] {
  const count = 3 + below(7);
  return Array.from({ length: count }, (_, index) => {
    const isCommonJs = index > 0 && commonJs && chance(0.35);
    const other = () => 1 + below(count - 1);
    const dependencies = [...new Set(Array.from({ length: below(4) + (index === 0 ? 1 : 0) }, other))];
    const lazy = chance(0.4) || index === 0 ? other() : undefined;
    const inPackage = index > 0 && packages && chance(0.3);
    const ending = isCommonJs ? (["cjs", "js"][below(2)] ?? "") : (["ts", "mjs", "mts"][below(3)] ?? "");
    const path = inPackage ? `node_modules/p${index}/index.js` : index === 0 ? "tool.ts" : `m${index}.${ending}`;
    return { index, path, isCommonJs, dependencies: dependencies.filter((one) => one !== index), lazy };
  });
}

function manifestOf({ index, isCommonJs }: Module): Files {
  const manifest = { name: `p${index}`, main: "index.js", ...(!isCommonJs && { type: "module" }) };
  return { [`node_modules/p${index}/package.json`]: JSON.stringify(manifest) };
}

/** How one module names another. */
function specifier(from: Module, to: Module): string {
  if (to.path.startsWith("node_modules")) return JSON.stringify(`p${to.index}`);
  return JSON.stringify(`${from.path.startsWith("node_modules") ? "../.." : "."}/${to.path}`);
}

/** A lazy module may push more: what is pushed is run in turn, up to a limit. */
function toolOf(lines: readonly string[]): string {
  return toolWith({
    head: lines.join("\n"),
    value: `await (async () => {
      const lazy = globalThis.LAZY ?? [];
      for (let at = 0; at < lazy.length && at < 20; at++) await lazy[at]();
      return log;
    })()`,
  });
}

const LOG = "const log = (globalThis.LOG ??= []);";

function logged(who: number, what: string, expression: string): string {
  return `try { log.push("${who} ${what} " + ${expression}); } catch (error) { log.push("${who} ${what} throws " + error.name); }`;
}

const later = (code: string) => `(globalThis.LAZY ??= []).push(async () => { ${code} });`;

function esModule(self: Module, modules: readonly Module[], draw: Draw, { topLevelAwait }: Habits): string[] {
  const { index, lazy } = self;
  const { below, chance } = draw;
  const found = self.dependencies.map((other) => imported(self, modules[other] as Module, draw));
  const reads = found.flatMap(({ reads }) => reads).filter(() => chance(0.7));
  return [
    ...found.map(({ line }) => line),
    LOG,
    `log.push("start ${index}");`,
    ...reads.map((read) => logged(index, `reads ${read}`, `(${read})`)),
    ...(topLevelAwait && index > 0 && chance(0.3) ? [`await 0;`, `log.push("${index} waited");`] : []),
    `export const v${index} = "v${index}";`,
    `export function f${index}() { return typeof v${index}; }`,
    `export class C${index} { x = C${index}.name; }`,
    `export let live${index} = 0;`,
    `export function set${index}(value) { live${index} = value; }`,
    ...(chance(0.4) ? [`export const same = "same ${index}";`] : []),
    [
      `export default "default ${index}";`,
      `export default function () { return ${index}; }`,
      `export default class {}`,
    ][below(3)] ?? "",
    ...reads.slice(0, 1).map((read) => later(logged(index, `late ${read}`, `(${read})`))),
    ...(lazy === undefined ? [] : [lazily(self, modules[lazy] as Module)]),
    `log.push("end ${index}");`,
  ].filter(Boolean);
}

/** An import of one module, and what can be read from it. */
function imported(from: Module, { index: to, ...other }: Module, { below }: Draw): { line: string; reads: string[] } {
  const path = specifier(from, { index: to, ...other });
  const as = `${from.index}_${to}`;
  const forms = [
    { line: `import ${path};`, reads: [] },
    {
      line: `import * as n${to} from ${path};`,
      reads: [`n${to}.v${to}`, `Object.keys(n${to})`, `typeof n${to}.default`, `typeof n${to}.f${to}`],
    },
    {
      line: `import d${to} from ${path};`,
      reads: other.isCommonJs ? [`d${to}.v${to}`, `typeof d${to}`] : [`typeof d${to}`],
    },
    { line: `export * from ${path};`, reads: [] },
    { line: `export * as all${as} from ${path};`, reads: [] },
    { line: `export { v${to} as again${as} } from ${path};`, reads: [] },
    { line: `import { v${to} } from ${path};\nexport { v${to} };`, reads: [`v${to}`] },
    {
      line: `import { v${to}, f${to}, C${to}, live${to}, set${to} } from ${path};`,
      reads: [`v${to}`, `f${to}()`, `new C${to}().x`, `live${to}`, `(set${to}(${from.index}), live${to})`],
    },
  ];
  return forms[below(forms.length)] ?? { line: "", reads: [] };
}

function lazily(from: Module, to: Module): string {
  const keys = `Object.keys(await import(${specifier(from, to)})).sort()`;
  return later(logged(from.index, `lazily ${to.index}`, keys));
}

function commonJs(self: Module, modules: readonly Module[], { below, chance }: Draw): string[] {
  const { index, dependencies, lazy } = self;
  const members = `v${index}: "v${index}", f${index}() { return "f"; }, C${index}: class { x = 1; }, live${index}: 0, set${index}() {}`;
  const own = [
    `exports.v${index} = "v${index}"; exports.f${index} = () => "f"; exports.C${index} = class { x = 1; }; exports.live${index} = 0; exports.set${index} = () => {};`,
    `module.exports = { ${members} };`,
    `Object.defineProperty(exports, "__esModule", { value: true }); exports.default = "default ${index}"; exports.v${index} = "v${index}";
exports.f${index} = () => "f"; exports.C${index} = class { x = 1; }; exports.live${index} = 0; exports.set${index} = () => {};`,
  ][below(3)] as string;
  const sloppy = [
    `(function (a) { arguments[0] = 9; log.push("${index} sloppy " + a); })(1);`,
    `implicit${index} = 5; log.push("${index} implicit " + globalThis.implicit${index});`,
    `log.push("${index} this " + (this === module.exports) + (function () { return this === globalThis; })());`,
    `with ({ inside: 5 }) log.push("${index} with " + inside);`,
    `const isMain${index} = require.main === module; log.push("${index} main " + isMain${index} + typeof require);`,
  ];
  const required = dependencies.map((other) => {
    const to = modules[other] as Module;
    const read = `((m) => m.v${other} + " " + typeof m.f${other} + " " + typeof m.default)(require(${specifier(self, to)}))`;
    if (chance(0.6)) return logged(index, `requires ${other}`, read);
    return `exports.late${other} = () => require(${specifier(self, to)}).v${other}; ${later(logged(index, `requires late ${other}`, read))}`;
  });
  const first = chance(0.5);
  return [
    LOG,
    `log.push("start ${index}");`,
    ...(first ? [own] : []),
    ...required,
    ...sloppy.filter(() => chance(0.25)),
    ...(first ? [] : [own]),
    ...(lazy === undefined ? [] : [lazily(self, modules[lazy] as Module)]),
    `log.push("end ${index}");`,
  ];
}

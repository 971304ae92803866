import { suite } from "uvu";
import { type Files, toolWith } from "./project.ts";
import { type Same, same } from "./same.ts";

const settings = suite("executables of tools with settings of the compiler");

/** What `reflect-metadata` does, as far as it is asked here. */
const METADATA = `const all = new Map<unknown, Record<string, unknown>>();
(Reflect as any).metadata = (key: string, value: unknown) => (target: any, name = "") => {
  const owner = typeof target === "function" ? target : target.constructor;
  const kept = all.get(owner) ?? {};
  all.set(owner, { ...kept, [key + ":" + name]: value });
};
export const typeOf = (owner: unknown, key: string, name = "") => {
  const found = all.get(owner)?.["design:" + key + ":" + name] as any;
  return Array.isArray(found) ? found.map((one) => one?.name) : found?.name;
};`;

const DECORATORS = `import { typeOf } from "./metadata.ts";
import type { Shape } from "./shape.ts"; import { Other } from "./other.ts";
const mark = (...on: any[]): any => {};
class Dep {}
@mark class Service {
  @mark at!: Date;
  @mark name: string = "";
  @mark maybe?: number | undefined;
  @mark other!: Other;
  @mark list: string[] = [];
  constructor(readonly dep: Dep, readonly shape: Shape, readonly n: number) {}
  @mark find(id: string, other: Other): Promise<void> { return Promise.resolve(); }
}`;

const decorated = (options: object): Files => ({
  "tool.ts": toolWith({
    head: DECORATORS,
    value: `[typeOf(Service, "paramtypes"), ...["at", "name", "maybe", "other", "list", "find"].map((name) => typeOf(Service, "type", name)), typeOf(Service, "paramtypes", "find"), typeOf(Service, "returntype", "find")].map((one) => one ?? null)`,
  }),
  "metadata.ts": METADATA,
  "shape.ts": "export type Shape = { a: number };",
  "other.ts": "export class Other {}",
  "tsconfig.json": JSON.stringify({ compilerOptions: options }),
});

const FIELDS = `const seen: string[] = [];
class Parent { set x(value: number) { seen.push("assigned " + value); } constructor() { this.start(); } start() {} }
class Child extends Parent { x = 1; declare z: number; y?: number; start() { this.y = 5; } }
const child = new Child();`;

const fields = (options: object): Files => ({
  "tool.ts": toolWith({ head: FIELDS, value: '[seen, Object.keys(child), child.y ?? null, "x" in child]' }),
  "tsconfig.json": JSON.stringify({ compilerOptions: options }),
});

const jsx = (options: object, more: Files = {}): Files => ({
  "tool.ts": `export * from "./main.tsx";`,
  "main.tsx": toolWith({
    head: "const h = (type: string, props: object, ...children: unknown[]) => ({ by: 'h', type, props, children });",
    value: "<b a={1}>x</b>",
  }),
  "tsconfig.json": JSON.stringify({ compilerOptions: options }),
  ...more,
});

const rows: Same[] = [
  {
    it: "emitDecoratorMetadata",
    files: decorated({ experimentalDecorators: true, emitDecoratorMetadata: true }),
    value: [
      ["Dep", "Object", "Number"],
      "Date",
      "String",
      "Number",
      "Other",
      "Array",
      "Function",
      ["String", "Other"],
      "Promise",
    ],
  },
  {
    it: "experimentalDecorators alone",
    files: decorated({ experimentalDecorators: true }),
    value: [null, null, null, null, null, null, null, null, null],
  },
  {
    it: "emitDecoratorMetadata in what tsconfig.json extends",
    files: {
      ...decorated({}),
      "tsconfig.json": '{ "extends": "./base.json" } // a comment',
      "base.json": '{ "compilerOptions": { "experimentalDecorators": true, "emitDecoratorMetadata": true } }',
    },
    value: [
      ["Dep", "Object", "Number"],
      "Date",
      "String",
      "Number",
      "Other",
      "Array",
      "Function",
      ["String", "Other"],
      "Promise",
    ],
  },
  {
    it: "decorators of the language",
    files: {
      "tool.ts": toolWith({
        head: `const twice = (method: any, { name }: any) => function (this: unknown, ...rest: unknown[]) { return [name, method.apply(this, rest) * 2]; };
          class A { @twice n(a: number) { return a; } }`,
        value: "new A().n(2)",
      }),
    },
    value: ["n", 4],
  },
  { it: 'a "target" of es2020', files: fields({ target: "es2020" }), value: [[], ["y", "x"], null, true] },
  { it: 'a "target" of esnext', files: fields({ target: "esnext" }), value: [[], ["y", "x"], null, true] },
  {
    it: "useDefineForClassFields, false",
    files: fields({ target: "esnext", useDefineForClassFields: false }),
    value: [["assigned 1"], ["y"], 5, true],
  },
  {
    it: "jsconfig.json",
    files: {
      "tool.ts": toolWith({ head: 'import { data } from "~/data";', value: "data" }),
      "jsconfig.json": '{ "compilerOptions": { "paths": { "~/*": ["./lib/*"] } } }',
      "lib/data.ts": "export const data = 3;",
    },
    value: 3,
  },
  {
    it: "tsconfig.json, with jsconfig.json beside it",
    files: {
      "tool.ts": toolWith({ head: 'import { data } from "~/data";', value: "data" }),
      "tsconfig.json": '{ "compilerOptions": { "paths": { "~/*": ["./a/*"] } } }',
      "jsconfig.json": '{ "compilerOptions": { "paths": { "~/*": ["./b/*"] } } }',
      "a/data.ts": 'export const data = "a";',
      "b/data.ts": 'export const data = "b";',
    },
    value: "a",
  },
  {
    it: "baseUrl",
    files: {
      "tool.ts": toolWith({ head: 'import { data } from "lib/data";', value: "data" }),
      "tsconfig.json": '{ "compilerOptions": { "baseUrl": "." } }',
      "lib/data.ts": "export const data = 3;",
    },
    value: 3,
  },
  {
    it: "another tsconfig.json in a folder below",
    files: {
      "tool.ts": toolWith({
        head: 'import { data } from "./lib/index.ts"; import { own } from "~/own";',
        value: "[data, own]",
      }),
      "tsconfig.json": '{ "compilerOptions": { "paths": { "~/*": ["./a/*"] } } }',
      "a/own.ts": 'export const own = "a";',
      "lib/tsconfig.json": '{ "compilerOptions": { "paths": { "~/*": ["./b/*"] } } }',
      "lib/index.ts": 'export { own as data } from "~/own";',
      "lib/b/own.ts": 'export const own = "lib/b";',
    },
    value: ["lib/b", "a"],
  },
  {
    it: "jsx with a factory",
    files: jsx({ jsx: "react", jsxFactory: "h" }),
    value: { by: "h", type: "b", props: { a: 1 }, children: ["x"] },
  },
  {
    it: "jsx with an import source",
    files: jsx(
      { jsx: "react-jsx", jsxImportSource: "mini" },
      {
        "node_modules/mini/package.json":
          '{ "name": "mini", "type": "module", "exports": { "./jsx-runtime": "./jsx.js", "./jsx-dev-runtime": "./jsx.js" } }',
        "node_modules/mini/jsx.js":
          "export const jsx = (type, props) => ({ by: 'mini', type, props }); export { jsx as jsxs, jsx as jsxDEV }; export const Fragment = 0;",
      },
    ),
    value: { by: "mini", type: "b", props: { a: 1, children: "x" } },
  },
  {
    it: "verbatimModuleSyntax: an import of types alone still loads the file",
    files: {
      "tool.ts": toolWith({ head: 'import { type A } from "./a.ts";', value: "(globalThis as any).LOADED ?? null" }),
      "a.ts": "(globalThis as any).LOADED = true; export type A = 1;",
      "tsconfig.json": '{ "compilerOptions": { "verbatimModuleSyntax": true } }',
    },
    value: null,
  },
];

for (const row of rows) settings(`go by ${row.it}`, () => same(row));

settings.run();

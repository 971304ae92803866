import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { licenseTexts, packagesOf } from "../build/bundle/packages.ts";
import { type Contents, renderLicenses, renderSbom } from "../build/release/sbom.ts";
import { folderWith } from "./project.ts";

const packages = suite("the packages inside");

const json = (name: string, more: object = {}) => JSON.stringify({ name, version: "1.0.0", main: "index.js", ...more });
const exports = "export const used = 1;";

/** A project that uses packages in every form that an installation takes. */
const files = {
  "app/package.json": json("app"),
  "app/tool.ts": `
import { used as a } from "plain";
import { used as b } from "@scope/object";
import { used as c } from "several";
import { used as d } from "plain/deep/file.js";
import { used as e } from "../lib/index.js";
import { used as f } from "silent";
import { used as g } from "again";
import {} from "unused";
import data from "./data.json";
console.log(a, b, c, d, e, f, g, data);`,
  "app/data.json": "{}",
  "app/node_modules/plain/package.json": json("plain", { license: "MIT" }),
  "app/node_modules/plain/index.js": exports,
  "app/node_modules/plain/deep/package.json": '{ "type": "module" }',
  "app/node_modules/plain/deep/file.js": exports,
  "app/node_modules/plain/LICENSE.md": "the licence\r\nof plain\r\n",
  "app/node_modules/plain/NOTICE": "a notice\n",
  "app/node_modules/plain/licenses.js": "no text of a licence? it is by its name",
  "app/node_modules/@scope/object/package.json": json("@scope/object", { license: { type: "ISC", url: "https://x" } }),
  "app/node_modules/@scope/object/index.js": exports,
  "app/node_modules/@scope/object/COPYING": "copy\n",
  "app/node_modules/several/package.json": json("several", { licenses: [{ type: "MIT" }, { type: "Apache-2.0" }] }),
  "app/node_modules/several/index.js": exports,
  "app/node_modules/silent/package.json": json("silent", { version: "2.0.0-beta+1" }),
  "app/node_modules/silent/index.js": exports,
  "app/node_modules/again/package.json": json("again", { license: "SEE LICENSE IN TERMS" }),
  "app/node_modules/again/index.js": 'export { used } from "plain";',
  "app/node_modules/again/node_modules/plain/package.json": json("plain", { license: "MIT" }),
  "app/node_modules/again/node_modules/plain/index.js": exports,
  "app/node_modules/unused/package.json": json("unused"),
  "app/node_modules/unused/index.js": exports,
  "lib/package.json": json("lib", { license: "(MIT OR Apache-2.0)" }),
  "lib/index.js": exports,
};

const workspace = folderWith(files);
const app = join(workspace, "app");
const inside = Object.keys(files).filter((file) => /\.(js|ts)$/.test(file) && !/unused|licenses/.test(file));
const found = await packagesOf(
  inside.map((file) => join(workspace, file)),
  app,
  "none",
);

packages("are named with version and licence, each once", () => {
  assert.equal(
    found.map(({ folder, ...one }) => one),
    [
      { name: "@scope/object", version: "1.0.0", license: "ISC" },
      { name: "again", version: "1.0.0", license: "SEE LICENSE IN TERMS" },
      { name: "lib", version: "1.0.0", license: "(MIT OR Apache-2.0)" },
      { name: "plain", version: "1.0.0", license: "MIT" },
      { name: "several", version: "1.0.0", license: "(MIT OR Apache-2.0)" },
      { name: "silent", version: "2.0.0-beta+1", license: undefined },
    ],
  );
});

packages("bring the texts of their licences", async () => {
  const plain = { name: "plain", version: "1.0.0", folder: join(app, "node_modules/plain") };
  assert.equal(await licenseTexts(plain), ["the licence\nof plain", "a notice"]);
});

const contents: Contents = {
  tool: { name: "math", version: "2.0.0", description: "Arithmetic" },
  packages: found.filter(({ name }) => ["@scope/object", "silent", "several"].includes(name)),
  engine: "1.4.5",
  maker: { name: "@code-first-agents/tool", version: "0.1.0" },
};

packages("are a bill of materials", () => {
  const component = { type: "library", version: "1.0.0" };
  const refs = [
    "pkg:npm/%40scope/object@1.0.0",
    "pkg:npm/several@1.0.0",
    "pkg:npm/silent@2.0.0-beta%2B1",
    "pkg:npm/bun@1.4.5",
  ];
  const [object, several, silent, bun] = refs.map((ref) => ({ "bom-ref": ref, purl: ref }));
  const bom = renderSbom(contents);
  assert.equal(JSON.parse(bom), {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      tools: { components: [{ type: "application", name: "@code-first-agents/tool", version: "0.1.0" }] },
      component: { type: "application", "bom-ref": "tool:math", ...contents.tool },
    },
    components: [
      { ...component, ...object, group: "@scope", name: "object", licenses: [{ expression: "ISC" }] },
      { ...component, ...several, name: "several", licenses: [{ expression: "(MIT OR Apache-2.0)" }] },
      { ...component, ...silent, name: "silent", version: "2.0.0-beta+1" },
      { ...component, ...bun, type: "platform", name: "bun", version: "1.4.5", licenses: [{ expression: "MIT" }] },
    ],
    dependencies: [{ ref: "tool:math", dependsOn: refs }],
  });
  assert.is(renderSbom(contents), bom);
});

const declared: [license: string, licenses: object[]][] = [
  ["MIT", [{ expression: "MIT" }]],
  ["GPL-2.0-only WITH Classpath-exception-2.0", [{ expression: "GPL-2.0-only WITH Classpath-exception-2.0" }]],
  ["(MIT AND (ISC OR 0BSD))", [{ expression: "(MIT AND (ISC OR 0BSD))" }]],
  ["SEE LICENSE IN TERMS", [{ license: { name: "SEE LICENSE IN TERMS" } }]],
  ["UNLICENSED", [{ license: { name: "UNLICENSED" } }]],
];

for (const [license, licenses] of declared)
  packages(`${license} is declared as CycloneDX has it`, () => {
    const one = { name: "one", version: "1.0.0", license, folder: "" };
    assert.equal(JSON.parse(renderSbom({ ...contents, packages: [one] })).components[0].licenses, licenses);
  });

packages("are listed with their licences", async () => {
  writeFileSync(join(app, "node_modules/several/LICENSE"), "the licence of several\n");
  const line = "=".repeat(80);
  assert.is(
    await renderLicenses(contents),
    `What is in math, and its licences.

${line}
@scope/object 1.0.0: ISC
${line}

copy

${line}
several 1.0.0: (MIT OR Apache-2.0)
${line}

the licence of several

${line}
silent 2.0.0-beta+1: no licence declared
${line}

It comes without the text.

${line}
bun 1.4.5: MIT
${line}

Bun links libraries with licences of their own: https://bun.com/docs/project/license
`,
  );
});

packages.run();

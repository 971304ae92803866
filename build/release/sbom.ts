import { licenseTexts, type Package } from "../bundle/packages.ts";

/** What an executable is made of: the tool, and all that is in it beside. */
export type Contents = {
  tool: { name: string; version?: string | undefined; description: string };
  packages: readonly Package[];
  /** The version of Bun. */
  engine: string;
  /** The package of `cfa`, which made it. */
  maker: { name: string; version: string };
};

type Component = Pick<Package, "name" | "version" | "license">;

/** A bill of materials in CycloneDX 1.6. It tells nothing of when or where it was made: equal for equal contents. */
export function renderSbom({ tool, packages, engine, maker }: Contents): string {
  const ref = `tool:${tool.name}`;
  const components = [...packages.map((one) => componentOf(one, "library")), componentOf(bun(engine), "platform")];
  const bom = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      tools: { components: [{ type: "application", name: maker.name, version: maker.version }] },
      component: { type: "application", "bom-ref": ref, ...tool },
    },
    components,
    dependencies: [{ ref, dependsOn: components.map((one) => one["bom-ref"]) }],
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}

/** The licences of everything inside, with their texts. */
export async function renderLicenses({ tool, packages, engine }: Contents): Promise<string> {
  const texts = await Promise.all(packages.map(async (one) => renderLicense(one, await licenseTexts(one))));
  const ofBun = renderLicense(bun(engine), [
    "Bun links libraries with licences of their own: https://bun.com/docs/project/license",
  ]);
  return `What is in ${tool.name}, and its licences.\n\n${[...texts, ofBun].join("\n")}`;
}

const bun = (version: string): Component => ({ name: "bun", version, license: "MIT" });

function componentOf({ name, version, license }: Component, type: "library" | "platform") {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${encodeURIComponent(version)}`;
  const [group, plain] = name.startsWith("@") ? name.split("/") : [undefined, name];
  const licenses =
    license === undefined
      ? undefined
      : [isExpression(license) ? { expression: license } : { license: { name: license } }];
  return { type, "bom-ref": purl, group, name: plain, version, licenses, purl };
}

/** SPDX's grammar, not its list: `SEE LICENSE IN file`, which npm allows beside, is no expression. */
function isExpression(license: string): boolean {
  return /^\(*[\w.+-]+\)*( (AND|OR|WITH) \(*[\w.+-]+\)*)*$/.test(license) && license !== "UNLICENSED";
}

function renderLicense({ name, version, license }: Component, texts: string[]): string {
  const title = `${name} ${version}: ${license ?? "no licence declared"}`;
  const body = texts.length > 0 ? texts.join("\n\n") : "It comes without the text.";
  return `${"=".repeat(80)}\n${title}\n${"=".repeat(80)}\n\n${body}\n`;
}

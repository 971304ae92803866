import type { Inspection } from "./inspect.ts";

/** What was found in an executable, as text for people; `--json` has the schemas as well. */
export function renderInspection(found: Inspection): string {
  const { name, version, description, subcommands, target, engine, cfa, prelude, packages, damage } = found;
  const rows: [name: string, lines: string[]][] = [
    ["target", [target]],
    ["engine", [`Bun ${engine.version}`, `sha256 ${engine.sha256}`]],
    ["made by", [`cfa ${cfa}`]],
    ["prelude", [prelude ? "yes" : "no"]],
    ["intact", damage.length === 0 ? ["yes"] : ["no", ...damage]],
    ["packages", packages.map((one) => `${one.name} ${one.version}${one.license ? ` (${one.license})` : ""}`)],
    ["subcommands", subcommands.map((one) => `${one.name}: ${one.description}`)],
  ];
  const title = `${name}${version === undefined ? "" : ` ${version}`}: ${description}`;
  return `${title}\n${rows.map(([name, lines]) => renderRow(name, lines)).join("")}`;
}

function renderRow(name: string, lines: string[]): string {
  return lines.map((line, at) => `  ${(at === 0 ? name : "").padEnd(12)} ${line}\n`).join("");
}

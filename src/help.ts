import type { Listed } from "./envelope.ts";
import type { JsonSchema, ToolMeta } from "./types.ts";

/** `help` as text, for a person at a terminal. */
export function renderHelp({ name, version, description }: ToolMeta, subcommands: readonly Listed[]): string {
  const title = [name, version].filter(Boolean).join(" ");
  const usage = `usage: ${name} <subcommand> [--flag value] …`;
  const more = `${name} schema prints the JSON Schemas, ${name} help --json this as JSON.`;
  return [`${title} · ${description}`, usage, ...subcommands.map(renderSubcommand), more].join("\n\n");
}

function renderSubcommand({ name, description, input_schema }: Listed): string {
  return [`  ${name}  ${description}`, ...renderFlags(input_schema)].join("\n");
}

function renderFlags({ properties = {}, required = [] }: JsonSchema): string[] {
  const needed = required as string[];
  const flags = Object.entries(properties as Record<string, JsonSchema>).map(([key, schema]) => ({
    flag: key === "_" ? "…" : `--${key}`,
    words: [typeName(schema), needed.includes(key) ? "required" : defaultOf(schema), schema["description"]],
  }));
  const width = Math.max(...flags.map(({ flag }) => flag.length));
  return flags.map(({ flag, words }) => `      ${flag.padEnd(width)}  ${words.filter(Boolean).join(", ")}`);
}

function typeName({ type, enum: values, anyOf, const: only }: JsonSchema): string {
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (Array.isArray(anyOf)) return anyOf.map((branch) => typeName(branch as JsonSchema)).join(" | ");
  return typeof type === "string" ? type : "value";
}

function defaultOf(schema: JsonSchema): string {
  return "default" in schema ? `default ${JSON.stringify(schema["default"])}` : "";
}

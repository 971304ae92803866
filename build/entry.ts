import type { Described, Frozen, Manifest } from "../src/manifest.ts";

/** The source of the executable: data, and one call. */
export function renderEntry(manifest: Manifest): string {
  return `import { start } from "./entry.js";\nstart(${JSON.stringify(freeze(manifest))}, () => import("./tool.js"));\n`;
}

function freeze({ subcommands, ...words }: Manifest): Frozen {
  return { ...words, subcommands: subcommands.map(freezeSubcommand) };
}

function freezeSubcommand({ input, output, loose, ...words }: Described): Frozen["subcommands"][number] {
  return {
    ...words,
    input: JSON.stringify(input),
    output: JSON.stringify(output),
    ...(loose && { loose: JSON.stringify(loose) }),
  };
}

import { isBuiltin, readLine, splitAtDashes, withoutDashes } from "./argv.ts";
import { declares } from "./fields.ts";
import type { JsonSchema } from "./types.ts";

/** What a command line asks for; `json` tells that `--json` stood behind it, `tokens` is what the input is read from. */
export type Request =
  | { to: "schema" | "help"; name?: string; json: boolean }
  | { to: "call"; name: string; tokens: readonly string[] };

/**
 * Finds out what a command line asks for. `inputSchema` is called only where the answer depends on it, and gives
 * undefined for a name that is no subcommand: `--help`, `--schema` and `-h` belong to a subcommand that declares them.
 */
export async function readRequest(
  argv: readonly string[],
  inputSchema: (subcommand: string) => JsonSchema | undefined | Promise<JsonSchema | undefined>,
): Promise<Request> {
  const name = argv[0] === "-h" ? "help" : withoutDashes(argv[0] ?? "");
  const tokens = argv.slice(1);
  if (isBuiltin(name)) return builtin(name, tokens.find(isWord), tokens);

  const call: Request = { to: "call", name, tokens };
  const { head } = splitAtDashes(tokens);
  if (!head.some((token) => token === "-h" || /^--(help|schema)(=|$)/.test(token))) return call;
  const schema = await inputSchema(name);
  if (name === "version" && schema === undefined) return call; // a builtin: what stands behind it is ignored

  const { sent, positional, fields } = readLine(head, schema ?? {});
  const asked = sent.map(({ key }) => key).find((key) => isBuiltin(key) && !declares(fields, key));
  if (asked === undefined && !positional.includes("-h")) return call;
  return builtin(asked === "schema" ? asked : "help", name || undefined, head);
}

function builtin(to: "schema" | "help", name: string | undefined, tokens: readonly string[]): Request {
  return { to, ...(name !== undefined && { name }), json: tokens.includes("--json") };
}

const isWord = (token: string) => !token.startsWith("-");

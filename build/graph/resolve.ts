import { realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";

/** How the engine loads a module: its conditions differ. */
export type How = "import" | "require";

/** Where a specifier leads: a file, a module of the engine, or nowhere. */
export type Resolved = { to: "file"; path: string } | { to: "engine"; name: string } | { to: "nowhere"; why: string };

/** Resolves as the engine does that runs the source. */
export function resolve(specifier: string, importer: string, how: How): Resolved {
  try {
    const asked = specifier.startsWith("file:") ? fileURLToPath(specifier) : specifier;
    if (/^(data|https?|blob):/.test(asked)) return { to: "engine", name: asked };
    const path = how === "import" ? Bun.resolveSync(asked, dirname(importer)) : createRequire(importer).resolve(asked);
    return isAbsolute(path)
      ? { to: "file", path: realpathSync(path.split("?")[0] as string) }
      : { to: "engine", name: path };
  } catch (error) {
    const beside = /^\.{0,2}\//.test(specifier) ? join(dirname(importer), specifier) : "";
    if (beside !== "" && statSync(beside, { throwIfNoEntry: false })?.isFile())
      return { to: "file", path: realpathSync(beside) }; // Bun takes a backslash for a slash
    return { to: "nowhere", why: error instanceof Error ? error.message : String(error) };
  }
}

import { homedir } from "node:os";
import { join } from "node:path";

/** The folder for what is expensive to get again, by the custom of the system; all of it may be deleted. */
export function cacheFolder({ platform, env } = process): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = env;
  if (XDG_CACHE_HOME) return join(XDG_CACHE_HOME, "cfa");
  if (platform === "win32") return join(LOCALAPPDATA ?? join(homedir(), "AppData", "Local"), "cfa", "cache");
  return join(homedir(), ...(platform === "darwin" ? ["Library", "Caches"] : [".cache"]), "cfa");
}

import type { Metafile } from "esbuild";

/**
 * Where it does not minify, esbuild says in front of each module where it is from. For those outside the project that is the
 * way there, which is another one on another machine.
 */
export function withoutPlaces(text: string, { inputs }: Metafile): string {
  return text.replace(/^\/\/ (\.\.\/.+)$/gm, (comment, path: string) => (Object.hasOwn(inputs, path) ? "//" : comment));
}

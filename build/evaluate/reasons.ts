import { mapStack } from "../../src/frames.ts";
import type { Live, Manifest } from "../../src/manifest.ts";
import type { Read } from "../../src/observe.ts";
import type { Bundle } from "../bundle/bundle.ts";
import type { Plan } from "../plan.ts";

/** What a tool reads that may be other in another run of one of its executables. */
export function changingReads(reads: readonly Read[], { products, host }: Plan): Read[] {
  const isOfOneKind = products.every(({ target }) => kindOf(target.name) === kindOf(host.name));
  return reads.filter(({ platform }) => !platform || !isOfOneKind);
}

/** The system and the machine, without the C library. */
const kindOf = (target: string) => target.split("-").slice(0, 2).join("-");

/** The variables among what is read. */
export function variablesIn(reads: readonly Read[]): Live["variables"] {
  if (reads.some(({ what }) => what === ENVIRONMENT)) return "all";
  const start = `${ENVIRONMENT}.`;
  return reads.flatMap(({ what }) => (what.startsWith(start) ? [what.slice(start.length)] : []));
}

/** Why the tool is loaded for every answer, a line for each thing that it reads, with its place. */
export function reasonsOf(reads: readonly Read[], { run }: Manifest, bundle: Bundle): string[] {
  const isWhole = reads.some(({ what }) => what === ENVIRONMENT);
  const told = isWhole ? reads.filter(({ what }) => !what.startsWith(`${ENVIRONMENT}.`)) : reads;
  const lines = told.map(({ what, stack }) => `${placeOf(stack, bundle)}it reads ${what}`);
  if (run === "other" && !reads.some(({ what }) => what === "process.argv"))
    lines.push(`${LOADED}\`run\` is given other words than the command line's`);
  const more = lines.length - MOST;
  return more > 0 ? [...lines.slice(0, MOST), `… and ${more} more that it reads`] : lines;
}

const ENVIRONMENT = "process.env";
const LOADED = "the tool is loaded for every answer, because ";
const MOST = 8;

/** Where the author's file, or a package's, stands first in a stack. */
function placeOf(stack: string, { lines, folder }: Bundle): string {
  const frames = mapStack(stack, lines, folder).split("\n");
  const [, place] = frames.map((frame) => PLACE.exec(frame)).find(Boolean) ?? [];
  return place === undefined ? LOADED : `${place}: ${LOADED}`;
}

const PLACE = /^ +at (?:.* \()?(?!native|node:|internal:|bun:)([^():]+:\d+):\d+\)?$/;

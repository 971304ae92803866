/** A source map of version 3. A source is null whose frames mean nothing to the author of a tool. */
export type SourceMap = { sources: (string | null)[]; mappings: string };

/** The source maps of bundled files, by their names. */
export type SourceMaps = Record<string, SourceMap>;

/** A frame as Bun prints it; what is longer is the author's message, on which no pattern may waste time. */
const FRAME = /^ +at .{0,1000}$/;
const PLACE = /[^\s()]*?([\w.-]+\.js):(\d+):(\d+)/;

/** A stack whose frames name the author's files and lines; the frames of the framework are left out. */
export function mapStack(stack: string, maps: SourceMaps): string {
  return stack
    .split("\n")
    .flatMap((frame) => mapFrame(frame, maps) ?? [])
    .join("\n");
}

function mapFrame(frame: string, maps: SourceMaps): string | undefined {
  const [place, file = "", line, column] = (FRAME.test(frame) && PLACE.exec(frame)) || [];
  const map = Object.hasOwn(maps, file) ? maps[file] : undefined;
  if (place === undefined || !map) return frame;
  const original = locate(map, Number(line) - 1, Number(column) - 1);
  return original && frame.replace(place, original);
}

function locate({ sources, mappings }: SourceMap, line: number, column: number): string | undefined {
  let found: string | undefined;
  let source = 0;
  let sourceLine = 0;
  let sourceColumn = 0;
  for (const [at, segments] of mappings
    .split(";")
    .slice(0, line + 1)
    .entries()) {
    let start = 0;
    for (const segment of segments ? segments.split(",") : []) {
      const [toStart = 0, toSource = 0, toLine = 0, toColumn = 0] = decode(segment);
      start += toStart;
      source += toSource;
      sourceLine += toLine;
      sourceColumn += toColumn;
      if (at < line) continue;
      if (start > column) return found;
      const name = sources[source];
      found = name ? `${name}:${sourceLine + 1}:${sourceColumn + 1}` : undefined;
    }
  }
  return found;
}

export const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The numbers of a segment: base 64, five bits a digit with a sixth that says whether more follow, the sign lowest. */
export function decode(segment: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const letter of segment) {
    const digit = DIGITS.indexOf(letter);
    value += (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    value = shift = 0;
  }
  return numbers;
}

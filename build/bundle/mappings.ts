import { DIGITS, decode } from "../../src/frames.ts";
import type { Edit } from "../rewrite/edits.ts";

/** The mappings of a source map, after edits of the text that they lead from. */
export function movedBy(edits: readonly Edit[], text: string, mappings: string): string {
  const sorted = edits.toSorted((one, other) => one.at - other.at);
  let start = 0;
  let next = 0;
  const lines = text.split("\n").map((line) => {
    const end = start + line.length;
    const moves: Move[] = [];
    for (let edit = sorted[next]; edit && edit.end <= end; edit = sorted[++next])
      moves.push({ column: edit.at - start, by: edit.text.length - (edit.end - edit.at) });
    start = end + 1;
    return moves;
  });
  const moved = (segments: string, line: number) => (lines[line]?.length ? moveIn(segments, lines[line]) : segments);
  return mappings.split(";").map(moved).join(";");
}

/** What stands behind a column is moved by so many columns. */
type Move = { column: number; by: number };

/** Moves in the order of their columns, over segments in the order of theirs. */
function moveIn(segments: string, moves: readonly Move[]): string {
  let column = 0;
  let next = 0;
  const move = (segment: string) => {
    const [toColumn = 0, ...others] = decode(segment);
    column += toColumn;
    let by = 0;
    for (let one = moves[next]; one && one.column < column; one = moves[++next]) by += one.by;
    return by === 0 ? segment : encode([toColumn + by, ...others]);
  };
  return segments === "" ? "" : segments.split(",").map(move).join(",");
}

function encode(numbers: readonly number[]): string {
  let segment = "";
  for (const number of numbers) {
    let rest = number < 0 ? (-number << 1) | 1 : number << 1;
    do {
      segment += DIGITS[(rest & 31) | (rest > 31 ? 32 : 0)];
      rest >>>= 5;
    } while (rest > 0);
  }
  return segment;
}

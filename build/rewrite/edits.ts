/** What is written in the place of a piece of a source. */
export type Edit = { at: number; end: number; text: string };

export const insertion = (at: number, text: string): Edit => ({ at, end: at, text });

/** A source with all edits made, none of which lies in another. */
export function applied(source: string, edits: readonly Edit[]): string {
  let done = 0;
  const pieces = edits
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, end, text }) => {
      const piece = source.slice(done, at) + text;
      done = end;
      return piece;
    });
  return pieces.join("") + source.slice(done);
}

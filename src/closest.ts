/** The words that a misspelt word was probably meant to be, best first. */
export function closest(word: string, words: readonly string[]): string[] {
  const typed = plain(word);
  return words
    .map((candidate) => ({ candidate, distance: distance(typed, plain(candidate)) }))
    .filter(({ candidate, distance }) => distance <= mostFor(candidate) && distance < candidate.length)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

const plain = (word: string) => word.toLowerCase().replace(/[-_]/g, "");

const mostFor = (candidate: string) => Math.max(1, candidate.length / 3);

/** How many letters to add, drop, change or swap with their neighbour; a beginning of the other word is close. */
function distance(typed: string, candidate: string): number {
  if (typed.length > 2 && typed !== candidate && candidate.startsWith(typed)) return 1;
  if (Math.abs(typed.length - candidate.length) > mostFor(candidate)) return Number.POSITIVE_INFINITY;

  let before: number[] = [];
  let above = Array.from({ length: candidate.length + 1 }, (_, column) => column);
  for (let row = 1; row <= typed.length; row++) {
    const current = [row];
    for (let column = 1; column <= candidate.length; column++) {
      const isSame = typed[row - 1] === candidate[column - 1];
      const isSwap = typed[row - 1] === candidate[column - 2] && typed[row - 2] === candidate[column - 1];
      current[column] = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, above] = [above, current];
  }
  return above[candidate.length] ?? 0;
}

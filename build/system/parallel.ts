import { availableParallelism, freemem } from "node:os";

/** Works on all items, as many at a time as the machine has cores and memory for; the results stand in their order. */
export async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries(); // all workers take from the same one
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(items.length, mostAtATime()) }, worker));
  return results;
}

/** What Bun's compiler and we take at most for one executable. */
const BYTES_EACH = 800e6;

function mostAtATime(): number {
  return Math.max(1, Math.min(availableParallelism(), Math.floor(freemem() / BYTES_EACH)));
}

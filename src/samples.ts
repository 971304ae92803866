import { accept } from "./accept.ts";
import { isPlainObject } from "./json.ts";
import type { Plain } from "./plain.ts";
import type { Bounds, Text } from "./rules.ts";
import { isAccepted } from "./scalars.ts";

type Samples = Iterable<unknown>;

/** Values to try a schema with: of its kind, at its bounds and beside them, and of other kinds. The same ones each time. */
export function* samplesOf(plain: Plain): Generator<unknown> {
  yield* OTHERS;
  yield* ofKind(plain);
}

const OTHERS = [undefined, null, true, 0, "", [], {}, { a: 1 }];

function ofKind(plain: Plain): Samples {
  switch (plain.is) {
    case "string":
      return textsOf(plain);
    case "number":
      return [...numbersOf(plain)];
    case "date":
      return [...numbersOf(plain), NaN].map((time) => new Date(time));
    case "boolean":
    case "null":
    case "any":
      return [true, false, null, "a", { a: [1] }];
    case "value":
      return [...plain.of, ...plain.of.map((value) => `${value} `)];
    case "array":
      return listsOf(plain.of, [plain.least ?? 0, plain.most ?? 3]);
    case "tuple":
      return tuplesOf(plain.of, plain.rest);
    case "object":
      return objectsOf(plain.fields);
    case "record":
      return recordsOf(plain.of, plain.keys ?? { is: "string" });
    case "coerced":
      return inTurns([samplesOf(plain.of), TEXTS, [Number.NaN, "x"]]);
    case "pipe":
    case "union":
      return inTurns(plain.of.map(samplesOf));
    default:
      return samplesOf(plain.of);
  }
}

/** Of each list one, then of each the next. */
function* inTurns(lists: readonly Samples[]): Generator<unknown> {
  let open = lists.map((list) => list[Symbol.iterator]());
  while (open.length > 0) {
    const items = open.map((list) => ({ list, item: list.next() })).filter(({ item }) => !item.done);
    for (const { item } of items) yield item.value;
    open = items.map(({ list }) => list);
  }
}

const TEXTS = [
  "a,A,ab,A b,  a ,\u00a0a,ü,😀,😀a,ß,5, 5 ,-5,5e3,1e21,0x10,007,true,false,null,[1],a-b_c.d,a/b,A1,abc123,v1.2.3,a@b.co,A+b@c-d.museum,a@b",
  "http://a.b,https://a.b/,https://a.b/c?d=e#f,HTTP://A.b,http:/a.b, https://a.b ,mailto:a@b.co,x:y,2020-02-29,2021-02-29,2020-01-01T00:00:00Z",
  "2020-01-01T10:20:30.123+01:00,2020-01-01T10:20,10:20,10:20:30,24:00,P1DT2H,P1W,1.2.3.4,256.1.1.1,1.2.3.4/8,+4915112345678,V1StGXR8_Z5jdHi6B-myT",
  "00000000-0000-0000-0000-000000000000,f81d4fae-7dec-11d0-a765-00a0c91e6bf6,F81D4FAE-7DEC-41D0-A765-00A0C91E6BF6,01890a5d-ac96-774b-bcce-b302099a8057",
  "cjld2cjxh0000qzrmn831i7rn,tz4a98xxat96iws9zmbrgj3a,01ARZ3NDEKTSV4RRFFQ69G5FAV,9m4e2mr0ui3e8a215n4g,0ujtsYcgvSTl8PAuAdqWYSMnLOv",
].flatMap((line) => line.split(","));

function* textsOf({ least = 0, most, next }: Text): Generator<string> {
  for (const length of [least, most ?? least + 3]) yield* lengthsAt(length);
  if (next) for (const text of textsOf(next[1])) yield* [text, ` ${text}`, text.toUpperCase()];
  yield* TEXTS;
  yield* lengthsAt(300);
}

/** At 100,000 characters a text costs more than it can tell. */
const lengthsAt = (length: number) =>
  [length - 1, length, length + 1]
    .filter((count) => count >= 0 && count < 1e5)
    .flatMap((count) => ["a".repeat(count), "😀".repeat(count), `${"b".repeat(Math.max(0, count - 1))} `]);

function numbersOf({ bounds = [], steps = [] }: Bounds): number[] {
  const near = bounds.flatMap(([, limit]) => [limit, limit - 1, limit + 1, limit + 0.5]);
  const multiples = steps.flatMap((step) => [step, -step, 3 * step, step + 1, step / 2]);
  const product = steps.reduce((all, step) => all * step, 1);
  const wide = [0, -0, 1, -1, 0.5, 12, 1e9, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, 2 ** 53, -(2 ** 53), 1e21, 1e-7, 1e300];
  return [...near, ...multiples, product, ...wide];
}

function* listsOf(of: Plain, lengths: readonly number[]): Generator<unknown> {
  const good = goodOf(of);
  for (const length of lengths.flatMap((length) => [length, length - 1, length + 1]))
    if (length >= 0 && length < 100) yield Array(length).fill(good);
  const least = Math.min(Math.max(lengths[0] ?? 0, 1), 100);
  for (const item of samplesOf(of)) yield [...Array(least - 1).fill(good), item];
}

function* tuplesOf(of: readonly Plain[], rest: Plain | undefined): Generator<unknown> {
  const good = of.map(goodOf);
  yield* [good, good.slice(1), [...good, 1], [...good, ...(rest ? [goodOf(rest), goodOf(rest)] : [])]];
  const places = of.map((item, at) => map(samplesOf(item), (sample) => good.with(at, sample)));
  yield* inTurns([...places, ...(rest ? [map(samplesOf(rest), (sample) => [...good, sample])] : [])]);
}

function* objectsOf(fields: Record<string, Plain>): Generator<unknown> {
  const entries = Object.entries(fields);
  const good = Object.fromEntries(
    entries.map(([key, field]) => [key, goodOf(field)]).filter(([, value]) => value !== undefined),
  );
  const without = entries.map(([key]) => Object.fromEntries(Object.entries(good).filter(([name]) => name !== key)));
  yield* [good, { ...good, more: 1 }, { toString: 1, ...good }, ...without];
  yield Object.fromEntries(Object.entries(good).reverse());
  yield* inTurns(entries.map(([key, field]) => map(samplesOf(field), (sample) => ({ ...good, [key]: sample }))));
}

function* recordsOf(of: Plain, keys: Plain): Generator<unknown> {
  const [key = "a", value] = [goodOf(keys), goodOf(of)];
  yield* map(ofKind(keys), (name) => ({ [String(name)]: value }));
  yield* map(samplesOf(of), (sample) => ({ [String(key)]: sample }));
  yield { b: value, 1: value, a: value };
}

function* map(list: Samples, change: (item: unknown) => unknown): Generator<unknown> {
  for (const item of list) yield change(item);
}

const found = new Map<string, unknown>();

/** A value that is taken, the most telling of the first ones; none for what is only optional. */
function goodOf(plain: Plain): unknown {
  const text = JSON.stringify(plain);
  if (!found.has(text)) found.set(text, findGood(plain));
  return found.get(text);
}

function findGood(plain: Plain): unknown {
  let count = 0;
  let good: unknown;
  for (const sample of samplesOf(plain)) {
    if (count++ > 300) break;
    if (!isAccepted(accept(plain, sample))) continue;
    good = sample;
    if (sample !== null && !isEmpty(sample)) break;
  }
  return good;
}

const isEmpty = (value: unknown) =>
  value === undefined ||
  (typeof value === "string" && value.trim() === "") ||
  (isPlainObject(value) && Object.keys(value).length === 0);

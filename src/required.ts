/** The two sides of a schema: what may be sent, and what comes out. */
export type Io = "input" | "output";

type Result = { success: boolean; data?: unknown };

/** A schema that can be asked. */
export type Oracle = { parse: (value: unknown) => Result; parseAsync: (value: unknown) => Promise<Result> };

/** What one generation of Zod must tell: the object schema `{ key: field }`, and what a piped field ends in. */
export type Dialect<Field> = {
  holder: (key: string, field: Field) => Oracle;
  end: (field: Field) => Field | undefined;
};

/** The keys of these fields that an object must have to be accepted (input), or always has (output). */
export async function requiredKeys<Field>(zod: Dialect<Field>, fields: [string, Field][], io: Io): Promise<string[]> {
  const required = await Promise.all(fields.map(([key, field]) => isRequired(zod, key, field, io)));
  return fields.flatMap(([key], index) => (required[index] ? [key] : []));
}

async function isRequired<Field>(zod: Dialect<Field>, key: string, field: Field, io: Io): Promise<boolean> {
  const fate = await fateOf(zod.holder(key, field), key, io);
  const end = io === "output" && fate === "refused" ? zod.end(field) : undefined;
  return end === undefined ? demands(fate, io) : isRequired(zod, key, end, io);
}

/** What becomes of an absent key: the object is refused, the key stays absent, or it is filled in. */
export type Fate = "refused" | "absent" | "filled";

/** Whether this fate makes the key a required one. */
export function demands(fate: Fate | undefined, io: Io): boolean {
  return io === "input" ? fate === "refused" : fate !== "absent";
}

/** Asks an object schema for the fate of one key. */
export async function fateOf(object: Oracle, key: string, io: Io): Promise<Fate> {
  // What comes out as undefined is printed as an absent key.
  const nothing: object = Object.create(null); // a plain {} has a `toString`, which Zod finds in it
  const inputs = io === "input" ? [nothing] : [nothing, { [key]: undefined }];
  const outputs = (await Promise.all(inputs.map((input) => ask(object, input)))).filter(
    (output) => output !== undefined,
  );
  if (outputs.length === 0) return "refused";
  return outputs.every((output) => Object.hasOwn(output, key) && output[key] !== undefined) ? "filled" : "absent";
}

/** What a schema makes of a value; nothing where it refuses it, throws, or is async. */
async function ask(object: Oracle, value: object): Promise<Record<string, unknown> | undefined> {
  try {
    // Only a sync run tells sync from async, but it drops the promise that it meets, whose rejection nobody would then
    // handle: so it follows an async run that went well at once.
    const first = await Promise.race([object.parseAsync(value), nextTurn()]);
    return first?.success ? (object.parse(value).data as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function nextTurn(): Promise<undefined> {
  return new Promise((resolve) => setImmediate(resolve, undefined));
}

const words = (text: string) => new Set(text.trim().split(/\s+/));

/** What of Zod changes more than it returns, or calls the author's functions at once. */
export const EFFECTS =
  words(`config setErrorMap registry parse parseAsync safeParse safeParseAsync encode decode encodeAsync
  decodeAsync safeEncode safeDecode safeEncodeAsync safeDecodeAsync toJSONSchema prettifyError treeifyError formatError
  flattenError globalRegistry function`);

/** What looks into all schemas that there are, or changes how they are made. */
export const GLOBAL = words("globalRegistry globalConfig postProcessor memoizer");

/** The methods of schemas that return another schema and call nothing of the author's at once. */
export const METHODS =
  words(`optional nullable nullish nonoptional exactOptional default prefault catch describe meta brand
  readonly pipe transform refine superRefine overwrite check and or array element unwrap clone min max length nonempty size
  regex includes startsWith endsWith trim normalize toLowerCase toUpperCase lowercase uppercase email url uuid guid emoji nanoid
  cuid cuid2 ulid xid ksuid ipv4 ipv6 cidrv4 cidrv6 base64 base64url jwt e164 datetime date time duration int int32 uint32 safe
  finite positive negative nonpositive nonnegative multipleOf step gt gte lt lte mime strict strip passthrough loose catchall
  extend safeExtend merge pick omit partial required keyof exclude extract rest`);

/** The methods of schemas that are called for their answer. */
export const QUESTIONS = words("parse parseAsync safeParse safeParseAsync isOptional isNullable");

/** The methods of texts and lists that call nothing and change nothing. */
export const READING = words(`includes indexOf lastIndexOf join slice concat at keys values entries toString toLowerCase
  toUpperCase trim split startsWith endsWith repeat padStart padEnd`);

/** What of `Object` reads alone. */
export const OBJECTS = words("keys values entries fromEntries");

export const RUNTIME = words("l1Output l2Output l3Output dataTypeOutput classificationTypeOutput procedureTypeOutput");

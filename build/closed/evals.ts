/** Whether a source may make code of text, in which no build sees what is imported. It may also only look like it. */
export const mayEvaluate = (source: string): boolean => EVALUATING.test(source);

const EVALUATING = new RegExp(
  [
    String.raw`\beval\b`,
    String.raw`\bShadowRealm\b`,
    String.raw`\bFunction\b(?!\s*\.)(?!\s*\(\s*(["'])return this\1\s*\))`, // which is an old name of globalThis
    String.raw`\.\s*constructor\b(?!\s*(?:[.,]|[!=]==?))`, // AsyncFunction has no other name
    String.raw`\[\s*["'\x60]constructor["'\x60]\s*\]`,
  ].join("|"),
);

import type { ChatbotContent } from '@parley/contracts';

export type Field = keyof ChatbotContent;
export const fields = [
  'name',
  'glyph',
  'instructions',
  'starters',
  'model',
  'fallback',
  'temperature',
  'knowledge',
  'audience',
] as const satisfies readonly Field[];

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The parts in which two contents differ, in the order in which they stand on the page. */
export const differing = (one: ChatbotContent, other: ChatbotContent): Field[] =>
  fields.filter((field) => !isSame(one[field], other[field]));

export const isSameContent = (one: ChatbotContent, other: ChatbotContent): boolean =>
  differing(one, other).length === 0;

/**
 * What two have made of the same beginning: each part as whoever changed it has it. Of what both have changed, each to
 * something else, `merged` has mine, and `conflicts` names it.
 */
export function mergeContents(
  base: ChatbotContent,
  mine: ChatbotContent,
  theirs: ChatbotContent,
): { merged: ChatbotContent; conflicts: Field[] } {
  const isTheirs = (field: Field) => isSame(mine[field], base[field]);
  const merged = { ...mine, ...pick(theirs, fields.filter(isTheirs)) };
  const conflicts = differing(mine, theirs).filter((field) => !isTheirs(field) && !isSame(theirs[field], base[field]));
  return { merged, conflicts };
}

/** A content with some parts of another one. */
export const withParts = (content: ChatbotContent, parts: readonly Field[], of: ChatbotContent): ChatbotContent => ({
  ...content,
  ...pick(of, parts),
});

function pick(content: ChatbotContent, parts: readonly Field[]): Partial<ChatbotContent> {
  return Object.fromEntries(parts.map((field) => [field, content[field]]));
}

import { slugFrom } from '@parley/contracts';
import anyAscii from 'any-ascii';

/** Where the numbers end: beyond it a name is a common one, and its numbers are taken. */
const mostNumbered = 3;

/** The URL name that a name suggests; one without Latin letters is transliterated first. */
export const suggestedSlug = (name: string): string => slugFrom(name) || slugFrom(anyAscii(name)) || 'organisation';

/**
 * The URL name for another attempt after it was taken: `name`, `name-2`, `name-3`, then `name-` and a random ending, which
 * no number of organisations of that name exhausts.
 */
export function slugCandidate(slug: string, attempt: number, randomEnding: () => string): string {
  if (attempt === 1) return slug;
  return `${slug}-${attempt <= mostNumbered ? attempt : randomEnding()}`;
}

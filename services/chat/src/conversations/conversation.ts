import { withoutInvisible, type Conversation } from '@parley/contracts';
import type { StoredConversation } from './conversation.collection.ts';

const titleLength = 60;
/** So much of a first line is looked at: it may be a whole page, half of it invisible. */
const lookedAt = 1_000;

/** The first line of the first question, cut at a word. */
export function titleFrom(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  const plain = withoutInvisible(line.slice(0, lookedAt)).replaceAll(/\s+/g, ' ').trim();
  if (plain.length <= titleLength) return plain || '…';
  const cut = plain.slice(0, titleLength);
  const lastSpace = cut.lastIndexOf(' ');
  return `${(lastSpace > titleLength / 2 ? cut.slice(0, lastSpace) : cut).trimEnd()}…`;
}

export function toConversation(stored: StoredConversation): Conversation {
  return {
    id: stored._id,
    title: stored.title,
    sequence: stored.sequence,
    running: stored.running !== null,
    runningAnswer: stored.running && { generationId: stored.running.generationId, answerId: stored.running.answerId },
    createdAt: stored.createdAt.toISOString(),
    lastActivityAt: stored.lastActivityAt.toISOString(),
    version: stored.version,
  };
}

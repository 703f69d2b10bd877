import type { Conversation, ConversationId, GenerationId, MessageId, OrgId, UserId } from '@parley/contracts';

export type RunningAnswer = { readonly generationId: GenerationId; readonly answerId: MessageId };

/** A conversation as stored. `running` is the answer being written; one at a time. */
export type StoredConversation = {
  readonly _id: ConversationId;
  readonly orgId: OrgId;
  readonly ownerId: UserId;
  readonly title: string;
  readonly sequence: number;
  readonly lastPosition: number;
  readonly running: RunningAnswer | null;
  readonly isDeleted: boolean;
  readonly deletedAt: Date | null;
  readonly createdAt: Date;
  readonly lastActivityAt: Date;
  readonly version: number;
};

const titleLength = 60;

/** The first line of the first question, cut at a word. */
export function titleFrom(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  const plain = line.replaceAll(/\s+/g, ' ').trim();
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

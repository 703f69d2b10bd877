import { withoutInvisible, type Conversation } from '@parley/contracts';
import type { StoredConversation } from './conversation.collection.ts';

const titleLength = 60;
/** The most characters of a question that are read: its first line can be a whole page, half of it invisible. */
const lookedAt = 1_000;

/** Matches only before a comma, an exclamation mark or the end of the line: "Hello world in Rust?" greets nobody. */
const greeting =
  /^(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|hallo|moin|servus|guten (?:morgen|tag|abend)|السلام عليكم|مرحب[اًا]+|أهل[اًا]+|صباح الخير|مساء الخير)(?: (?:there|all|everyone|team|zusammen|parley|بكم|بك))?\s*(?:[,!،][\s,!.،]*|$)/iu;

/**
 * Returns a title of at most 60 characters: the first line of a question that is more than a greeting, without its
 * greeting, cut at a word.
 */
export function titleFrom(text: string): string {
  const lines = text
    .slice(0, lookedAt)
    .split('\n')
    .map((line) => withoutInvisible(line).replaceAll(/\s+/g, ' ').trim());
  const first = lines.find((line) => line !== '') ?? '';
  const plain = lines.map(withoutGreeting).find((line) => line !== '') ?? first;
  return fittingTitle(plain) || '…';
}

/** Returns the line, cut at a word if it is too long for a title. */
export function fittingTitle(line: string): string {
  if (line.length <= titleLength) return line;
  const cut = line.slice(0, titleLength - 1).replace(/[\uD800-\uDBFF]$/, '');
  const lastSpace = line[titleLength - 1] === ' ' ? cut.length : cut.lastIndexOf(' ');
  return `${(lastSpace > titleLength / 2 ? cut.slice(0, lastSpace) : cut).replace(/[\s,;:.]+$/, '')}…`;
}

function withoutGreeting(line: string): string {
  const rest = line.replace(greeting, '');
  return rest === line ? line : rest.charAt(0).toUpperCase() + rest.slice(1);
}

/** Returns whether a conversation has a single path: no message in it ever had two versions or was deleted. */
export const hasOnePath = ({ lastRun, deletions }: StoredConversation): boolean =>
  lastRun === 1 && deletions === undefined;

/** Returns whether an answer ended that the owner hasn't seen. */
export const isUnread = ({ answersEnded = 0, answersSeen = 0 }: StoredConversation): boolean =>
  answersEnded > answersSeen;

/** Returns a conversation for its owner's lists, with the unread mark. */
export const toMarked = (stored: StoredConversation): Conversation => ({
  ...toConversation(stored),
  ...(isUnread(stored) && { unread: true }),
});

const importedOf = ({ source, at, importId }: NonNullable<StoredConversation['imported']>) => ({
  source,
  at: at.toISOString(),
  ...(importId && { importId }),
});

/** Returns a conversation without its unread mark. */
export function toConversation(stored: StoredConversation): Conversation {
  return {
    id: stored._id,
    title: stored.title,
    sequence: stored.sequence,
    running: stored.running !== null,
    runningAnswer: stored.running && { generationId: stored.running.generationId, answerId: stored.running.answerId },
    ...(stored.branchedFrom && { branchedFrom: stored.branchedFrom }),
    ...(stored.queued && { queued: stored.queued }),
    ...(stored.projectId && { projectId: stored.projectId }),
    ...(stored.chatbotId && { chatbotId: stored.chatbotId }),
    ...(stored.imported && { imported: importedOf(stored.imported) }),
    ...(stored.isPinned && { pinned: true }),
    ...(stored.isArchived && { archived: true }),
    createdAt: stored.createdAt.toISOString(),
    lastActivityAt: stored.lastActivityAt.toISOString(),
    version: stored.version,
  };
}

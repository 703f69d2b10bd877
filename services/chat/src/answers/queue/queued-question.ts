import type { addToQueue, AskedFile, MessageId, QueuedQuestion, QuestionQueue, WaitingFile } from '@parley/contracts';
import type { BodyOf } from '@parley/protocol';
import { callContext } from '@parley/platform/work';
import type { StoredConversation, Viewer } from '../../conversations/index.ts';
import type { QueuedRow } from './queued-question.collection.ts';

/** A question, or a request for another answer, to be queued. */
export type Wish = BodyOf<typeof addToQueue>;

/** Returns the id of the message that the request creates. */
export const idOf = (wish: Wish): MessageId => (wish.kind === 'question' ? wish.messageId : wish.answerId);

/** Returns the files of a question; other requests have none. */
export const filesOf = (wish: Wish): readonly AskedFile[] => (wish.kind === 'question' ? (wish.files ?? []) : []);

/** Returns the row of a new question after these rows, in the conversation of its person. */
export function newQueued(
  { scope, principal }: Viewer,
  {
    wish,
    files,
    conversation,
    behind,
    now,
  }: { wish: Wish; files: WaitingFile[]; conversation: StoredConversation; behind: QueuedRow[]; now: Date },
): QueuedRow {
  const { correlationId, traceparent } = callContext.current();
  return {
    _id: idOf(wish),
    orgId: scope.orgId,
    conversationId: conversation._id,
    number: (behind.at(-1)?.number ?? 0) + 1,
    kind: wish.kind,
    parentId: wish.parentId,
    text: wish.kind === 'question' ? wish.text : '',
    ...(files.length > 0 && { files }),
    continues: (wish.kind === 'again' && wish.continues) || null,
    ...(wish.kind === 'again' && wish.images && { images: wish.images }),
    answerId: wish.answerId,
    generationId: wish.generationId,
    chatbotId: wish.chatbotId ?? null,
    model: wish.model ?? null,
    author: { userId: principal.userId, name: principal.name, locale: principal.locale },
    origin: { correlationId, traceparent },
    queuedAt: now,
    refusal: null,
    version: 1,
  };
}

/** Returns whether the queue is on hold until its person continues it. */
export const waitsForPerson = ({ queued, running, isQueueHeld }: StoredConversation): boolean =>
  Boolean(queued) && !running && isQueueHeld === true;

export const toQueue = (conversation: StoredConversation, rows: readonly QueuedRow[]): QuestionQueue => ({
  items: rows.map(toQueued),
  waitsForPerson: waitsForPerson(conversation),
});

export const toQueued = (row: QueuedRow): QueuedQuestion => ({
  id: row._id,
  kind: row.kind,
  parentId: row.parentId,
  text: row.text,
  ...(row.files?.length && { files: row.files }),
  ...(row.continues && { continues: row.continues }),
  ...(row.images && { images: row.images }),
  answerId: row.answerId,
  generationId: row.generationId,
  ...(row.chatbotId && { chatbotId: row.chatbotId }),
  ...(row.model && { model: row.model }),
  author: { userId: row.author.userId, name: row.author.name },
  queuedAt: row.queuedAt.toISOString(),
  ...(row.refusal && { refusal: row.refusal }),
  version: row.version,
});

/** Returns the queued rows, in order, that follow a removed message, directly or below another such row. */
export function hangingUnder(rows: readonly QueuedRow[], isGone: (id: MessageId) => boolean): QueuedRow[] {
  const answers = new Set<MessageId>();
  return rows.filter(({ parentId, continues, answerId }) => {
    const hangs = [parentId, continues].some((id) => id !== null && (answers.has(id) || isGone(id)));
    if (hangs) answers.add(answerId);
    return hangs;
  });
}

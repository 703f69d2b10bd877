import type { ConversationId, Message } from '@parley/contracts';
import type { ParleyClient } from '@parley/testing/client';
import { lineMark, type Turn } from './outside.ts';
import type { Name } from './people.ts';

/** A chat of a release that shows all messages as one line, in the order of their creation. */
export type Spoken = {
  /** What it holds that others don't. */
  readonly what: string;
  readonly name: Name;
  readonly conversationId: ConversationId;
  readonly isDeleted: boolean;
};
/** A question that is shown, with all of its answers, oldest first: the last one is shown. */
export type ShownTurn = {
  readonly question: Pick<Message, 'id' | 'text'>;
  readonly answers: readonly (Pick<Message, 'id' | 'text'> & { readonly status: string; readonly failure: string })[];
};
/** What the release showed of it, and what it told a model with the next question. */
export type Line = Spoken & { readonly shown: readonly ShownTurn[]; readonly prompt: readonly Turn[] };

/** Goes on when the fixture is taken. */
export const runningLine = 'an answer that is being written behind a version of an early one';
/** Goes on when the fixture is taken. */
export const queuedLine = 'a queued version of an early answer';
export const deletedLine = 'deleted with a version of an early answer';
export const hornQuestion = 'What does the horn do in fog?';

export const nextQuestion = ({ what }: Spoken): string => `${lineMark}, ${what}: what comes next?`;

/**
 * What the page of a release without branches shows: each question that was not thrown away, with its newest answer and
 * arrows to the others.
 */
export async function readShown(person: ParleyClient, id: ConversationId): Promise<ShownTurn[]> {
  const messages: Message[] = [];
  for (let before: number | undefined; ;) {
    const { items, hasOlder } = await person.messages(id, { before, limit: 100 });
    messages.unshift(...items);
    before = items[0]?.position;
    if (!hasOlder || before === undefined) break;
  }
  const answersOf = Map.groupBy(
    messages.filter(({ role }) => role === 'assistant'),
    ({ parentId }) => parentId,
  );
  return messages
    .filter(({ role, isDiscarded }) => role === 'person' && !isDiscarded)
    .map((question) => ({
      question: { id: question.id, text: question.text },
      answers: (answersOf.get(question.id) ?? []).map(({ id: answer, text, generation }) => ({
        id: answer,
        text,
        status: generation?.status ?? '',
        failure: generation?.failure ?? '',
      })),
    }));
}

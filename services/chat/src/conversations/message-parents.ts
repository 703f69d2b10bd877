import type { ConversationId, MessageId } from '@parley/contracts';
import { jobScope, type Mongo } from '@parley/platform/mongo';
import type { DataMigration } from '@parley/platform/schema';
import { conversationRows, type StoredConversation } from './conversation.collection.ts';
import { messageRows, type MessageRow } from './message.collection.ts';

const scope = jobScope('messages learn what they follow');
const conversationsAtOnce = 50;

/** A message of earlier versions: answers named their question, questions no parent. */
type OldMessage = Pick<MessageRow, '_id' | 'role' | 'generationId'> & {
  readonly parentId?: MessageId | null;
  readonly answerTo?: MessageId | null;
};
type Parent = { readonly id: MessageId; readonly parentId: MessageId | null };

/** Returns the parent of each message that lacks one, for all messages of a conversation in order of creation. */
export function missingParents(messages: readonly OldMessage[]): Parent[] {
  const parents: Parent[] = [];
  let lastAnswerId: MessageId | null = null;
  for (const { _id: id, role, parentId, answerTo } of messages) {
    if (parentId === undefined) parents.push({ id, parentId: role === 'person' ? lastAnswerId : (answerTo ?? null) });
    if (role === 'assistant') lastAnswerId = id;
  }
  return parents;
}

/** Gives each message its parent, and each conversation its newest answer. */
export const messageParents: DataMigration = {
  name: 'message-parents',
  title: 'linking messages to their parents',
  walks: 'conversations',
  async batch(mongo, cursor) {
    const conversations = await mongo
      .rows(conversationRows)
      .within(scope)
      .find(cursor === null ? {} : { _id: { $gt: cursor as ConversationId } }, {
        sort: { _id: 1 },
        limit: conversationsAtOnce,
        fields: ['lastAnswerId', 'running'],
      });
    for (const conversation of conversations) await complete(mongo, conversation);
    return conversations.length < conversationsAtOnce ? null : (conversations.at(-1)?._id ?? null);
  },
};

type Incomplete = Pick<StoredConversation, '_id' | 'running'> & { readonly lastAnswerId?: MessageId | null };

async function complete(mongo: Mongo, { _id: conversationId, running, lastAnswerId }: Incomplete): Promise<void> {
  const messages = mongo.rows(messageRows).within(scope);
  const found = await messages.find({ conversationId }, { sort: { position: 1 } });
  await messages.updateEach(
    missingParents(found).map(({ id, parentId }) => ({ filter: { _id: id }, change: { $set: { parentId } } })),
  );
  if (lastAnswerId !== undefined) return;
  const ended = found.findLast(({ _id, role }) => role === 'assistant' && _id !== running?.answerId);
  await mongo
    .rows(conversationRows)
    .within(scope)
    .update({ _id: conversationId }, { $set: { lastAnswerId: ended?._id ?? null } });
}

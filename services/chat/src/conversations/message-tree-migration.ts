import type { ConversationId } from '@parley/contracts';
import { JobRows } from '@parley/platform/jobs';
import { jobScope, type Mongo } from '@parley/platform/mongo';
import type { DataMigration } from '@parley/platform/schema';
import { conversationRows, type StoredConversation } from './conversation.collection.ts';
import { eraseMessage, messageEraseAt, messageErasingOf } from './erasing-jobs.ts';
import { messageRows } from './message.collection.ts';
import { ReadingPlaces } from './reading-places.ts';
import { placedFields, treeOf } from './standings.ts';

const scope = jobScope('messages get their place in the tree');
const conversationsAtOnce = 50;

const fields = ['orgId', 'ownerId', 'running', 'lastAnswerId', 'lastRun'] as const;
type Linear = Partial<Pick<StoredConversation, 'lastRun'>> &
  Pick<StoredConversation, '_id' | Exclude<(typeof fields)[number], 'lastRun'>>;

/**
 * Gives each message of older conversations its place in the tree, as people saw them (ADR 0042). Idempotent: the order
 * of creation and the parents of answers stay.
 */
export const messageTree: DataMigration = {
  name: 'message-tree',
  title: 'placing messages in trees',
  walks: 'conversations',
  async batch(mongo, cursor) {
    const conversations = await mongo
      .rows(conversationRows)
      .within(scope)
      .find(cursor === null ? {} : { _id: { $gt: cursor as ConversationId } }, {
        sort: { _id: 1 },
        limit: conversationsAtOnce,
        fields,
      });
    for (const conversation of conversations as readonly Linear[])
      if (conversation.lastRun === undefined) await growTree(mongo, conversation);
    return conversations.length < conversationsAtOnce ? null : (conversations.at(-1)?._id ?? null);
  },
};

/** Gives the messages of one older conversation their places. */
export async function growTree(mongo: Mongo, conversation: Linear): Promise<void> {
  const { _id: conversationId, orgId, ownerId, running, lastAnswerId } = conversation;
  const messages = mongo.rows(messageRows).within(scope);
  const found = await messages.find({ conversationId }, { sort: { position: 1 }, fields: placedFields });
  // Include messages that have a place already, as some do if the process ended in the middle.
  const { changes, lastRun, deletions, leafId } = treeOf(found, { runningId: running?.answerId ?? null, isLine: true });
  await messages.updateEach(changes.map(({ _id, ...change }) => ({ filter: { _id }, change: { $set: change } })));
  const jobs = new JobRows(mongo);
  for (const row of changes) {
    const eraseAt = messageEraseAt(row);
    if (eraseAt) await jobs.addMissing(eraseMessage, messageErasingOf({ ...row, conversationId, orgId }), eraseAt);
  }
  // Without a stored position, a reader opens the newest message of all; store one if that is another message.
  const place = { conversationId, userId: ownerId, leafId: leafId! };
  if (leafId && leafId !== found.at(-1)?._id) await new ReadingPlaces(mongo).keep(scope.in(orgId), place);
  const conversations = mongo.rows(conversationRows).within(scope);
  // A question without a named parent continues after this answer. A running answer sets it when it ends.
  const leaf = found.find(({ _id }) => _id === leafId);
  if (leaf?.role === 'assistant' && !running)
    await conversations.update(
      { _id: conversationId, lastAnswerId, running: null },
      { $set: { lastAnswerId: leaf._id } },
    );
  await conversations.update({ _id: conversationId }, { $set: { lastRun, ...(deletions > 0 && { deletions }) } });
}

import type { MessageId } from '@parley/contracts';
import { jobScope } from '@parley/platform/mongo';
import type { DataMigration } from '@parley/platform/schema';
import { searchKeys } from '@parley/platform/text';
import { searchScopeOf } from './access.ts';
import { conversationRows } from './conversation.collection.ts';
import { messageRows } from './message.collection.ts';

const scope = jobScope('messages get the keys by which they are found');
const messagesAtOnce = 25;
/** The index from when each key began with its scope. Dropped first, so that its keys aren't deleted one by one. */
const oldIndex = 'searchKeys_1_createdAt_-1__id_-1';

/** Gives each message its search keys. Earlier versions had no limit for them, and other keys. */
export const messageKeys: DataMigration = {
  name: 'message-keys',
  title: 'indexing the words of messages',
  walks: 'messages',
  async batch(mongo, cursor) {
    if (cursor === null) await mongo.dropIndex(messageRows, oldIndex);
    const messages = mongo.rows(messageRows).within(scope);
    const found = await messages.find(cursor === null ? {} : { _id: { $gt: cursor as MessageId } }, {
      sort: { _id: 1 },
      limit: messagesAtOnce,
      fields: ['conversationId', 'text'],
    });
    const conversations = await mongo
      .rows(conversationRows)
      .within(scope)
      .find({ _id: { $in: found.map(({ conversationId }) => conversationId) } }, { fields: ['orgId', 'ownerId'] });
    const scopes = new Map(conversations.map((conversation) => [conversation._id, searchScopeOf(conversation)]));
    await messages.updateEach(
      found.flatMap(({ _id, conversationId, text }) => {
        const searchScope = scopes.get(conversationId);
        if (searchScope === undefined) return [];
        return [{ filter: { _id }, change: { $set: { searchScope, searchKeys: searchKeys(text) } } }];
      }),
    );
    return found.length < messagesAtOnce ? null : (found.at(-1)?._id ?? null);
  },
};

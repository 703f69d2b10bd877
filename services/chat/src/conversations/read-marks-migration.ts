import { jobScope } from '@parley/platform/mongo';
import type { DataMigration } from '@parley/platform/schema';
import { conversationRows } from './conversation.collection.ts';
import { readingPlaceRows } from './reading-place.collection.ts';

const scope = jobScope('read marks move to their conversations');
const placesAtOnce = 500;
const fields = ['conversationId', 'userId', 'answersSeen'] as const;

/**
 * Moves read marks of owners from reading positions to conversations; keeps a newer mark in the conversation. If an
 * older process marks a chat as read meanwhile, the chat can appear unread until its owner opens it.
 */
export const readMarks: DataMigration = {
  name: 'read-marks',
  title: 'moving read marks to their chats',
  walks: 'reading_places',
  async batch(mongo, cursor) {
    const places = await mongo
      .rows(readingPlaceRows)
      .within(scope)
      .find(cursor === null ? {} : { _id: { $gt: cursor } }, { sort: { _id: 1 }, limit: placesAtOnce, fields });
    const changes = places.flatMap(({ conversationId: _id, userId: ownerId, answersSeen }) =>
      answersSeen ? [{ filter: { _id, ownerId }, change: { $max: { answersSeen } } }] : [],
    );
    await mongo.rows(conversationRows).within(scope).updateEach(changes);
    return places.length < placesAtOnce ? null : (places.at(-1)?._id ?? null);
  },
};

import type { DataMigration } from '../../rows/schema/index.ts';
import { consumerStoreOf } from './consumer-store.ts';
import { DeadLetters } from './dead-letters.ts';

const lettersAtOnce = 100;

/**
 * Returns a data migration that replays the dead letters of these consumers, with the events behind them, once an
 * earlier migration has removed the cause of their failure. Idempotent: dead letters replayed successfully stay as they
 * are.
 */
export const replayDeadLetters = (name: string, consumers: readonly string[]): DataMigration => ({
  name,
  title: 'replaying dead letters',
  async batch(mongo, cursor) {
    const letters = new DeadLetters(mongo);
    const found = await consumerStoreOf(mongo)
      .deadLetters()
      .find(cursor === null ? {} : { _id: { $gt: cursor } }, {
        fields: ['consumer'],
        sort: { _id: 1 },
        limit: lettersAtOnce,
      });
    for (const { _id, consumer } of found) if (consumers.includes(consumer)) await letters.replay(_id);
    return found.length < lettersAtOnce ? null : (found.at(-1)?._id ?? null);
  },
});

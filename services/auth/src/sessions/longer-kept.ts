import type { DataMigration } from '@parley/platform/schema';

/** The first version forgot a session 30 days after its sign-in, even one that had been in use until then. */
export const longerKeptSessions: DataMigration = {
  name: 'longer-kept-sessions',
  title: 'dropping an index of sessions',
  async batch(mongo) {
    const sessions = mongo.connection.collection('sessions');
    const indexes = await sessions.indexes();
    if (indexes.some(({ name }) => name === 'absoluteUntil_1')) await sessions.dropIndex('absoluteUntil_1');
    return null;
  },
};

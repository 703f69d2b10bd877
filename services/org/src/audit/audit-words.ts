import type { AuditEntryId } from '@parley/contracts';
import { jobScope } from '@parley/platform/mongo';
import type { DataMigration } from '@parley/platform/schema';
import { searchKeys } from '@parley/platform/text';
import { auditRows, type AuditRow } from './audit.collection.ts';

/** Returns the words by which an entry is found. */
export const auditWordsOf = ({ actorName, targetName }: Pick<AuditRow, 'actorName' | 'targetName'>): string[] =>
  searchKeys(`${actorName} ${targetName}`);

const scope = jobScope('entries of the audit log get the words by which they are found');
const entriesAtOnce = 200;

/** Gives entries of earlier versions the words by which they are found. */
export const auditWords: DataMigration = {
  name: 'audit-words',
  title: 'indexing the audit log',
  walks: 'audit',
  async batch(mongo, cursor) {
    const entries = mongo.rows(auditRows).within(scope);
    const found = await entries.find(cursor === null ? {} : { _id: { $gt: cursor as AuditEntryId } }, {
      sort: { _id: 1 },
      limit: entriesAtOnce,
      fields: ['actorName', 'targetName'],
    });
    await entries.updateEach(
      found.map(({ _id, ...named }) => ({ filter: { _id }, change: { $set: { words: auditWordsOf(named) } } })),
    );
    return found.length < entriesAtOnce ? null : found.at(-1)!._id;
  },
};

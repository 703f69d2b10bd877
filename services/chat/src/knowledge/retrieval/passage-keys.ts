import type { ChunkId } from '@parley/contracts';
import { jobScope } from '@parley/platform/mongo';
import type { DataMigration } from '@parley/platform/schema';
import { languageOf, searchScope } from '@parley/platform/text';
import { chunkRows, longestHeading } from './chunk.collection.ts';
import { passageKeys } from './passage-rows.ts';
import { wordCounts } from './ranking.ts';

const scope = jobScope('passages get the keys by which they are found');
const passagesAtOnce = 25;
/** As it was while each key began with its scope: it is dropped first, so that no key is deleted one by one. */
const oldIndex = 'searchKeys_1_createdAt_-1';

/** Cuts long headings, and gives each passage the words by which it is found. Earlier versions had no bound for either. */
export const passageSearchKeys: DataMigration = {
  name: 'passage-keys',
  title: 'indexing the words of passages',
  walks: 'chunks',
  async batch(mongo, cursor) {
    if (cursor === null) await mongo.dropIndex(chunkRows, oldIndex);
    const passages = mongo.rows(chunkRows).within(scope);
    const found = await passages.find(cursor === null ? {} : { _id: { $gt: cursor as ChunkId } }, {
      sort: { _id: 1 },
      limit: passagesAtOnce,
      fields: ['orgId', 'documentName', 'heading', 'text'],
    });
    await passages.updateEach(
      found.map(({ _id, orgId, documentName, text, ...passage }) => {
        const heading = passage.heading?.slice(0, longestHeading) ?? null;
        const searchKeys = passageKeys(documentName, { heading, text }, null);
        return { filter: { _id }, change: { $set: { heading, searchScope: searchScope(orgId), searchKeys } } };
      }),
    );
    return found.length < passagesAtOnce ? null : (found.at(-1)?._id ?? null);
  },
};

/** Gives passages of earlier versions the stems of their language, and how often each stands there. */
export const passageStems: DataMigration = {
  name: 'passage-word-counts',
  title: 'counting the words of passages',
  walks: 'chunks',
  async batch(mongo, cursor) {
    const passages = mongo.rows(chunkRows).within(scope);
    const found = await passages.find(cursor === null ? {} : { _id: { $gt: cursor as ChunkId } }, {
      sort: { _id: 1 },
      limit: passagesAtOnce,
      fields: ['documentName', 'heading', 'text'],
    });
    await passages.updateEach(
      found.map(({ _id, documentName, heading, text }) => {
        const language = languageOf(text);
        const searchKeys = passageKeys(documentName, { heading, text }, language);
        const counts = wordCounts({ heading, text }, language);
        return { filter: { _id }, change: { $set: { language, searchKeys, wordCounts: counts } } };
      }),
    );
    return found.length < passagesAtOnce ? null : (found.at(-1)?._id ?? null);
  },
};

import type { QuotaSource } from '@parley/platform/quotas';
import { documentStorage } from '../documents/index.ts';
import { fileRows } from './file.collection.ts';

/** Documents with their embeddings, and files of chats with their texts. */
export const storageSource = {
  ...documentStorage,
  count: async (mongo, scope) => {
    const files = mongo.rows(fileRows).within(scope);
    const fields = ['bytes', 'textBytes', 'vectorBytes'] as const;
    const { bytes, textBytes, vectorBytes } = await files.sum({ orgId: scope.orgId }, fields);
    return bytes + textBytes + vectorBytes + (await documentStorage.count(mongo, scope));
  },
} satisfies QuotaSource;

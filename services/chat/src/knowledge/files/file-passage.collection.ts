import { chunkId, fileId, passageLocation } from '@parley/contracts';
import { orgId } from '@parley/protocol';
import { collection } from '@parley/platform/mongo';
import { z } from 'zod';
import { longestHeading } from '../retrieval/index.ts';

/** The text of a file of a chat, in pieces. Nothing searches them but answers of chats that have the file. */
export const filePassageRows = collection(
  'chat_file_passages',
  {
    /** Follows from file and ordinal, so that two readers never store the same passage twice. */
    _id: chunkId,
    orgId,
    fileId,
    ordinal: z.number().int(),
    heading: z.string().max(longestHeading).nullable(),
    text: z.string(),
    place: passageLocation.optional(),
    /** By which it is ranked, see `wordCounts`. */
    wordCounts: z.string(),
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ fileId: 1, ordinal: 1 }], keys: ['wordCounts'] },
);

import { chunkId, connectionId, modelKey } from '@parley/contracts';
import { orgId } from '@parley/protocol';
import { binary, collection } from '@parley/platform/mongo';
import { z } from 'zod';

/** What a passage means, as one model says it. It goes with its passage. */
export const passageVectorRows = collection(
  'passage_vectors',
  {
    /** Of the passage. */
    _id: chunkId,
    orgId,
    /** As in its passage: null is the connection that every organisation begins with. */
    connectionId: connectionId.nullable(),
    /** The model that made it: it is compared with what the same one makes only. */
    of: modelKey,
    /** With which batch it came, by number: whoever has read up to one reads on behind it. */
    revision: z.number().int(),
    /** One signed byte per dimension. */
    vector: binary,
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1, of: 1, revision: 1 }] },
);

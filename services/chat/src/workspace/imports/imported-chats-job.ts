import { importId } from '@parley/contracts';
import { defineJob } from '@parley/platform/jobs';
import { orgId, userId } from '@parley/protocol';
import { z } from 'zod';

/** Deletes the chats of an import or restores them, some at a time, as its row says. */
export const changeImportedChats = defineJob('delete-imported-chats', {
  input: z.strictObject({ importId, orgId, userId }),
  keyOf: ({ importId: id }) => id,
  ownerOf: ({ orgId: organisation, userId: person }) => ({ orgId: organisation, person }),
  slots: { all: 2 },
  leaseMs: 60_000,
  attempts: 1_440,
  pauseMs: () => 60_000,
  sliceMs: 1_000,
});

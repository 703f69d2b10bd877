import { documentId } from '@parley/contracts';
import { orgId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/**
 * A large document whose passages are being hidden or shown. While `isHidden` is set nobody finds its passages, whatever
 * they say themselves; the row stays for as long as the document is deleted.
 */
export const hiddenDocumentRows = collection(
  'hidden_documents',
  {
    _id: documentId,
    orgId,
    isHidden: z.boolean(),
    /** Every passage agrees with `isHidden`. */
    isSettled: z.boolean(),
    /** Index of the first passage that has not been looked at. */
    next: z.number().int(),
    /** Counts the changes, so that a batch of an earlier one is given up. */
    version: z.number().int(),
  },
  {
    tenant: { organisation: 'orgId' },
    indexes: [{ orgId: 1, isHidden: 1 }, [{ isSettled: 1 }, { partialFilterExpression: { isSettled: false } }]],
  },
);
export type HiddenDocumentRow = RowOf<typeof hiddenDocumentRows>;

import { securityEntryId, securityKind } from '@parley/contracts';
import { userId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

const keptSeconds = 90 * 24 * 3600;

/** Sign-ins, sign-outs, and failed sign-ins by account and hour. */
export const securityRows = collection(
  'security_log',
  {
    /** Derived from account and hour for failures. */
    _id: securityEntryId,
    kind: securityKind,
    /** The first failure of the hour for failures: it never changes, so that pages stay as they are. */
    at: z.date(),
    lastAt: z.date(),
    count: z.number(),
    /** Null for an email address without an account. */
    userId: userId.nullable(),
    /** A keyed hash of an email address without an account; never the address itself. */
    unknownAddress: z.string().nullable(),
    network: z.string().nullable(),
  },
  {
    tenant: 'platform',
    indexes: [{ at: -1, _id: -1 }, { kind: 1, at: -1, _id: -1 }, [{ at: 1 }, { expireAfterSeconds: keptSeconds }]],
  },
);
export type SecurityRow = RowOf<typeof securityRows>;

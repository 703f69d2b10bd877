import { orgId } from '@parley/protocol';
import { collection } from '@parley/platform/mongo';
import { z } from 'zod';

const counted = { hour: z.number().int(), count: z.number().int() };
const keptForSeconds = 2 * 3_600;

/** Counts the invitation emails of an organisation in its latest hour with any, in hours since 1970. */
export const emailCountRows = collection(
  'email_counts',
  { _id: z.string(), orgId, ...counted },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1 }] },
);

/** The same for people and networks, across all organisations. */
export const emailSenderRows = collection(
  'email_senders',
  { _id: z.string(), ...counted, at: z.date() },
  { tenant: 'platform', indexes: [[{ at: 1 }, { expireAfterSeconds: keptForSeconds }]] },
);

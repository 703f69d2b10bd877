import { orgId } from '@parley/contracts';
import { collection } from '@parley/platform/mongo';
import { z } from 'zod';

const counted = { hour: z.number().int(), count: z.number().int() };
const keptForSeconds = 2 * 3_600;

/** How many invitations an organisation had mailed in the hour in which it last had any: hours since 1970. */
export const emailCountRows = collection(
  'email_counts',
  { _id: z.string(), orgId, ...counted },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1 }] },
);

/** The same of people and of networks, in whatever organisations. */
export const emailSenderRows = collection(
  'email_senders',
  { _id: z.string(), ...counted, at: z.date() },
  { tenant: 'platform', indexes: [[{ at: 1 }, { expireAfterSeconds: keptForSeconds }]] },
);

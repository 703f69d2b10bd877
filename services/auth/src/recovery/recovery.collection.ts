import { locale, mailId, recoveryId } from '@parley/contracts';
import { userId } from '@parley/protocol';
import { collection } from '@parley/platform/mongo';
import { z } from 'zod';

/** An address for which somebody has asked, until it is looked up: an event holds no addresses. */
export const recoveryRows = collection(
  'recoveries',
  { _id: recoveryId, email: z.string(), locale, createdAt: z.date() },
  { tenant: 'platform', indexes: [[{ createdAt: 1 }, { expireAfterSeconds: 24 * 3600 }]] },
);

/** A link by which a password can be set, while it works. A person has one at most. */
export const resetLinkRows = collection(
  'reset_links',
  {
    /** The hash of its token: the store alone opens no account. */
    _id: z.string(),
    userId,
    /** Null for one that the operator's command has printed. */
    mailId: mailId.nullable(),
    endsAt: z.date(),
    createdAt: z.date(),
  },
  { tenant: { person: 'userId' }, indexes: [{ userId: 1 }, [{ endsAt: 1 }, { expireAfterSeconds: 0 }]] },
);

import { pictureId } from '@parley/contracts';
import { userId } from '@parley/protocol';
import { collection } from '@parley/platform/mongo';
import { z } from 'zod';

/** What shows a person, apart from the person, so that no read of a user carries it along. */
export const pictureRows = collection(
  'pictures',
  {
    _id: pictureId,
    userId,
    /** A square WebP, base64. */
    webp: z.string(),
    /** Null while the person shows it; else it is gone then. */
    endsAt: z.date().nullable(),
  },
  { tenant: { person: 'userId' }, indexes: [{ userId: 1 }, [{ endsAt: 1 }, { expireAfterSeconds: 0 }]] },
);

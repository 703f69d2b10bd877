import { collection, jobScope } from '@parley/platform/mongo';
import type { DataMigration } from '@parley/platform/schema';
import { job, workOfMigration } from '@parley/platform/work';
import { orgId } from '@parley/protocol';
import { z } from 'zod';
import { organisationRows } from '../rights/index.ts';

/** Seats that an invite call of 0.4.0 held until its last transaction. */
export const earlierReservationRows = collection(
  'invitation_reservations',
  { _id: z.string(), orgId, left: z.number().int() },
  { tenant: { organisation: 'orgId' } },
);
const releasing = jobScope('what invite calls of 0.4.0 held');

/**
 * Gives back the seats that invite calls of 0.4.0 held, and deletes its counts of emails. A call that still runs in a process of
 * 0.4.0 is refused with its next transaction; sent again, it invites the others.
 */
export const earlierReservations: DataMigration = {
  name: 'invitation-reservations',
  title: 'giving back what invite calls held',
  async batch(mongo) {
    const reservations = mongo.rows(earlierReservationRows);
    const work = workOfMigration(mongo, 'org');
    for (const { _id, orgId: whose } of await reservations.within(releasing).find({}))
      await work.run(job('gives back what an invite call held'), async (tx) => {
        const scope = releasing.in(whose);
        const held = reservations.within(scope, tx);
        const left = (await held.findById(_id))?.left ?? 0;
        await held.delete({ _id });
        const change = { $inc: { seatsHeld: -left, rightsVersion: 1 } };
        await mongo.rows(organisationRows).within(scope, tx).update({ _id: whose }, change);
      });
    await mongo.connection.collection('email_counts').deleteMany({});
    return null;
  },
};

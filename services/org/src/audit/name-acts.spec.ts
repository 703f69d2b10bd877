import { expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { asked, founded, orgSetup, tests } from '../org.spec-setup.ts';
import { NameActsConsumer } from './name-acts.consumer.ts';

const setup = await orgSetup();
const { audit, people, work } = setup;
const consumer = new NameActsConsumer(audit, people);

test('that somebody was shown a name stands in the audit log, whose it was, why and until when, and no pseudonym', async () => {
  const { orgId, owner } = await founded(setup);
  const [userId, revealId] = [newId('user'), newId('nameReveal')];
  const [time, until] = ['2026-11-21T10:42:00.000Z', '2026-11-22T10:42:00.000Z'];
  const reason = 'Spend doubled since Monday';
  const data = { orgId, revealId, userId, by: owner.userId, organisation: 'Lindmoor Energy', reason, until };
  await work.run(owner, (tx) =>
    consumer.writeRevealed({ data, time } as never, { tx, scope: tests.in(orgId) } as never),
  );
  const { items } = await audit.list(asked(owner, { query: { limit: 50, act: 'name.revealed' } }));
  expect(items).toMatchObject([
    {
      at: time,
      actor: { userId: owner.userId },
      target: { id: userId, name: (await people.find(userId)).name },
      before: null,
      after: { until },
      reason,
    },
  ]);
});

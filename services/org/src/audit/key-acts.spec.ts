import { expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { asked, founded, orgSetup, tests } from '../org.spec-setup.ts';
import { KeyActsConsumer } from './key-acts.consumer.ts';

const setup = await orgSetup();
const { audit, people, work } = setup;
const consumer = new KeyActsConsumer(audit, people);
const time = '2026-11-21T10:42:00.000Z';

test('what was done with API keys stands in the audit log, by whom and when it was done', async () => {
  const { orgId, owner } = await founded(setup);
  const [userId, apiKeyId] = [newId('user'), newId('apiKey')];
  const key = { orgId, userId, apiKeyId, name: 'Night report' };
  const made = { ...key, permissions: ['chat:read'], endsAt: '2027-02-21T00:00:00.000Z' };
  const tell = async (data: object, write: 'writeCreated' | 'writeRevoked') =>
    work.run(owner, (tx) => consumer[write]({ data, time } as never, { tx, scope: tests.in(orgId) } as never));
  await tell(made, 'writeCreated');
  await tell({ ...key, by: owner.userId, reason: 'Found in a log' }, 'writeRevoked');
  await tell({ ...key, by: userId, reason: null }, 'writeRevoked');
  await tell({ ...key, by: null, reason: null }, 'writeRevoked');
  const { items } = await audit.list(asked(owner, { query: { limit: 50, target: apiKeyId } }));
  const { name: ofOwner } = await people.find(userId);
  const { name: ofAdmin } = await people.find(owner.userId);
  const target = { id: apiKeyId, name: 'Night report' };
  const [revoked, revokedByAdmin, created] = items;
  expect(items).toHaveLength(3);
  expect(revoked).toMatchObject({ actor: { userId, name: ofOwner }, act: 'api-key.revoked', reason: null });
  expect(revokedByAdmin).toMatchObject({
    at: time,
    actor: { userId: owner.userId, name: ofAdmin },
    act: 'api-key.revoked',
    target,
    before: { owner: ofOwner },
    reason: 'Found in a log',
  });
  expect(created).toMatchObject({
    actor: { userId, name: ofOwner },
    act: 'api-key.created',
    target,
    after: { permissions: ['chat:read'], endsAt: made.endsAt },
  });
});

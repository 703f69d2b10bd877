import { expect, test } from '@jest/globals';
import {
  apiKeyRevoked,
  budgetChanged,
  connectionChanged,
  feedbackChanged,
  generationStopRequested,
  groupChanged,
  mailRevealed,
  orderChanged,
  providerConfigured,
  type AuditEntry,
  type BudgetScope,
  type InvitationId,
  type PersonPrincipal,
} from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { job } from '@parley/platform/work';
import type { DataOf, EventDefinition, EventEnvelope, OrgId } from '@parley/protocol';
import { aPerson } from '@parley/testing';
import { asked, founded, joined, orgSetup } from '../org.spec-setup.ts';

const setup = await orgSetup();
const { appender, audit, groups, inviting, people, roles, work } = setup;
let sequence = 0;

/** An event as another service publishes it, each a second after the one before. */
function published<Definition extends EventDefinition>(
  { type }: Definition,
  data: DataOf<Definition> & { readonly orgId?: OrgId },
  more: Partial<EventEnvelope> = {},
): EventEnvelope {
  sequence += 1;
  const time = new Date(Date.UTC(2030, 10, 21, 10, 42, sequence)).toISOString();
  const { orgId: tenantid = null } = data;
  return { id: newId('event'), type, time, tenantid, sequence, actor: null, onbehalfof: null, data, ...more } as never;
}
const append = (...events: EventEnvelope[]) => work.run(job('tests'), (tx) => appender.append(events, tx));
const list = async (reader: PersonPrincipal, query: object = {}): Promise<AuditEntry[]> =>
  (await audit.list(asked(reader, { query: { limit: 50, ...query } }))).items;
const role = (id: string, name: string | null) => ({ of: 'role', id, name });

const limits = (hardLimit: number | null) => ({ unit: 'money', period: 'month', softLimit: null, hardLimit }) as const;
const budgetOf = (orgId: OrgId, scope: BudgetScope, parts: object) =>
  published(budgetChanged, {
    orgId,
    budgetId: newId('budget'),
    version: 2,
    change: 'updated',
    scope,
    hasHardLimit: true,
    currency: 'EUR',
    ...parts,
  } as never);

test('a budget is written as amounts of its currency and by the name of what it counts', async () => {
  const { orgId, owner } = await founded(setup);
  const groupId = newId('group');
  await groups.create(asked(owner, { body: { id: groupId, name: 'Grid control' } }));
  const by = owner.userId;
  const [before, after] = [limits(1_100_000), limits(5_100_000)];
  await append(
    budgetOf(orgId, { kind: 'group', id: groupId }, { by, before, after }),
    budgetOf(orgId, { kind: 'person', id: by }, { by, before: null, after: limits(null) }),
    budgetOf(orgId, { kind: 'model', id: `prv_${'0'.repeat(26)}/atlas` as never }, { by, before, after: null }),
  );
  const money = (amount: number) => ({ kind: 'money', amount, unit: 'micro', currency: 'EUR' });
  const [deleted, created, changed] = await list(owner);
  expect(changed).toMatchObject({
    act: 'budget.changed',
    actor: { userId: by, name: (await people.find(by)).name },
    target: { of: 'group', id: groupId, name: 'Grid control' },
  });
  expect(changed!.changes).toEqual([{ field: 'hardLimit', before: money(1_100_000), after: money(5_100_000) }]);
  expect(created).toMatchObject({ act: 'budget.created', target: { name: (await people.find(by)).name } });
  expect(created!.changes).toContainEqual({ field: 'hardLimit', after: { kind: 'unlimited' } });
  expect(deleted).toMatchObject({ act: 'budget.deleted', target: { of: 'model', name: 'atlas' } });
});

test("an id that somebody gave is no way to a stranger's name, and stops nothing", async () => {
  const { orgId, owner } = await founded(setup);
  const stranger = newId('user');
  const parts = { by: owner.userId, before: null, after: limits(9) };
  await append(budgetOf(orgId, { kind: 'person', id: stranger }, parts));
  expect(await list(owner, { target: stranger })).toMatchObject([{ target: { of: 'person', name: null } }]);
});

test('what is published again, and what nobody did, is no act', async () => {
  const { orgId, owner } = await founded(setup);
  const parts = { by: owner.userId, before: limits(1), after: limits(2) };
  const event = budgetOf(orgId, { kind: 'organisation' }, parts);
  await append({ ...event, snapshot: true }, budgetOf(orgId, { kind: 'organisation' }, { by: undefined }));
  expect(await list(owner, { act: 'budget.changed' })).toEqual([]);
});

test('an event is one entry under the same id, however often it comes', async () => {
  const { orgId, owner } = await founded(setup);
  const event = budgetOf(orgId, { kind: 'organisation' }, { by: owner.userId, before: limits(1), after: limits(2) });
  await append(event);
  const [entry] = await list(owner);
  await append(event);
  await append(event, budgetOf(orgId, { kind: 'organisation' }, { by: owner.userId, before: limits(2), after: null }));
  const entries = await list(owner);
  expect(entries.map(({ act }) => act)).toEqual(['budget.deleted', 'budget.changed', 'organisation.created']);
  expect(entries[1]).toEqual(entry);
});

test('entries of one moment stay in the order of their events', async () => {
  const { orgId, owner } = await founded(setup);
  const time = '2031-11-21T10:42:00.000Z';
  const acts = Array.from({ length: 12 }, (_, at) => ({
    ...budgetOf(orgId, { kind: 'organisation' }, { by: owner.userId, before: limits(at + 1), after: limits(at + 2) }),
    time,
  }));
  await append(...acts.toReversed());
  const entries = await list(owner, { act: 'budget.changed' });
  const limitsSeen = entries.map(({ changes: [change] }) => change?.after?.kind === 'money' && change.after.amount);
  expect(limitsSeen).toEqual(Array.from({ length: 12 }, (_, at) => 13 - at));
});

test('readers of a connection go by their names', async () => {
  const { orgId, owner } = await founded(setup);
  const [groupId, roleId, reader] = [newId('group'), newId('role'), await joined(setup, orgId, 'member')];
  await groups.create(asked(owner, { body: { id: groupId, name: 'Night shift' } }));
  await roles.create(asked(owner, { body: { id: roleId, name: 'Reporter', permissions: ['chat:read'] } }));
  const told = { orgId, connectionId: newId('connection'), by: owner.userId, name: 'Wiki', source: 'web' as const };
  const some = {
    kind: 'some' as const,
    roles: ['analyst' as const, roleId],
    groupIds: [groupId],
    userIds: [reader.userId],
  };
  await append(
    published(connectionChanged, { ...told, change: 'changed', before: { kind: 'everybody' }, after: some }),
  );
  const [entry] = await list(owner, { act: 'connection.changed' });
  expect(entry).toMatchObject({ target: { of: 'connection', name: 'Wiki' } });
  const refs = [
    role('analyst', null),
    role(roleId, 'Reporter'),
    { of: 'group', id: groupId, name: 'Night shift' },
    { of: 'member', id: reader.userId, name: (await people.find(reader.userId)).name },
  ];
  expect(entry!.changes).toEqual([{ field: 'readers', before: { kind: 'everybody' }, after: { kind: 'refs', refs } }]);
});

test('of a provider its key is never written, only that there is another one', async () => {
  const { orgId, owner } = await founded(setup);
  const local = { name: 'Local', host: 'models.example', models: ['m'] };
  const told = { orgId, providerId: newId('provider'), by: owner.userId };
  await append(published(providerConfigured, { ...told, before: local, after: local, isKeyChanged: true }));
  const [entry] = await list(owner, { act: 'provider.changed' });
  expect(entry!.changes).toEqual([{ field: 'key', before: null, after: { kind: 'code', code: 'changed' } }]);
});

test('a platform admin is named by auth, whoever is out of the organisation too', async () => {
  const { orgId, owner } = await founded(setup);
  const [admin, gone] = [newId('user'), newId('user')];
  const act = {
    by: admin,
    reason: 'Pay the last one first',
    seats: 12,
    months: 6,
    totalMinor: 59_040,
    currency: 'EUR',
  };
  await append(
    published(orderChanged, { orgId, orderId: newId('order'), change: 'refused', act }),
    published(orderChanged, { orgId, orderId: newId('order'), change: 'seats-raised' }),
    published(generationStopRequested, {
      orgId,
      generationId: newId('generation'),
      by: owner.userId,
      userId: gone,
      model: 'builtin',
    }),
    published(apiKeyRevoked, {
      orgId,
      userId: gone,
      apiKeyId: newId('apiKey'),
      name: 'Night report',
      by: admin,
      reason: 'Found in a log',
    }),
    published(apiKeyRevoked, {
      orgId,
      userId: gone,
      apiKeyId: newId('apiKey'),
      name: 'Night report',
      by: null,
      reason: null,
    }),
  );
  const [revoked, stopped, refused, ...others] = await list(owner);
  expect(others.map(({ act: other }) => other)).toEqual(['organisation.created']);
  const [{ name: adminName }, { name }] = [await people.find(admin), await people.find(gone)];
  expect(refused).toMatchObject({
    act: 'order.refused',
    actor: { name: adminName, isPlatformAdmin: true },
    target: { of: 'order', name: null },
    reason: 'Pay the last one first',
  });
  expect(refused!.changes).toContainEqual({
    field: 'amount',
    before: { kind: 'money', amount: 59_040, unit: 'minor', currency: 'EUR' },
  });
  expect(stopped).toMatchObject({ target: { id: gone, name }, changes: [{ field: 'model' }] });
  expect(revoked!.changes).toEqual([
    { field: 'owner', before: { kind: 'refs', refs: [{ of: 'person', id: gone, name }] } },
  ]);
});

test('a case goes by the name of who rated, and only what is done with it is an act', async () => {
  const { orgId, owner } = await founded(setup);
  const rater = newId('user');
  const ids = { feedbackId: newId('feedback'), conversationId: newId('conversation'), messageId: newId('message') };
  const chatbot = { chatbotId: null, version: null };
  const told = { orgId, ...ids, userId: rater, by: owner.userId, rating: 'down', state: 'fixed', chatbot };
  for (const change of ['rated', 'state', 'noted', 'answered', 'read', 'withdrawn'])
    await append(published(feedbackChanged, { ...told, change, before: 'new' } as never));
  const entries = await list(owner, { target: ids.feedbackId });
  expect(entries.map(({ act }) => act)).toEqual([
    'feedback.messages-read',
    'feedback.answered',
    'feedback.state-changed',
  ]);
  expect(entries[2]).toMatchObject({
    target: { of: 'feedback', name: (await people.find(rater)).name },
    changes: [{ field: 'state', before: { code: 'new' }, after: { code: 'fixed' } }],
  });
});

test('that a platform admin was shown the link of an invitation goes by its address', async () => {
  const { orgId, owner } = await founded(setup);
  const body = { people: [{ id: newId('invitation'), email: 'noor@lindmoor.example' }], role: 'member', groupIds: [] };
  await inviting.invite(asked(owner, { body: { ...body, locale: 'en', message: null, days: 7 } }));
  const told = {
    mailId: newId('mail'),
    kind: 'invitation' as const,
    revealedBy: aPerson().userId,
    reason: 'No mail yet',
  };
  const invitation = { orgId, invitationId: body.people[0]!.id as InvitationId, round: 1 };
  await append(published(mailRevealed, { ...told, invitation } as never), published(mailRevealed, told as never));
  expect(await list(owner, { act: 'invitation.link-shown' })).toMatchObject([
    { target: { of: 'invitation', name: 'noor@lindmoor.example' }, reason: 'No mail yet' },
  ]);
  expect(await list(owner, { act: 'member.invited' })).toMatchObject([
    {
      target: { name: 'noor@lindmoor.example' },
      changes: [{ field: 'role', after: { refs: [role('member', null)] } }],
    },
  ]);
});

test('an act of org commits with its entry, or neither does', async () => {
  const { orgId, owner } = await founded(setup);
  const renamed = { name: 'Fennick Clinics', locale: 'de', timeZone: 'UTC', version: 1 };
  const named = { ...owner, name: 'Ines Vardale' };
  await setup.organisations.update(asked(named, { params: { orgId }, body: renamed }));
  const [entry] = await list(owner);
  expect(entry).toMatchObject({
    act: 'organisation.renamed',
    actor: { name: 'Ines Vardale' },
    target: { name: 'Fennick Clinics' },
  });
  expect(entry!.changes.map(({ field }) => field)).toEqual(['name', 'language']);
});

test('an act of nobody is refused with its transaction', async () => {
  const { orgId } = await founded(setup);
  const data = { orgId, groupId: newId('group'), change: 'created', act: { name: 'Left', before: null } } as const;
  const failing = work.run(job('tests'), async (tx) => tx.record(groupChanged, data));
  await expect(failing).rejects.toThrow('declares an act of nobody');
  expect((await setup.recorded()).some((event) => event.type === groupChanged.type && event.subject === orgId)).toBe(
    false,
  );
});

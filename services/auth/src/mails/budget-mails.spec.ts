import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { getOrganisationFacts, listGroupMembers, listHolders } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { Platform } from '@parley/platform/service';
import { job } from '@parley/platform/work';
import type { RouteContract, UserId } from '@parley/protocol';
import { MailBench, MailFolder, tests } from '../mail-bench.spec-setup.ts';
import { BudgetMailsConsumer } from './budget-mails.consumer.ts';

const folder = await MailFolder.open();
const bench = await MailBench.open(folder.mailer);
const { work } = bench.store;
beforeAll(bench.store.ready);
afterAll(() => folder.remove());

async function somebody(name: string, locale: 'en' | 'de'): Promise<UserId> {
  const id = newId('user');
  const email = `${name.toLowerCase()}@lindmoor.example`;
  const person = { email, name, locale, isProven: true, timeZone: null, platformRole: null, version: 1 };
  await work.run(job('tests'), (tx) => bench.users.create(tests.of(id), { id, ...person, passwordHash: 'x' }, tx));
  return id;
}

/** Org, with these people who may change budgets. */
function consumerWith(managers: readonly UserId[], groups: readonly object[] = []): BudgetMailsConsumer {
  const answers = new Map<RouteContract, object>([
    [getOrganisationFacts, { name: 'Lindmoor Energy', timeZone: 'Europe/Oslo' }],
    [listHolders, { items: managers.map((userId) => ({ userId, name: 'Somebody' })) }],
    [listGroupMembers, { items: groups }],
  ]);
  const platform = { peers: { call: async (route: RouteContract) => answers.get(route) } } as unknown as Platform;
  return new BudgetMailsConsumer(bench.service, bench.users, platform);
}
const crossed = (more: object) => ({
  id: newId('event'),
  data: {
    orgId: newId('organisation'),
    budgetId: newId('budget'),
    scope: { kind: 'organisation' },
    threshold: 'soft',
    unit: 'money',
    spent: 20_400_000,
    limit: 20_000_000,
    currency: 'EUR',
    periodStart: '2026-11-01',
    resetsAt: '2026-11-30T23:00:00.000Z',
    ...more,
  },
});
async function mailsAfter(consumer: BudgetMailsConsumer, event: object): Promise<string[]> {
  const before = await folder.texts();
  for (const _ of [1, 2])
    await work.run(job('tests'), (tx) => consumer.tellOfReachedBudget(event as never, { tx } as never));
  await bench.sender().sendDue();
  const texts = (await folder.texts()).filter((text) => !before.includes(text));
  // Quoted-printable is read again.
  const bytes = (text: string) =>
    text.replaceAll(/=\r?\n/g, '').replaceAll(/=([0-9A-F]{2})/g, (_all, hex) => `%${hex}`);
  return texts.map((text) => bytes(text).replaceAll(/(?:%[0-9A-F]{2})+/g, (codes) => decodeURIComponent(codes)));
}
const to = (mails: readonly string[], name: string) =>
  mails.find((mail) => mail.includes(`To: ${name}@lindmoor.example`)) ?? '';

test('whoever may change a budget is told once, each in their language, what is used and when it starts again', async () => {
  const managers = [await somebody('Ines', 'en'), await somebody('Samir', 'de'), newId('user')];
  const mails = await mailsAfter(consumerWith(managers), crossed({}));
  expect(mails).toHaveLength(2);
  const english = to(mails, 'ines');
  expect(english).toMatch(
    /The budget of the organisation in Lindmoor Energy has reached its warning at €20\.00: €20\.40/,
  );
  expect(english).toMatch(/December 1, 2026 at 12:00\sAM Europe\/Oslo/);
  expect(to(mails, 'samir')).toMatch(/Warnung bei 20,00\s€ erreicht: 20,40\s€ sind verbraucht/);
});

test('whose own budget it is hears of it too, and is told to ask for more', async () => {
  const [manager, person] = [await somebody('Greta', 'en'), await somebody('Paulo', 'en')];
  const scope = { kind: 'person', id: person };
  const reached = crossed({ scope, threshold: 'hard', unit: 'tokens', currency: null, spent: 9_000, limit: 10_000 });
  const mails = await mailsAfter(consumerWith([manager]), reached);
  expect(mails).toHaveLength(2);
  expect(to(mails, 'greta')).toMatch(/The budget of Paulo in Lindmoor Energy is at its limit of 10,000 tokens: 9,000/);
  expect(to(mails, 'greta')).toContain('under Billing, Budgets');
  expect(to(mails, 'paulo')).toContain('Your budget in Lindmoor Energy is at its limit of 10,000 tokens');
  expect(to(mails, 'paulo')).toContain('You can ask for more in Parley');
});

test('a group and a model are named as people know them, and what was told before anybody was mailed is not', async () => {
  const manager = await somebody('Runa', 'en');
  const id = newId('group');
  const consumer = consumerWith([manager], [{ id, name: 'Contractors', userIds: [] }]);
  expect((await mailsAfter(consumer, crossed({ scope: { kind: 'group', id } }))).join()).toContain('group Contractors');
  const model = `${newId('provider')}/atlas/large`;
  const mails = await mailsAfter(consumer, crossed({ scope: { kind: 'model', id: model } }));
  expect(mails.join()).toContain('the model atlas/large in');
  expect(await mailsAfter(consumer, crossed({ resetsAt: undefined }))).toEqual([]);
});

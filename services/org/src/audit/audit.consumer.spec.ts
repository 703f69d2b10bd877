import { beforeAll, expect, test } from '@jest/globals';
import { auditedDefinitions, budgetChanged, eventDefinitions, topics } from '@parley/contracts';
import { ConsumerRuntime, type EventBatch, type EventBus, type Subscription } from '@parley/platform/event-bus';
import { newId } from '@parley/platform/ids';
import type { Transaction } from '@parley/platform/mongo';
import type { EventEnvelope } from '@parley/protocol';
import { silentLogger } from '@parley/testing';
import { asked, founded, orgSetup, tests } from '../org.spec-setup.ts';
import { auditConsumers, AuditConsumer } from './audit.consumer.ts';
import { auditRows } from './audit.collection.ts';

const setup = await orgSetup();
const { appender, audit, mongo, outbox } = setup;

/** A process of org: of 0.3.0 it appends under a random id, of this version what the event declares. */
async function aProcess(consumer: string, handle: (event: EventEnvelope, tx: Transaction) => Promise<void>) {
  let subscription: Subscription;
  const bus = {
    subscribe: async (given: Subscription) => {
      subscription = given;
      return { lag: () => Promise.resolve(0), close: () => Promise.resolve() };
    },
  } as unknown as EventBus;
  const runtime = new ConsumerRuntime({ bus, mongo, outbox, group: 'org', logger: silentLogger() });
  await runtime.start([{ kind: 'effect', consumer, events: [budgetChanged as never], handle }]);
  return (event: EventEnvelope) => {
    const batch = { topic: topics.billing, partition: 0, malformed: [], lastOffset: '1' };
    return subscription.deliver({ ...batch, events: [{ offset: '1', event }] } as EventBatch);
  };
}
type Deliver = Awaited<ReturnType<typeof aProcess>>;
let toEarlier: Deliver;
let toThis: Deliver;
beforeAll(async () => {
  toEarlier = await aProcess('audit-budget', async ({ tenantid, time, data }, tx) => {
    const { by } = data as { by: never };
    const named = { actorId: by, actorName: 'Ines Vardale', target: tenantid!, targetName: 'Lindmoor', reason: null };
    await mongo
      .rows(auditRows)
      .within(tests.in(tenantid!), tx)
      .insert({
        _id: newId('auditEntry'),
        orgId: tenantid!,
        at: new Date(time),
        act: 'budget.changed',
        before: {},
        after: {},
        words: [],
        ...named,
      });
  });
  toThis = await aProcess(auditConsumers.get(budgetChanged.type)!, (event, tx) => appender.append([event], tx));
  await mongo.applyIndexes();
});

async function aChange() {
  const { orgId, owner } = await founded(setup);
  const limits = (hardLimit: number) => ({ unit: 'tokens', period: 'month', softLimit: null, hardLimit });
  const about = { orgId, scope: { kind: 'organisation' }, by: owner.userId, before: limits(1), after: limits(2) };
  const event = { id: newId('event'), type: budgetChanged.type, time: '2026-11-26T10:00:00.000Z', subject: orgId };
  const envelope = { ...event, tenantid: orgId, sequence: 1, actor: null, onbehalfof: null };
  const data = { ...about, budgetId: newId('budget'), version: 2, change: 'updated', hasHardLimit: true };
  const count = async () =>
    (await audit.list(asked(owner, { query: { limit: 50, act: 'budget.changed' } }))).items.length;
  return { event: { ...envelope, data } as unknown as EventEnvelope, count };
}

test.each<[string, () => readonly Deliver[]]>([
  ['by 0.3.0 and then by this version', () => [toEarlier, toThis]],
  ['by this version and then by 0.3.0', () => [toThis, toEarlier]],
  ['twice by this version', () => [toThis, toThis]],
])('during an update an event that is delivered %s is one entry', async (_how, deliveries) => {
  const { event, count } = await aChange();
  for (const deliver of deliveries()) await deliver(event);
  expect(await count()).toBe(1);
});

/** The names of 0.3.0. They never change: by them the inbox knows what was appended, and letters can be replayed. */
const kept: Record<string, string> = {
  'answer.curated.v1': 'audit-curated-answer',
  'apikey.created.v1': 'audit-key-created',
  'apikey.revoked.v1': 'audit-key-revoked',
  'budget.changed.v1': 'audit-budget',
  'chatbot.changed.v1': 'audit-chatbot',
  'chatbot.gate-changed.v1': 'audit-chatbot-gate',
  'connection.changed.v1': 'audit-connection',
  'feedback.changed.v1': 'audit-feedback',
  'generation.stop-requested.v1': 'audit-answer-stopped',
  'invoice.changed.v1': 'audit-invoice',
  'letters.replayed.v1': 'audit-events-replayed',
  'mail.revealed.v1': 'audit-shown-link',
  'name.revealed.v1': 'audit-name-revealed',
  'order.changed.v1': 'audit-order',
  'provider.configured.v1': 'audit-provider',
  'search.tested.v1': 'audit-search-tested',
  'session.created.v1': 'audit-signed-in',
  'webhook.changed.v1': 'audit-webhook',
};

test('the consumers of 0.3.0 keep their names', () => {
  expect(Object.fromEntries(auditConsumers)).toMatchObject(kept);
});

test('every event of another service that has a rule is consumed, and of every service there is one', () => {
  const own = new Set(auditedDefinitions.filter(({ topic }) => topic !== topics.org).map(({ type }) => type));
  expect(new Set(auditConsumers.keys())).toEqual(own);
  const methods = Object.getOwnPropertyNames(AuditConsumer.prototype);
  expect(methods).toEqual(expect.arrayContaining([...auditConsumers.values()]));
  const topicOf = new Map(eventDefinitions.map(({ type, topic }) => [type, topic]));
  const consumed = new Set([...auditConsumers.keys()].map((type) => topicOf.get(type)));
  expect(consumed).toEqual(new Set(Object.values(topics).filter((topic) => topic !== topics.org)));
});

// A process that tells of answers that have ended and takes them down as billing and monitoring do: to be killed.
// Arguments: the store's file, how many in all, from which on.
import { createRate, generationAttemptEnded, topics } from '@parley/contracts';
import { billingParts, verifyTotals } from '@parley/billing';
import { monitoringParts } from '@parley/monitoring';
import { Sealer } from '@parley/platform/crypto';
import { MemoryDoorbell } from '@parley/platform/doorbell';
import { Mongo } from '@parley/platform/mongo';
import { Outbox } from '@parley/platform/outbox';
import { Work } from '@parley/platform/work';
import type { EventEnvelope } from '@parley/protocol';
import { aPerson, makeEmbeddedEventLog, openTestStore, OwnerBench } from '@parley/testing/in-process';
import type { UsageKept, UsageTold } from './usage-kill.spec-setup.ts';

const [file = '', total = '0', from = '0'] = process.argv.slice(2);
const count = Number(total);
const portion = 50;
/** Of every so many portions one is told a second time. */
const doubledEach = 4;
const organisations = Array.from({ length: 5 }, (_, at) => idOf('org', at));
const price = { inputMicros: 2_500_000, outputMicros: 10_000_000, cachedMicros: 2_500_000 };
const settings = { mayEverybodyTest: false, hasDsn: false, outboundAllow: [] };

/** Ids are the same in every process: what is told again is known by them. */
function idOf(kind: string, at: number): never {
  return `${kind}_01M8${String(at).padStart(22, '0')}` as never;
}

function ended(at: number): EventEnvelope {
  const time = new Date().toISOString();
  const [id, orgId, conversationId] = [idOf('evt', at), organisations[at % organisations.length]!, idOf('cnv', at)];
  const asked = {
    conversationId,
    generationId: idOf('gen', at),
    answerId: idOf('msg', at),
    userId: idOf('usr', at % 7),
  };
  const tokens = { inputTokens: 900 + (at % 13), outputTokens: 300 + (at % 7), cachedTokens: 0, estimated: false };
  const times = { queuedMs: 3, firstTokenMs: 180, durationMs: 900, queuedAt: time, endedAt: time };
  const outcome = { attempt: 1, outcome: 'done', final: true, upstream: { host: 'llm', model: 'm' } };
  return {
    specversion: '1.0',
    id,
    source: 'chat',
    type: generationAttemptEnded.type,
    time,
    subject: conversationId,
    tenantid: orgId,
    sequence: 1,
    actor: null,
    onbehalfof: null,
    correlationid: id,
    causationid: null,
    traceparent: null,
    data: { orgId, memberIds: [], model: 'prv_1/m', groupIds: [], ...asked, ...tokens, ...times, ...outcome },
  };
}

const store = await openTestStore(file, 1_000_000);
const at = (name: string) => ({ freshDatabase: () => store.uri(`parley_${name}`), close: () => Promise.resolve() });
const bus = await (await makeEmbeddedEventLog(at('log'))).open();
const platform = { bus, sealer: new Sealer(Buffer.alloc(32, 1)) };
const billing = await OwnerBench.start(at('billing'), 'billing', { ...billingParts, platform });
const monitoring = await OwnerBench.start(at('monitoring'), 'monitoring', { ...monitoringParts(settings), platform });
const tell = (told: UsageTold) => process.send?.(told);

const always = { host: null, validFrom: null, validUntil: null, replaces: null };
const rate = { id: idOf('rat', 0), currency: 'EUR', model: 'm', ...price, ...always };
await billing.call(createRate, { as: aPerson({ platformRole: 'admin' }), body: rate });

for (let place = Number(from); place < count; place += portion) {
  const events = Array.from({ length: Math.min(portion, count - place) }, (_, index) => ended(place + index));
  await bus.publish(topics.chat, events);
  if ((place / portion) % doubledEach === 0) await bus.publish(topics.chat, events);
  tell({ told: place + events.length });
}

const sumOf = async ({ mongo }: OwnerBench, rows: string, field: string, where: object = {}): Promise<number> =>
  (
    await mongo.connection
      .collection(rows)
      .find({ orgId: { $in: organisations }, ...where })
      .toArray()
  ).reduce((sum, row) => sum + Number(row[field]), 0);

const ledger = billing.mongo.connection.collection('ledger_entries');
const inMetrics = () => sumOf(monitoring, 'metrics_day', 'attempts', { dimension: 'all' });
const ofPeople = () => sumOf(monitoring, 'active_day', 'attempts');

async function kept(): Promise<UsageKept> {
  const entries = await ledger.find({ orgId: { $in: organisations } }).toArray();
  const letters = [billing, monitoring].map(({ mongo }) =>
    mongo.connection.collection('dead_letters').countDocuments(),
  );
  const mongo = await Mongo.connect(store.uri('parley_billing'));
  const work = new Work({ outbox: new Outbox({ mongo, doorbell: new MemoryDoorbell(), source: 'billing' }) });
  const { differences } = await verifyTotals({ mongo, work }).finally(() => mongo.close());
  return {
    entries: entries.length,
    attempts: new Set(entries.map((entry) => `${String(entry['generationId'])} ${String(entry['attempt'])}`)).size,
    inMetrics: await inMetrics(),
    ofPeople: await ofPeople(),
    costMicros: entries.reduce((sum, entry) => sum + Number(entry['costMicros']), 0),
    differences,
    deadLetters: (await Promise.all(letters)).reduce((sum, each) => sum + each, 0),
  };
}

/** Asked again and again while much else is to be done: nothing is read that grows with what there is. */
const isThere = async (): Promise<boolean> =>
  (await ledger.estimatedDocumentCount()) >= count && (await inMetrics()) >= count && (await ofPeople()) >= count;

// Until all is there, and then a little longer: what would be doubled comes late.
while (!(await isThere())) await new Promise((resolve) => setTimeout(resolve, 500));
await new Promise((resolve) => setTimeout(resolve, 2_000));
tell({ kept: await kept() });
await billing.close();
await monitoring.close().catch(() => undefined);
process.exit(0);

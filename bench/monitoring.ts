// Monitoring alone, on the embedded store and log: how far behind it is while events come, and how long its dashboard takes.
import { generationAttemptEnded, generationQueued, getMetrics, listMyReveals, topics } from '@parley/contracts';
import { monitoringSettings, monitoringParts } from '@parley/monitoring';
import { Sealer } from '@parley/platform/crypto';
import { newId } from '@parley/platform/ids';
import type { EventBus } from '@parley/platform/event-bus';
import type { DataOf, EventDefinition, EventEnvelope, OrgId } from '@parley/protocol';
import { aPerson, makeEmbeddedEventLog, openTestStore, OwnerBench } from '@parley/testing/in-process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { atPace, percentile, wait } from './product.ts';
import type { Report } from './report.ts';

const live = { perSecond: 1_000, seconds: 10, each: 50 };
const burst = 10_000;
const organisations = Array.from({ length: 20 }, () => newId('organisation'));
const models = Array.from({ length: 20 }, (_, at) => `prv_${'0'.repeat(26)}/model-${at}`);
const days = 60;
const answers = 1_000_000;
const reads = 300;
/** Of each of twenty models a row a day, of both months that are compared. */
const mostExamined = 5_000;
type DayRow = { _id: string; dimension: string; start: string; attempts: number };
const settings = monitoringSettings({ PARLEY_ERROR_TEST: false, PARLEY_OUTBOUND_ALLOW: [] });
const sealer = new Sealer(Buffer.alloc(32, 1));
const dayMs = 24 * 3_600_000;

/** An answer is two events: it is asked for, and it ends. */
export async function benchMonitoring(folder: string, report: Report): Promise<void> {
  const embedded = await openTestStore(join(folder, 'monitoring.sqlite'), mostExamined);
  const store = { freshDatabase: () => embedded.uri(randomUUID()), close: () => embedded.close() };
  const bus = await (await makeEmbeddedEventLog(store)).open();
  const bench = await OwnerBench.start(store, 'monitoring', {
    ...monitoringParts(settings),
    platform: { bus, sealer },
  });
  try {
    report.add('monitoring, 1,000 events a second, p99', percentile(await agesOf(bench, bus), 0.99));
    report.add('monitoring, events a second at most', await mostPerSecond(bench, bus));
    await fill(bench);
    const [read, bare] = [
      await timesOf(bench, '/api/monitoring/metrics?span=month&by=model'),
      await timesOf(bench, null),
    ];
    report.add('dashboard of 30 days, 1,000,000 answers, p99', percentile(read, 0.99), percentile(bare, 0.99));
    // Days that are over are kept from then on.
    report.add('dashboard of 30 days, 1,000,000 answers, the first one', read[0] ?? 0);
  } finally {
    await bench.close();
    await store.close();
  }
}

/** From when events are published until all of them are counted, for each portion of them. */
async function agesOf(bench: OwnerBench, bus: EventBus): Promise<number[]> {
  const before = await counted(bench);
  const open: { readonly at: number; readonly total: number }[] = [];
  const ages: number[] = [];
  let total = before;
  const portions = (live.perSecond * live.seconds) / live.each;
  let isPublished = false;
  const publishing = atPace({ count: portions, perSecond: live.perSecond / live.each }, async () => {
    total += live.each / 2;
    open.push({ at: performance.now(), total });
    await bus.publish(topics.chat, someEvents(live.each));
  }).then(() => (isPublished = true));
  while (!isPublished || open.length > 0) {
    const done = await counted(bench);
    while (open[0] && open[0].total <= done) ages.push(performance.now() - open.shift()!.at);
    await wait(20);
  }
  await publishing;
  return ages;
}

async function mostPerSecond(bench: OwnerBench, bus: EventBus): Promise<number> {
  const until = (await counted(bench)) + burst / 2;
  const events = someEvents(burst);
  const begun = performance.now();
  for (let at = 0; at < burst; at += 500) await bus.publish(topics.chat, events.slice(at, at + 500));
  while ((await counted(bench)) < until) await wait(20);
  return burst / ((performance.now() - begun) / 1_000);
}

/** Attempts in the metrics of all organisations: what a dashboard would show. */
async function counted({ mongo }: OwnerBench): Promise<number> {
  const rows = await mongo.connection
    .collection('metrics_day')
    .find({ orgId: { $in: organisations }, dimension: 'all' })
    .toArray();
  return rows.reduce((sum, row) => sum + Number(row['attempts']), 0);
}

function someEvents(count: number): EventEnvelope[] {
  return Array.from({ length: count / 2 }, (_, at) =>
    answerOf(organisations[at % organisations.length]!, Math.floor(at / organisations.length)),
  ).flat();
}

function answerOf(orgId: OrgId, at: number): EventEnvelope[] {
  const time = new Date().toISOString();
  const shared = {
    orgId,
    conversationId: newId('conversation'),
    memberIds: [newId('user')],
    generationId: newId('generation'),
    answerId: newId('message'),
    userId: newId('user'),
    model: models[at % models.length]!,
    queuedAt: time,
  };
  const usage = { inputTokens: 900, outputTokens: 300, cachedTokens: 0, estimated: false };
  const ended: DataOf<typeof generationAttemptEnded> = {
    ...shared,
    ...usage,
    attempt: 1,
    outcome: 'done',
    final: true,
    upstream: { host: `llm-${at % 4}`, model: 'atlas' },
    queuedMs: 3,
    firstTokenMs: 180 + (at % 50) * 10,
    durationMs: 900,
    groupIds: [],
    endedAt: time,
  };
  return [envelopeOf(generationQueued, shared, time), envelopeOf(generationAttemptEnded, ended, time)];
}

function envelopeOf<Definition extends EventDefinition>(
  { type }: Definition,
  data: DataOf<Definition> & { readonly conversationId: string; readonly orgId: OrgId },
  time: string,
): EventEnvelope {
  const id = newId('event');
  const told = { actor: null, onbehalfof: null, correlationid: id, causationid: null, traceparent: null };
  const named = { specversion: '1.0', id, source: 'chat', type, time, sequence: 1 } as const;
  return { ...named, ...told, subject: data.conversationId, tenantid: data.orgId, data };
}

/** Today's rows of the first organisation again for each of the days before, so that they hold a million answers. */
async function fill({ mongo }: OwnerBench): Promise<void> {
  const rows = mongo.connection.collection<DayRow>('metrics_day');
  const today = await rows.find({ orgId: organisations[0] }).toArray();
  const all = today.find(({ dimension }) => dimension === 'all')!;
  const times = Math.ceil(answers / (all.attempts * days));
  for (let ago = 1; ago < days; ago += 1) {
    const start = new Date(Date.parse(all.start) - ago * dayMs).toISOString().slice(0, 10);
    await rows.insertMany(
      today.map((row) => ({ ...row, _id: row._id.replace(row.start, start), start, attempts: row.attempts * times })),
    );
  }
}

/** Of the dashboard; of a route that finds nothing, without a path. */
async function timesOf(bench: OwnerBench, path: string | null): Promise<number[]> {
  const organisation = {
    orgId: organisations[0]!,
    permissions: ['monitoring:read_org' as const, 'usage:read_own' as const],
    rightsVersion: 1,
  };
  const as = aPerson({ organisation });
  const times: number[] = [];
  for (let at = 0; at < reads; at += 1) {
    const begun = performance.now();
    const response = await (path === null ? bench.call(listMyReveals, { as }) : bench.call(getMetrics, { as, path }));
    const body = (await response.json()) as { parts?: unknown[] };
    times.push(performance.now() - begun);
    if (!response.ok || (path !== null && body.parts?.length !== models.length))
      throw new Error(`The dashboard answered ${response.status} with ${body.parts?.length} models.`);
  }
  return times;
}

import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mostCountedApart, otherId, type generationAttemptEnded, type ledgerEntryAdded } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import { EventLag } from '@parley/platform/service';
import { job } from '@parley/platform/work';
import type { DataOf, EventEnvelope, OrgId } from '@parley/protocol';
import { testStore } from '@parley/testing';
import { TimeZones } from '../all-organisations/index.ts';
import { CountAttempts } from './count-attempts.ts';
import { DayMetrics } from './day-metrics.ts';
import { metricRows } from './metric.collection.ts';
import { MetricsRepository } from './metrics.repository.ts';
import { MetricsService } from './metrics.service.ts';

type Ended = DataOf<typeof generationAttemptEnded>;
const { mongo, work, clock, ready } = await testStore();
const tests = jobScope('tests');
const zones = new TimeZones(mongo, clock);
const repository = new MetricsRepository(mongo);
const counting = new CountAttempts(repository, zones, clock);
let waiting = 0;
const metrics = new MetricsService(
  repository,
  new DayMetrics(repository),
  zones,
  clock,
  new EventLag(async () => waiting),
);
beforeAll(ready);

let orgId: OrgId;
beforeEach(() => {
  orgId = newId('organisation');
  waiting = 0;
});
const ended = (data: Partial<Ended> = {}, time = clock.now()) =>
  ({
    time: time.toISOString(),
    data: {
      orgId,
      model: 'builtin',
      upstream: null,
      outcome: 'done',
      inputTokens: 10,
      outputTokens: 20,
      queuedMs: 0,
      firstTokenMs: 400,
      endedAt: time.toISOString(),
      ...data,
    },
  }) as unknown as EventEnvelope<Ended>;
const count = (...events: EventEnvelope<Ended>[]) => work.run(job('tests'), (tx) => counting.count(events, tx));
const read = (query: object = {}) =>
  metrics.read({ scope: tests.in(orgId), query: { span: 'day', by: 'model', ...query } } as never);
const ago = (ms: number) => new Date(clock.now().getTime() - ms);
const hourMs = 3_600_000;

describe('days that are over', () => {
  const tokensBefore = async () => (await read({ span: 'month' })).total.over.inputTokens;

  test('are told as they are, also what is counted of them late, in this process or in another one', async () => {
    await count(ended({}, ago(5 * 24 * hourMs)), ended());
    expect(await tokensBefore()).toBe(10);
    await count(ended({ inputTokens: 5 }, ago(5 * 24 * hourMs)));
    expect(await tokensBefore()).toBe(15);
    const elsewhere = new CountAttempts(new MetricsRepository(mongo), zones, clock);
    const late = ended({ inputTokens: 7 }, ago(9 * 24 * hourMs));
    await work.run(job('tests'), (tx) => elsewhere.count([late], tx));
    expect(await tokensBefore()).toBe(22);
    await count(ended({ inputTokens: 1 }, ago(24 * hourMs)));
    expect(await tokensBefore()).toBe(23);
  });

  test('are read once as long as nothing is added to them', async () => {
    await count(ended({ model: 'prv_1/kept' }, ago(5 * 24 * hourMs)));
    const before = await read({ span: 'month' });
    // Past the service: a row that no event has changed.
    await mongo
      .rows(metricRows.day)
      .within(tests.in(orgId))
      .updateMany({ dimension: 'model' }, { $inc: { inputTokens: 1 } });
    expect((await read({ span: 'month' })).parts).toEqual(before.parts);
    await count(ended({}, ago(6 * 24 * hourMs)));
    expect((await read({ span: 'month' })).parts[0]?.figures.inputTokens).toBe(11);
  });
});

describe('attempts', () => {
  test('are counted by chatbot, whatever its version; those that name none are in the sums only', async () => {
    const bot = newId('chatbot');
    await count(ended({ chatbot: { id: bot, version: 1 } }), ended({ chatbot: { id: bot, version: 2 } }), ended());
    const { parts, total } = await read({ by: 'chatbot' });
    expect(parts.map(({ id, figures }) => [id, figures.attempts])).toEqual([[bot, 2]]);
    expect(total.figures.attempts).toBe(3);
  });

  test('add up in one batch and over batches, by minute, hour and day, by model and by provider', async () => {
    const own = { model: 'prv_1/atlas', upstream: { host: 'llm:8000', model: 'atlas' } };
    await count(ended(), ended({ ...own, outcome: 'failed', firstTokenMs: null }), ended(own));
    await count(ended({ ...own, inputTokens: 90 }));
    for (const span of ['hour', 'day', 'week', 'month']) {
      const { all, total, parts } = await read({ span });
      expect(total.figures).toMatchObject({ attempts: 4, failed: 1, inputTokens: 120, outputTokens: 80 });
      expect(all.at(-1)).toEqual(total.figures);
      expect(parts.map(({ id, figures }) => [id, figures.attempts])).toEqual([
        ['prv_1/atlas', 3],
        ['builtin', 1],
      ]);
    }
    const { parts, series } = await read({ by: 'provider' });
    expect(parts.map(({ id }) => id)).toEqual(['llm:8000', 'builtin']);
    expect(series.map(({ id, steps }) => [id, steps.length, steps.at(-1)?.attempts])).toEqual([
      ['llm:8000', 24, 3],
      ['builtin', 24, 1],
    ]);
    expect((await read({ by: 'chatbot' })).parts).toEqual([]);
    expect(parts[1]?.figures.firstTokenP50Ms).toBeGreaterThan(300);
    expect(parts[1]?.figures.firstTokenP50Ms).toBeLessThan(500);
  });

  test('that a budget refused are none: no model was asked, no provider failed', async () => {
    const own = { model: 'prv_1/gpt', upstream: { host: 'api.example.com', model: 'gpt' } };
    const refused = { ...own, outcome: 'failed', isRefused: true, inputTokens: 0, outputTokens: 0 } as const;
    await count(ended({ ...refused, firstTokenMs: null }), ended(own));
    const { total, parts } = await read({ span: 'hour', by: 'provider' });
    expect(total.figures).toMatchObject({ attempts: 1, failed: 0 });
    expect(parts.map(({ figures }) => figures)).toMatchObject([{ attempts: 1, failed: 0 }]);
  });

  test('cut by a limit are counted apart: no provider failed', async () => {
    const own = { model: 'prv_1/gpt', upstream: { host: 'api.example.com', model: 'gpt' }, outcome: 'failed' } as const;
    await count(
      ...['output-limit', 'too-long', 'provider-error', 'one of a later release'].map((cause) =>
        ended({ ...own, cause }),
      ),
    );
    const { total, parts } = await read({ span: 'hour', by: 'provider' });
    expect(total.figures).toMatchObject({ attempts: 4, failed: 2, cut: 2, inputTokens: 40 });
    expect(parts.map(({ figures }) => figures)).toMatchObject([{ attempts: 4, failed: 2, cut: 2 }]);
  });

  test('are counted when they ended, however late they are told; old minutes make no rows', async () => {
    await count(ended({ endedAt: ago(2 * hourMs).toISOString() }), ended({ endedAt: ago(49 * hourMs).toISOString() }));
    const { starts, all } = await read();
    expect(starts[all.findIndex(({ attempts }) => attempts === 1)]).toBe('2026-11-21T08:00:00.000Z');
    expect((await read({ span: 'week' })).total.figures.attempts).toBe(2);
    expect(await mongo.connection.collection('metrics_minute').countDocuments({ orgId })).toBe(3);
  });

  test('of versions that told no time count when they were told', async () => {
    await count(ended({ endedAt: undefined }));
    expect((await read({ span: 'hour' })).all.at(-1)?.attempts).toBe(1);
  });

  test('lie on the days of the organisation', async () => {
    await mongo.connection.collection('org_overview').insertOne({ _id: orgId as never, timeZone: 'Asia/Tokyo' });
    await count(ended({ endedAt: '2026-11-20T16:00:00.000Z' }));
    const { timeZone, starts, all } = await read({ span: 'week' });
    expect([timeZone, starts.at(-1), all.at(-1)?.attempts]).toEqual(['Asia/Tokyo', '2026-11-21', 1]);
  });

  test('stay what they were when the handling of an event fails', async () => {
    const failing = work.run(job('tests'), async (tx) => {
      await counting.count([ended()], tx);
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect((await read()).total.figures.attempts).toBe(0);
  });

  test('are the organisation’s own', async () => {
    await count(ended());
    orgId = newId('organisation');
    expect(await read()).toMatchObject({ parts: [], series: [], since: null, total: { figures: { attempts: 0 } } });
  });
});

describe('embeddings', () => {
  const embedded = (data: object = {}) => {
    const at = clock.now().toISOString();
    const used = { model: 'prv_1/embed', host: 'llm:8000', inputTokens: 70, outputTokens: 0, chatbotId: null };
    return {
      time: at,
      data: { orgId, entryId: newId('ledgerEntry'), kind: 'embedding', userId: null, ...used, at, ...data },
    } as unknown as EventEnvelope<DataOf<typeof ledgerEntryAdded>>;
  };
  const countEmbeddings = (...events: ReturnType<typeof embedded>[]) =>
    work.run(job('tests'), (tx) => counting.countEmbeddings(events, tx));

  test('are counted beside answers by their tokens, as no attempt: by model, by provider and by chatbot', async () => {
    const bot = newId('chatbot');
    await count(ended());
    const ofAnAnswer = embedded({ kind: undefined, inputTokens: 900 });
    await countEmbeddings(embedded(), ofAnAnswer, embedded({ chatbotId: bot, inputTokens: 5 }));
    const { total, parts, all, series } = await read();
    expect(total.figures).toMatchObject({ attempts: 1, failed: 0, inputTokens: 10, embeddingTokens: 75 });
    expect(all.at(-1)).toEqual(total.figures);
    expect(parts.map(({ id, figures }) => [id, figures.attempts, figures.embeddingTokens])).toEqual([
      ['prv_1/embed', 0, 75],
      ['builtin', 1, 0],
    ]);
    expect(series.map(({ id }) => id)).toEqual(['prv_1/embed', 'builtin']);
    expect((await read({ by: 'provider' })).parts.map(({ id }) => id)).toEqual(['llm:8000', 'builtin']);
    const byChatbot = (await read({ by: 'chatbot' })).parts;
    expect(byChatbot.map(({ id, figures }) => [id, figures.embeddingTokens])).toEqual([[bot, 5]]);
  });
});

test('a thousand models are counted apart as far as there is room, the rest together, and nothing is lost', async () => {
  const models = Array.from({ length: 1_000 }, (_, index) => `prv_1/$set.${index}/${'x'.repeat(20)}`);
  for (let at = 0; at < models.length; at += 50)
    await count(...models.slice(at, at + 50).map((model) => ended({ model, upstream: { host: 'h', model } })));
  await count(ended({ model: models[0], upstream: { host: 'h', model: 'x' } }));
  const { parts, series, total } = await read({ span: 'month' });
  expect(parts).toHaveLength(mostCountedApart + 1);
  expect(parts.find(({ id }) => id === otherId)?.figures.attempts).toBe(1_000 - mostCountedApart);
  expect(parts.find(({ id }) => id === models[0])?.figures.attempts).toBe(2);
  expect(total.figures.attempts).toBe(1_001);
  expect(series).toHaveLength(3);
});

test('a time is compared with the one before, as far as both are over', async () => {
  const day = 24 * hourMs;
  await count(
    ended(),
    ended({}, ago(day)),
    ended({}, ago(29 * day)),
    ended({}, ago(30 * day)),
    ended({}, ago(60 * day)),
  );
  const { total } = await read({ span: 'month' });
  expect([total.figures.attempts, total.over.attempts, total.before.attempts]).toEqual([3, 2, 1]);
});

test('what is counted is complete until now, or until the last one while events wait', async () => {
  await count(ended({}, ago(90_000)));
  expect((await read()).completeUntil).toBe(clock.now().toISOString());
  waiting = 3;
  expect((await read()).completeUntil).toBe(ago(90_000).toISOString());
  expect((await read()).since).toBe('2026-11-21');
});

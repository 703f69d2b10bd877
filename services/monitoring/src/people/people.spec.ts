import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mostModelsOfDay, otherId } from '@parley/contracts';
import { hourMs, peopleBench } from './people.spec-setup.ts';

const bench = await peopleBench();
const { mongo, clock, count } = bench;
beforeAll(bench.ready);

let acts: ReturnType<typeof bench.found>;
beforeEach(() => {
  acts = bench.found();
});

describe('what people used', () => {
  test('is no answer where it was a vector; what nobody asked for is nobody’s', async () => {
    await acts.everybodyAsks();
    const [ada] = acts.team;
    const embedding = { kind: 'embedding', inputTokens: 7, outputTokens: 0, costMicros: 50 } as const;
    await count(acts.entry(ada!.userId, embedding), { ...acts.entry(ada!.userId, embedding), userId: null });
    const { items } = await acts.list();
    expect(items).toHaveLength(6);
    expect(items[0]).toMatchObject({ attempts: 1, inputTokens: 17, costMicros: 1_050 });
  });

  test('is added up over batches, with its models and hours, and holds nobody’s id', async () => {
    await acts.everybodyAsks();
    const [ada] = acts.team;
    await count(
      acts.entry(ada!.userId, { model: 'prv_1/atlas', costMicros: null, currency: null }),
      acts.entry(ada!.userId, { at: new Date(clock.now().getTime() - 24 * hourMs).toISOString() }),
    );
    const { items, total, months, currency } = await acts.list();
    expect(items).toHaveLength(6);
    expect(items[0]).toMatchObject({
      attempts: 3,
      unpricedAttempts: 1,
      inputTokens: 30,
      outputTokens: 15,
      costMicros: 1_100,
      lastDay: '2026-11-21',
      month: '2026-11',
      name: null,
    });
    expect(items[0]?.pseudonym).toMatch(/^P-[0-9A-F]{4,}$/);
    expect(total).toMatchObject({ attempts: 8, unpricedAttempts: 1, costMicros: 6_085 });
    expect([months, currency]).toEqual([[{ month: '2026-11', people: 6 }], 'EUR']);

    const { person, hours, models } = await acts.read(items[0]!.id);
    expect(person).toEqual(items[0]);
    // Saturday the 21st and the day before, at 10:42 UTC.
    expect(hours.flatMap((day, at) => day.flatMap((answers, hour) => (answers ? [[at, hour, answers]] : [])))).toEqual([
      [4, 10, 1],
      [5, 10, 2],
    ]);
    expect(models.map(({ model, attempts }) => [model, attempts])).toEqual([
      ['builtin', 2],
      ['prv_1/atlas', 1],
    ]);
    for (const name of ['active_day', 'active_day_models']) {
      const kept = await mongo.connection.collection(name).find({ orgId: acts.orgId }).toArray();
      for (const { userId } of acts.team) expect(JSON.stringify(kept)).not.toContain(userId);
    }
  });

  test('is of the organisation’s own days, and of each month by itself', async () => {
    await mongo.connection.collection('org_overview').insertOne({ _id: acts.orgId as never, timeZone: 'Asia/Tokyo' });
    const at = (time: string) => acts.team.map(({ userId }) => acts.entry(userId, { at: time }));
    await count(...at('2026-10-31T14:30:00.000Z'), ...at('2026-10-31T15:30:00.000Z'));
    const { items, months } = await acts.list();
    expect(new Set(items.map(({ id }) => id)).size).toBe(12);
    expect(new Set(items.map(({ lastDay }) => lastDay))).toEqual(new Set(['2026-10-31', '2026-11-01']));
    expect(months).toEqual([
      { month: '2026-11', people: 6 },
      { month: '2026-10', people: 6 },
    ]);
    expect((await acts.list({ span: 'week' })).items).toEqual([]);
  });

  test('of many models is counted apart as far as there is room, and nothing is lost', async () => {
    await acts.everybodyAsks();
    const models = Array.from({ length: 50 }, (_, index) => `prv_1/$m.${index}`);
    await count(...models.map((model) => acts.entry(acts.team[0]!.userId, { model })));
    const shown = (await acts.read((await acts.list()).items[0]!.id)).models;
    expect(shown).toHaveLength(mostModelsOfDay + 1);
    expect(shown.find(({ model }) => model === otherId)?.attempts).toBe(51 - mostModelsOfDay);
  });

  test('longer ago than it is kept is not counted again', async () => {
    await count(
      acts.entry(acts.team[0]!.userId, { at: new Date(clock.now().getTime() - 401 * 24 * hourMs).toISOString() }),
    );
    expect(await mongo.connection.collection('active_day').countDocuments({ orgId: acts.orgId })).toBe(0);
  });

  test('is nobody else’s', async () => {
    await acts.everybodyAsks();
    const [{ id } = { id: '' }] = (await acts.list()).items;
    acts = bench.found();
    expect(await acts.list()).toMatchObject({ items: [], months: [], total: { attempts: 0 } });
    await expect(acts.read(id)).rejects.toMatchObject({ code: 'monitoring.person-not-found' });
  });
});

describe('of fewer than five', () => {
  test('there are totals, and nobody apart, whatever is filtered, ordered or asked by id', async () => {
    await acts.everybodyAsks();
    const { items } = await acts.list();
    acts = bench.found();
    await count(...acts.team.slice(0, 4).map(({ userId }) => acts.entry(userId)));
    for (const query of [{}, { text: 'P' }, { budget: 'near' }, { limit: 1 }, { sort: 'seen' }, { span: 'week' }])
      expect(await acts.list(query)).toMatchObject({ items: [], nextCursor: null, total: { attempts: 4 } });
    const [own] = await mongo.connection.collection('active_day').find({ orgId: acts.orgId }).toArray();
    for (const id of [own?.['pseudonym'] as string, items[0]!.id])
      await expect(acts.read(id)).rejects.toMatchObject({ code: 'monitoring.person-not-found' });
  });

  test('in the last seven days nobody is apart there, also where thirty have enough', async () => {
    const earlier = new Date(clock.now().getTime() - 10 * 24 * hourMs).toISOString();
    await count(
      ...acts.team.map(({ userId }) => acts.entry(userId, { at: earlier })),
      acts.entry(acts.team[0]!.userId),
    );
    expect((await acts.list()).items).toHaveLength(6);
    expect(await acts.list({ span: 'week' })).toMatchObject({ items: [], total: { attempts: 1 } });
  });

  test('a filter hides people and changes neither totals nor counts', async () => {
    await acts.everybodyAsks();
    const all = await acts.list();
    const sought = await acts.list({ text: all.items[2]!.pseudonym });
    expect(sought.items).toEqual([all.items[2]]);
    expect([sought.total, sought.months]).toEqual([all.total, all.months]);
  });
});

test('readers who see no names get the same pseudonyms elsewhere, in the order asked', async () => {
  await acts.everybodyAsks();
  const { items } = await acts.list();
  const userIds = acts.team.map(({ userId }) => userId).toReversed();
  const told = await acts.pseudonyms(items[0]!.month, userIds);
  expect(told.items).toEqual(items.map(({ pseudonym }) => pseudonym).toReversed());
  expect((await acts.pseudonyms('2025-01', userIds)).items).not.toEqual(told.items);
});

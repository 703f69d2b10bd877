import { beforeAll, describe, expect, test } from '@jest/globals';
import { budgetThresholdCrossed, type BudgetId, type KnownBudget, type reserveBudget } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { job } from '@parley/platform/work';
import type { BodyOf, DataOf } from '@parley/protocol';
import { admin, budgetBench, tests } from './budgets.spec-setup.ts';
import { reservationRows } from './budget-sheet.collection.ts';
import { leaseMs } from './budget-sheet.ts';
import { ReservationsService, renewalMs } from './reservations.service.ts';

const bench = await budgetBench();
const { mongo, work, clock, ready, sheets, rates, settlement, budgets, newBudget } = bench;
const newProcess = () => new ReservationsService(sheets, rates, work, clock);
const reservations = newProcess();
beforeAll(async () => {
  await ready();
  clock.advance(renewalMs);
});

type Wish = BodyOf<typeof reserveBudget>;
const aWish = (orgId: Wish['orgId'], more: Partial<Wish> = {}): Wish => ({
  orgId,
  generationId: newId('generation'),
  attempt: 1,
  userId: newId('user'),
  groupIds: [],
  model: 'prv_1/gpt' as Wish['model'],
  upstream: { host: 'api.example.com', model: 'gpt' },
  inputTokens: 60,
  outputTokens: 40,
  ended: [],
  ...more,
});
const reserve = (wish: Wish, by = reservations) => by.reserve({ body: wish } as never);
const isReserved = (wish: Wish, by = reservations): Promise<boolean> =>
  reserve(wish, by).then(
    () => true,
    (error: unknown) => {
      expect(error).toMatchObject({ code: 'billing.budget-spent' });
      return false;
    },
  );
const settle = (wish: Wish, tokens: number) => {
  const { orgId, userId, groupIds, model, chatbotId = null } = wish;
  const use = { userId, groupIds, model, chatbotId };
  const used = { id: `${wish.generationId}:${wish.attempt}`, use, amount: { costMicros: 0, tokens }, at: clock.now() };
  return work.run(job('tests'), (tx) => settlement.settle(tests.in(orgId), used, tx));
};
const figuresOf = async (orgId: Wish['orgId'], id: BudgetId) => {
  const { items } = await budgets.list({ scope: tests.in(orgId), principal: admin } as never);
  const { spent, held } = items.find((budget) => budget.id === id) as KnownBudget;
  return { spent, held };
};
const rowsOf = (orgId: Wish['orgId']) => mongo.rows(reservationRows).within(tests.in(orgId)).find({});

describe.each([50, 500])('%i questions at once against a budget for ten', (count) => {
  test('ten are answered, and spent never passes the limit', async () => {
    const orgId = newId('organisation');
    const { id } = await newBudget(orgId, { hardLimit: 1_000 });
    // As two processes of billing.
    const processes = [reservations, newProcess()] as const;
    const wishes = Array.from({ length: count }, () => aWish(orgId));
    const answers = await Promise.all(wishes.map((wish, at) => isReserved(wish, processes[at % 2])));
    const held = wishes.filter((_wish, at) => answers[at]);
    expect(held).toHaveLength(10);
    expect(await figuresOf(orgId, id)).toEqual({ spent: 0, held: 1_000 });
    await Promise.all(held.map((wish) => settle(wish, 100)));
    expect(await figuresOf(orgId, id)).toEqual({ spent: 1_000, held: 0 });
    const kinds = (await rowsOf(orgId)).map(({ kind }) => kind).toSorted();
    expect(kinds).toEqual([...Array<string>(10).fill('reserved'), ...Array<string>(10).fill('settled')]);
  }, 60_000);

  test('while others end and use less, all that fits is answered', async () => {
    const orgId = newId('organisation');
    const { id } = await newBudget(orgId, { hardLimit: 1_000 });
    let used = 0;
    await Promise.all(
      Array.from({ length: count }, async () => {
        const wish = aWish(orgId);
        if (!(await isReserved(wish))) return;
        const { spent, held } = await figuresOf(orgId, id);
        expect(spent + held).toBeLessThanOrEqual(1_000);
        await settle(wish, 30);
        used += 30;
      }),
    );
    expect(await figuresOf(orgId, id)).toEqual({ spent: used, held: 0 });
    expect(used).toBeGreaterThanOrEqual(300);
  }, 60_000);
});

test('sixty at once that may be shorter never pass a hard limit, and use it up to what is too little for one', async () => {
  const orgId = newId('organisation');
  await bench.newPrice('long', { inputMicros: 1_000_000, cachedMicros: 1_000_000, outputMicros: 4_000_000 });
  const { id } = await newBudget(orgId, { unit: 'money', hardLimit: 100_000 });
  const tokens = await newBudget(orgId, { hardLimit: 1_000_000 });
  const processes = [reservations, newProcess()] as const;
  const upstream = { host: 'api.example.com', model: 'long' };
  const long = { upstream, inputTokens: 500, outputTokens: 4_096, leastOutputTokens: 256 };
  const wishes = Array.from({ length: 60 }, () => aWish(orgId, long));
  const granted = await Promise.all(
    wishes.map(async (wish, at): Promise<number | undefined> => {
      try {
        return (await reserve(wish, processes[at % 2])).outputTokens;
      } catch (error) {
        expect(error).toMatchObject({ code: 'billing.budget-spent' });
        return undefined;
      }
    }),
  );
  const held = granted.filter((output) => output !== undefined);
  expect(held.filter((output) => output === 4_096)).toHaveLength(5);
  expect(held.filter((output) => output < 4_096).every((output) => output >= 256)).toBe(true);
  expect(held.length).toBeGreaterThan(5);
  const sum = held.reduce((total, output) => total + 500 + 4 * output, 0);
  expect(await figuresOf(orgId, id)).toEqual({ spent: 0, held: sum });
  expect(sum).toBeLessThanOrEqual(100_000);
  expect(sum).toBeGreaterThan(100_000 - 500 - 4 * 256);
  expect((await figuresOf(orgId, tokens.id)).held).toBeLessThanOrEqual(1_000_000);
  const at = granted.findIndex((output) => output !== undefined);
  expect(await reserve(wishes[at]!)).toEqual({ outputTokens: granted[at] });
});

test('asked by a version that names no least it is reserved as a whole or refused', async () => {
  const orgId = newId('organisation');
  await newBudget(orgId, { hardLimit: 99 });
  expect(await isReserved(aWish(orgId))).toBe(false);
  expect(await reserve(aWish(orgId, { leastOutputTokens: 39 }))).toEqual({ outputTokens: 39 });
});

test('an organisation without budgets reserves nothing, and its answers write no sheet', async () => {
  const wish = aWish(newId('organisation'));
  await reserve(wish);
  await settle(wish, 100);
  expect([await sheets.read(tests.in(wish.orgId)), await rowsOf(wish.orgId)]).toEqual([null, []]);
});

test('a repeated request reserves once, whichever process gets it', async () => {
  const orgId = newId('organisation');
  const { id } = await newBudget(orgId, { hardLimit: 150 });
  const wish = aWish(orgId);
  await Promise.all([reserve(wish), reserve(wish), reserve(wish, newProcess())]);
  expect(await figuresOf(orgId, id)).toEqual({ spent: 0, held: 100 });
});

test('money is reserved by the price of now, cached input at the dearer one', async () => {
  const orgId = newId('organisation');
  await bench.newPrice('gpt', { inputMicros: 1_000_000, cachedMicros: 2_000_000, outputMicros: 4_000_000 });
  const { id } = await newBudget(orgId, { unit: 'money', hardLimit: 1_000 });
  await reserve(aWish(orgId));
  expect(await figuresOf(orgId, id)).toEqual({ spent: 0, held: 60 * 2 + 40 * 4 });
});

describe('the reservation of a dead worker', () => {
  test('is free after its lease, and noted as released; what is renewed stays', async () => {
    const orgId = newId('organisation');
    await newBudget(orgId, { hardLimit: 200 });
    const [dead, alive] = [aWish(orgId), aWish(orgId)];
    await Promise.all([reserve(dead), reserve(alive)]);
    clock.advance(leaseMs - 1);
    const { generationId, attempt } = alive;
    await reservations.renew({ body: { reservations: [{ orgId, generationId, attempt }] } } as never);
    expect(await isReserved(aWish(orgId))).toBe(false);
    clock.advance(1);
    expect(await isReserved(aWish(orgId))).toBe(true);
    expect(await isReserved(aWish(orgId))).toBe(false);
    const released = (await rowsOf(orgId)).filter(({ kind }) => kind === 'released');
    expect(released.map(({ reservationId }) => reservationId)).toEqual([`${dead.generationId}:1`]);
  });

  test('waits for those that could not renew while billing was away, and is free 30 s after the death all the same', async () => {
    const orgId = newId('organisation');
    await newBudget(orgId, { hardLimit: 100 });
    await reserve(aWish(orgId));
    const diedAt = clock.now().getTime();
    clock.advance(leaseMs + 1);
    const again = newProcess();
    expect(await isReserved(aWish(orgId), again)).toBe(false);
    clock.advance(renewalMs);
    expect(await isReserved(aWish(orgId), again)).toBe(true);
    expect(clock.now().getTime() - diedAt).toBeLessThan(30_000);
  });
});

test('limits are told once each, and again after they were changed', async () => {
  const orgId = newId('organisation');
  const budget = await newBudget(orgId, { softLimit: 50, hardLimit: 100 });
  for (const tokens of [60, 20, 30, 1]) await settle(aWish(orgId), tokens);
  await Promise.all([isReserved(aWish(orgId)), isReserved(aWish(orgId))]);
  const told = async () =>
    (await bench.recorded())
      .filter(({ type, subject }) => type === budgetThresholdCrossed.type && subject === orgId)
      .map(({ data }) => (data as DataOf<typeof budgetThresholdCrossed>).threshold);
  expect(await told()).toEqual(['soft', 'hard']);
  await bench.change(orgId, budget, { softLimit: 50, hardLimit: 120 });
  expect(await told()).toEqual(['soft', 'hard']);
  await settle(aWish(orgId), 30);
  expect(await told()).toEqual(['soft', 'hard', 'hard']);
});

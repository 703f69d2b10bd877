import { describe, expect, test } from '@jest/globals';
import type { BudgetUse, ModelKey } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { heldOf, inPeriodOf, leaseMs, renewed, reserve, settle, withoutExpired, withReached } from './budget-sheet.ts';
import type { BudgetSheet, CountedBudget } from './budget-sheet.collection.ts';

const now = new Date('2026-11-21T10:00:00.000Z');
const later = (ms: number) => new Date(now.getTime() + ms);
const dayMs = 86_400_000;
const userId = newId('user');
const me: BudgetUse = { userId, groupIds: [], model: 'prv_1/gpt', chatbotId: null };

const aBudget = (more: Partial<CountedBudget> = {}): CountedBudget => ({
  id: newId('budget'),
  scope: { kind: 'organisation' },
  period: 'month',
  unit: 'tokens',
  softLimit: null,
  hardLimit: 100,
  version: 1,
  spent: 0,
  periodStart: '2026-11-01',
  countsFrom: new Date('2026-11-01T00:00:00.000Z'),
  resetsAt: new Date('2026-12-01T00:00:00.000Z'),
  told: [],
  ...more,
});
const aSheet = (...budgets: CountedBudget[]): BudgetSheet => {
  const orgId = newId('organisation');
  return { _id: orgId, orgId, timeZone: 'UTC', revision: 1, budgets, reservations: [] };
};
const wanted = (id: string, tokens: number, more: object = {}) => ({
  id,
  use: me,
  amountOf: (outputTokens: number) => ({ costMicros: outputTokens * 10, tokens: outputTokens }),
  mostOutput: tokens,
  leastOutput: tokens,
  ended: [],
  ...more,
});
const used = (id: string, tokens: number, more: object = {}) => ({
  id,
  use: me,
  amount: { costMicros: tokens * 10, tokens },
  at: now,
  ...more,
});

describe('what is counted', () => {
  const [group, bot] = [newId('group'), newId('chatbot')];
  const rows: [string, CountedBudget['scope'], Partial<BudgetUse>, boolean][] = [
    ["everybody's", { kind: 'organisation' }, {}, true],
    ['my own', { kind: 'person', id: userId }, {}, true],
    ["somebody else's", { kind: 'person', id: newId('user') }, {}, false],
    ['that of my group', { kind: 'group', id: group }, { groupIds: [newId('group'), group] }, true],
    ['that of another group', { kind: 'group', id: newId('group') }, { groupIds: [group] }, false],
    ['of the model I ask', { kind: 'model', id: 'prv_1/gpt' as ModelKey }, {}, true],
    ['of the chatbot I ask', { kind: 'chatbot', id: bot, name: 'Grid' }, { chatbotId: bot }, true],
    ['of another chatbot', { kind: 'chatbot', id: newId('chatbot'), name: 'Grid' }, { chatbotId: bot }, false],
    ['of a chatbot, and none is named', { kind: 'chatbot', id: bot, name: 'Grid' }, {}, false],
    ['of another model', { kind: 'model', id: 'prv_1/other' as ModelKey }, {}, false],
  ];
  test.each(rows)('%s', (_whose, scope, use, isCounted) => {
    const { sheet } = settle(aSheet(aBudget({ scope })), used('a', 7, { use: { ...me, ...use } }));
    expect(sheet.budgets[0]?.spent).toBe(isCounted ? 7 : 0);
  });

  test('money by its cost, tokens by their number', () => {
    const { sheet } = settle(aSheet(aBudget({ unit: 'money' }), aBudget()), used('a', 7));
    expect(sheet.budgets.map(({ spent }) => spent)).toEqual([70, 7]);
  });

  test('not what ended before it began, unless it was reserved', () => {
    const before = aSheet(aBudget());
    const at = new Date('2026-10-31T23:59:59.999Z');
    expect(settle(before, used('a', 7, { at })).sheet.budgets[0]?.spent).toBe(0);
    const { sheet } = reserve(before, wanted('a', 10), now);
    expect(settle(sheet, used('a', 7, { at })).sheet.budgets[0]?.spent).toBe(7);
  });

  test('sums stay exact numbers, whatever a model server reports', () => {
    const sheet = aSheet(aBudget({ spent: Number.MAX_SAFE_INTEGER - 1 }));
    expect(settle(sheet, used('a', 1_000)).sheet.budgets[0]?.spent).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe('a reservation', () => {
  test('is reserved up to the hard limit exactly, then refused with the budget and the amount', () => {
    const sheet = aSheet(aBudget({ spent: 60 }));
    const held = reserve(sheet, wanted('a', 40), now);
    expect(held.reservation).toMatchObject({ tokens: 40, budgetIds: [sheet.budgets[0]?.id] });
    expect(reserve(sheet, wanted('a', 41), now).refusal).toEqual({
      budgetId: sheet.budgets[0]?.id,
      amount: 41,
      isOnlyReserved: false,
    });
    expect(reserve(held.sheet, wanted('b', 1), now).refusal).toMatchObject({ amount: 1 });
  });

  test('is reserved under all hard limits that count it, or under none', () => {
    const sheet = aSheet(aBudget(), aBudget({ scope: { kind: 'person', id: userId }, hardLimit: 5 }));
    const refused = reserve(sheet, wanted('a', 6), now);
    expect([refused.refusal?.budgetId, refused.sheet.reservations]).toEqual([sheet.budgets[1]?.id, []]);
    const { sheet: held } = reserve(sheet, wanted('a', 5), now);
    expect(held.budgets.map((budget) => heldOf(budget, held.reservations))).toEqual([5, 5]);
  });

  test('reserves a shorter answer where the longest does not fit, up to the tightest limit exactly', () => {
    const sheet = aSheet(aBudget({ unit: 'money', hardLimit: 805, spent: 1 }), aBudget({ hardLimit: 1_000 }));
    const { sheet: after, reservation } = reserve(sheet, wanted('a', 200, { leastOutput: 10 }), now);
    expect(reservation).toMatchObject({ outputTokens: 80, costMicros: 800, tokens: 80 });
    expect(reserve(after, wanted('a', 200, { leastOutput: 10 }), now)).toMatchObject({ isNew: false, reservation });
    expect(reserve(after, wanted('b', 200, { leastOutput: 10 }), now).refusal).toMatchObject({ amount: 100 });
    expect(reserve(after, wanted('c', 0, { leastOutput: 0 }), now).refusal).toBeNull();
  });

  test('is as long as it fits whatever is left, never longer, and refused only where the least does not fit', () => {
    for (let left = 0; left <= 60; left += 1) {
      const sheet = aSheet(aBudget({ unit: 'money', hardLimit: 10 * left }), aBudget({ hardLimit: 45 }));
      const { reservation, refusal } = reserve(sheet, wanted('a', 50, { leastOutput: 7 }), now);
      if (left < 7) expect([reservation, refusal]).toMatchObject([null, { amount: 70 }]);
      else expect(reservation).toMatchObject({ outputTokens: Math.min(left, 45) });
    }
  });

  test('needs none where no hard limit counts it', () => {
    const others = aBudget({ scope: { kind: 'person', id: newId('user') } });
    const { sheet, reservation, refusal } = reserve(
      aSheet(aBudget({ hardLimit: null, softLimit: 1 }), others),
      wanted('a', 999),
      now,
    );
    expect([sheet.reservations, reservation, refusal]).toEqual([[], null, null]);
  });

  test('of what has no price costs nothing, also where the money is spent', () => {
    const sheet = aSheet(aBudget({ unit: 'money', spent: 100 }));
    const free = { amountOf: () => ({ costMicros: 0, tokens: 50 }) };
    expect(reserve(sheet, wanted('a', 50, free), now).refusal).toBeNull();
    expect(reserve(sheet, wanted('b', 1), now).refusal).not.toBeNull();
  });

  test('asked for again is the same one, with a longer lease', () => {
    const { sheet } = reserve(aSheet(aBudget()), wanted('a', 60), now);
    const again = reserve(sheet, wanted('a', 60), later(1_000));
    expect([again.isNew, again.sheet.reservations.length, again.sheet.reservations[0]?.leaseUntil]).toEqual([
      false,
      1,
      later(1_000 + leaseMs),
    ]);
  });

  test('for a restarted answer has room beside the use of the dead attempt', () => {
    const { sheet } = reserve(aSheet(aBudget()), wanted('g:1', 90), now);
    const ended = [{ id: 'g:1', costMicros: 200, tokens: 20 }];
    expect(reserve(sheet, wanted('g:2', 81, { ended }), now).refusal).not.toBeNull();
    const { sheet: both } = reserve(sheet, wanted('g:2', 80, { ended }), now);
    expect(heldOf(both.budgets[0]!, both.reservations)).toBe(100);
    const { sheet: settled } = settle(both, used('g:1', 20));
    expect([settled.budgets[0]?.spent, heldOf(settled.budgets[0]!, settled.reservations)]).toEqual([20, 80]);
  });

  test('is settled by what was used, and an excess is told', () => {
    const { sheet } = reserve(aSheet(aBudget()), wanted('a', 90), now);
    const settled = settle(sheet, used('a', 30));
    expect([settled.sheet.budgets[0]?.spent, settled.sheet.reservations, settled.excess]).toEqual([30, [], null]);
    const beyond = settle(sheet, used('a', 95));
    expect([beyond.sheet.budgets[0]?.spent, beyond.excess]).toEqual([95, { costMicros: 50, tokens: 5 }]);
  });

  test('that nobody renews is free when its lease ends, not before', () => {
    const { sheet } = reserve(aSheet(aBudget()), wanted('a', 90), now);
    expect(withoutExpired(sheet, later(leaseMs - 1)).released).toEqual([]);
    expect(withoutExpired(sheet, later(leaseMs)).sheet.reservations).toEqual([]);
    const kept = renewed(sheet, new Set(['a']), later(10_000));
    expect(withoutExpired(kept, later(leaseMs)).released).toEqual([]);
  });
});

describe('a limit is told', () => {
  const toldOf = (sheet: BudgetSheet) => sheet.budgets[0]?.told;
  test('a limit is told once, when it is reached', () => {
    const sheet = aSheet(aBudget({ softLimit: 80 }));
    const below = settle(sheet, used('a', 79)).sheet;
    const warned = settle(below, used('b', 1)).sheet;
    const stopped = settle(warned, used('c', 20)).sheet;
    expect([toldOf(below), toldOf(warned), toldOf(stopped), toldOf(settle(stopped, used('d', 1)).sheet)]).toEqual([
      [],
      ['soft'],
      ['soft', 'hard'],
      ['soft', 'hard'],
    ]);
  });
  test('a hard limit is told when it refuses an answer', () => {
    expect(toldOf(reserve(aSheet(aBudget()), wanted('a', 101), now).sheet)).toEqual(['hard']);
  });

  test('a hard limit is not told where only reserved budget is in the way, and the refusal says so', () => {
    const { sheet } = reserve(aSheet(aBudget()), wanted('a', 60), now);
    const refused = reserve(sheet, wanted('b', 41), now);
    expect([toldOf(refused.sheet), refused.refusal?.isOnlyReserved]).toEqual([[], true]);
  });
});

describe('a period', () => {
  const began = (sheet: BudgetSheet, at: Date) => inPeriodOf(sheet, at).budgets[0]!;
  const spent = aBudget({ spent: 70, told: ['hard'] });

  test('begins with nothing spent and nothing told; what is reserved stays reserved', () => {
    const { sheet } = reserve(aSheet(aBudget({ spent: 70, told: ['soft'] })), wanted('a', 20), now);
    const next = inPeriodOf(sheet, spent.resetsAt);
    expect(next.budgets[0]).toMatchObject({ spent: 0, told: [], periodStart: '2026-12-01' });
    expect(heldOf(next.budgets[0]!, next.reservations)).toBe(20);
    expect(began(aSheet(spent), new Date(spent.resetsAt.getTime() - 1))).toEqual(spent);
  });

  test('tells of nothing at its beginning, and of each limit once when it is reached again', () => {
    const before = aSheet(aBudget({ softLimit: 80, spent: 120, told: ['soft', 'hard'] }));
    const next = inPeriodOf(before, spent.resetsAt);
    const at = spent.resetsAt;
    const tolds = [80, 20, 1].reduce(
      (sheets, tokens, index) => [...sheets, settle(sheets.at(-1)!, used(`${index}`, tokens, { at })).sheet],
      [withReached(next)],
    );
    expect(tolds.map(({ budgets }) => budgets[0]?.told)).toEqual([[], ['soft'], ['soft', 'hard'], ['soft', 'hard']]);
  });

  test('that nobody asked in is passed over', () => {
    expect(began(aSheet(spent), new Date('2027-03-31T10:00:00Z'))).toMatchObject({
      periodStart: '2027-03-01',
      resetsAt: new Date('2027-04-01T00:00:00.000Z'),
      spent: 0,
    });
  });

  test('is not begun again by a clock that is behind', () => {
    const next = { ...began(aSheet(spent), spent.resetsAt), spent: 50 };
    const behind = began(aSheet(next), new Date(spent.resetsAt.getTime() - 5_000));
    expect([behind.periodStart, behind.spent]).toEqual(['2026-12-01', 50]);
    expect(began(aSheet(behind), later(20 * dayMs)).spent).toBe(50);
  });

  test('of a clock that was far ahead is forgotten, and what was spent is not', () => {
    const ahead = { ...began(aSheet(spent), new Date('2031-05-05T00:00:00Z')), spent: 40 };
    expect(began(aSheet(ahead), now)).toMatchObject({ periodStart: '2026-11-01', spent: 40, resetsAt: spent.resetsAt });
  });

  test('that by a new time zone is not over yet goes on with what is spent', () => {
    const west = { ...aSheet(spent), timeZone: 'Pacific/Honolulu' };
    expect(began(west, spent.resetsAt)).toMatchObject({
      periodStart: '2026-11-01',
      spent: 70,
      resetsAt: new Date('2026-12-01T10:00:00.000Z'),
    });
  });
});

/** The same on every run. */
function randoms(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test.each(Array.from({ length: 40 }, (_, seed) => seed))(
  'whatever happens in whatever order, models that keep to their limit never let spent pass a hard limit (%i)',
  (seed) => {
    const random = randoms(seed);
    const people = [userId, newId('user'), newId('user')];
    let sheet = aSheet(
      aBudget({ hardLimit: 300 }),
      aBudget({ scope: { kind: 'person', id: people[0]! }, hardLimit: 120 }),
      aBudget({ scope: { kind: 'model', id: 'm1' as ModelKey }, unit: 'money', hardLimit: 1_500 }),
      aBudget({ period: 'day', hardLimit: 200, resetsAt: later(30_000) }),
    );
    const open = new Map<string, { tokens: number; use: BudgetUse }>();
    let at = now;
    for (let step = 0; step < 200; step += 1) {
      at = new Date(at.getTime() + random(2_000));
      sheet = renewed(inPeriodOf(sheet, at), new Set(open.keys()), at);
      const use = { userId: people[random(3)]!, groupIds: [], model: `m${random(3)}`, chatbotId: null };
      const tokens = 1 + random(60);
      if (random(2) === 0) {
        const done = reserve(sheet, wanted(`g${step}`, tokens, { use }), at);
        sheet = done.sheet;
        if (done.reservation) open.set(done.reservation.id, { tokens, use });
      } else {
        const [id, reservation] = [...open][random(open.size)] ?? [];
        if (id === undefined || !reservation) continue;
        sheet = settle(sheet, used(id, random(reservation.tokens + 1), { use: reservation.use, at })).sheet;
        open.delete(id);
      }
      for (const budget of sheet.budgets)
        expect(budget.spent + heldOf(budget, sheet.reservations)).toBeLessThanOrEqual(budget.hardLimit!);
    }
    expect(sheet.reservations.map(({ id }) => id).toSorted()).toEqual([...open.keys()].toSorted());
  },
);

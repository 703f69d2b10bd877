import { describe, expect, test } from '@jest/globals';
import { pageOfPeople, peopleOf } from './people-list.ts';

const idOf = (index: number): string => index.toString(16).padStart(24, '0');
const row = (index: number, day: string, costMicros = 1) => ({
  pseudonym: idOf(index),
  day,
  attempts: 1,
  unpricedAttempts: 0,
  inputTokens: 10 * index,
  outputTokens: 0,
  costMicros,
});
const rows = (count: number, day: string, from = 1) =>
  Array.from({ length: count }, (_, index) => row(from + index, day, from + index));

describe('people stand apart', () => {
  test('where five were active, and not where four were: of these there are totals', () => {
    expect(peopleOf(rows(5, '2026-11-21')).shown).toHaveLength(5);
    const few = peopleOf(rows(4, '2026-11-21'));
    expect(few).toMatchObject({ shown: [], months: [{ month: '2026-11', people: null }], total: { attempts: 4 } });
  });

  test('month by month: the days of a month with too few are in the totals only', () => {
    const { shown, months, total } = peopleOf([...rows(6, '2026-10-30'), ...rows(4, '2026-11-01', 20)]);
    expect(new Set(shown.map(({ month }) => month))).toEqual(new Set(['2026-10']));
    expect(months).toEqual([
      { month: '2026-11', people: null },
      { month: '2026-10', people: 6 },
    ]);
    expect(total.attempts).toBe(10);
  });

  test('with all days of theirs, and the last of them', () => {
    const { shown } = peopleOf([...rows(5, '2026-11-02'), row(1, '2026-11-07', 100), row(1, '2026-11-05', 10)]);
    expect(shown.find(({ id }) => id === idOf(1))).toMatchObject({
      attempts: 3,
      costMicros: 111,
      lastDay: '2026-11-07',
    });
  });

  test('nobody was there', () => {
    expect(peopleOf([])).toMatchObject({ shown: [], months: [], total: { attempts: 0 } });
  });
});

describe('pages', () => {
  const { shown } = peopleOf([...rows(7, '2026-11-02'), ...rows(2, '2026-11-09', 2)]);
  const idsBy = (sort: 'cost' | 'answers' | 'tokens' | 'seen', limit: number) => {
    const ids: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = pageOfPeople(shown, { sort, limit, cursor });
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    return ids.map((id) => Number.parseInt(id, 16));
  };

  test.each([1, 2, 3, 50])('of %s come in one order, nobody twice and nobody left out', (limit) => {
    expect(idsBy('cost', limit)).toEqual([7, 3, 6, 5, 2, 4, 1]);
    expect(idsBy('answers', limit)).toEqual([2, 3, 1, 4, 5, 6, 7]);
    expect(idsBy('tokens', limit)).toEqual([7, 3, 6, 5, 2, 4, 1]);
    expect(idsBy('seen', limit)).toEqual([2, 3, 1, 4, 5, 6, 7]);
  });

  test.each(['x', 'W10', Buffer.from('["answers",1,"a"]').toString('base64url')])(
    'are refused by the cursor %s',
    (cursor) => {
      expect(() => pageOfPeople(shown, { sort: 'cost', limit: 5, cursor })).toThrow(
        expect.objectContaining({ code: 'platform.invalid-request' }),
      );
    },
  );
});

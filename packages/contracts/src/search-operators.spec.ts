import { describe, expect, test } from '@jest/globals';
import { mostSearchOperators, parseSearch, searchOperator } from './search-operators.ts';

const nothing = { words: '', has: [], ignored: [] };

describe('parseSearch', () => {
  test.each([
    ['of words alone', 'leave in March', { words: 'leave in March' }],
    [
      'with each operator',
      'in:Work from:me has:file has:image before:2026-12-01 after:2026-11-01 leave',
      { words: 'leave', in: 'Work', from: 'me', has: ['file', 'image'], before: '2026-12-01', after: '2026-11-01' },
    ],
    ['with an operator alone', 'has:file', { has: ['file'] }],
    ['with capitals, as keyboards of phones begin', 'From:Chatbot Has:FILE', { from: 'chatbot', has: ['file'] }],
    [
      'with a project of several words',
      'in:"Leave and sick days" march',
      { in: 'Leave and sick days', words: 'march' },
    ],
    ['with quotes of other keyboards', 'in:„Meine Reise“ has:“file”', { in: 'Meine Reise', has: ['file'] }],
    ['with a quote that is not closed yet', 'march in:"Leave and', { in: 'Leave and', words: 'march' }],
    [
      'from right to left',
      '\u2067إجازة\u2069 \u200Ein:"مشروع السفر"\u200F from:me',
      { words: 'إجازة', in: 'مشروع السفر', from: 'me' },
    ],
    ['with Arabic digits', 'before:٢٠٢٦-١١-٠١', { before: '2026-11-01' }],
    ['with the same operator twice', 'has:file has:file from:me from:me', { has: ['file'], from: 'me' }],
    ['with the last day of a leap year', 'after:2028-02-29', { after: '2028-02-29' }],
  ])('parses a search %s', (_name, text, read) => expect(parseSearch(text)).toEqual({ ...nothing, ...read }));

  test.each([
    'note:this',
    'https://example.com/in:side',
    '"from:me"',
    '"has:file before:2026-11-01"',
    'x-from:me',
    '(has:file)',
    '12:30',
    'a " b',
  ])('reads %j as words only', (text) => expect(parseSearch(text)).toEqual({ ...nothing, words: text }));

  test.each([
    ['has:x', 'unknown-value'],
    ['from:bob', 'unknown-value'],
    ['in:', 'missing-value'],
    ['in:""', 'missing-value'],
    ['has:', 'missing-value'],
    ['before:2026-02-30', 'impossible-date'],
    ['before:2027-02-29', 'impossible-date'],
    ['after:2026-13-01', 'impossible-date'],
    ['after:yesterday', 'impossible-date'],
    ['before:01.11.2026', 'impossible-date'],
    ['before:0001-01-01', 'impossible-date'],
  ])('ignores the operator %s, names it and keeps the rest of the search', (operator, reason) => {
    const read = { ...nothing, words: 'leave days', ignored: [{ operator, reason }] };
    expect(parseSearch(`leave ${operator} days`)).toEqual(read);
  });

  test('keeps the first of two operators that contradict each other', () => {
    expect(parseSearch('from:me from:chatbot in:A in:"B C"')).toEqual({
      ...nothing,
      from: 'me',
      in: 'A',
      ignored: [
        { operator: 'from:chatbot', reason: 'repeated' },
        { operator: 'in:"B C"', reason: 'repeated' },
      ],
    });
  });

  test.each([
    ['before:2024-01-01 after:2024-02-01', { before: '2024-01-01' }, 'after:2024-02-01'],
    ['after:2024-02-01 before:2024-01-01', { after: '2024-02-01' }, 'before:2024-01-01'],
    ['after:2024-02-01 before:2024-02-01', { after: '2024-02-01' }, 'before:2024-02-01'],
  ])('keeps only the first of two dates if no day matches both: %s', (text, kept, operator) => {
    const read = { ...nothing, words: 'wind', ...kept, ignored: [{ operator, reason: 'no-days' }] };
    expect(parseSearch(`${text} wind`)).toEqual(read);
  });

  test('uses the first ten of 50 operators', () => {
    const { ignored, has, words } = parseSearch(`leave ${'has:file '.repeat(50)}`);
    expect([words, has]).toEqual(['leave', ['file']]);
    expect(ignored).toHaveLength(50 - mostSearchOperators);
    expect(new Set(ignored.map(({ reason }) => reason))).toEqual(new Set(['too-many']));
  });
});

test('writes an operator that is read back as the same value', () => {
  expect(searchOperator('has', 'file')).toBe('has:file');
  for (const [name, read] of [
    ['Work', 'Work'],
    ['Leave and sick days', 'Leave and sick days'],
    ['The "new" one', 'The new one'],
  ] as const)
    expect(parseSearch(searchOperator('in', name))).toEqual({ ...nothing, in: read });
});

import { describe, expect, it } from '@jest/globals';
import { partsOf, plainOf } from './passage-parts.ts';

describe('a passage', () => {
  it('is text and tables in their order', () => {
    expect(partsOf('Rents of 2026\n\n| City | Rent |\n| --- | --- |\n| Berlin \\| Mitte | 1,200 |\n\nNet.')).toEqual([
      { kind: 'text', text: 'Rents of 2026' },
      { kind: 'table', names: ['City', 'Rent'], rows: [['Berlin | Mitte', '1,200']] },
      { kind: 'text', text: 'Net.' },
    ]);
  });

  it('has no names where a table begins in its middle', () => {
    expect(partsOf('| Berlin | 1,200 |')).toEqual([{ kind: 'table', names: null, rows: [['Berlin', '1,200']] }]);
  });
});

it('around a passage a table is its words', () => {
  expect(plainOf('ty | Rent |\n| --- | --- |\n| Berlin | 1,200 |')).toBe('ty · Rent\nBerlin · 1,200');
});

import { describe, expect, test } from '@jest/globals';
import { quotationsOf } from './quotation.ts';

const passage = (number: number, text: string, heading: string | null = null) => ({
  number,
  documentName: 'Handbook',
  heading,
  text,
});
const quote = (question: string, ...texts: readonly string[]) =>
  quotationsOf(
    texts.map((text, at) => passage(at + 1, text)),
    question,
    4,
  );

describe('a quotation', () => {
  const leave =
    'Every employee has 28 days of paid leave a year. Unused leave of up to 5 days may be carried over until 31 March. Ask your lead early.';

  test('is the shortest run of sentences that answers all that was asked', () => {
    expect(quote('How many days of leave do I get, and can I carry them over?', leave)).toEqual([
      '> Every employee has 28 days of paid leave a year. Unused leave of up to 5 days may be carried over until 31 March. [1]',
    ]);
    expect(quote('Can unused leave be carried over?', leave)).toEqual([
      '> Unused leave of up to 5 days may be carried over until 31 March. [1]',
    ]);
  });

  test('is not made of what says far less than the best one', () => {
    const expenses = 'Claim expenses within 60 days.';
    expect(quote('How many days of leave do I get, and can I carry them over?', expenses, leave)).toHaveLength(1);
  });

  test('of a clause has its number, and no date is cut in two', () => {
    expect(
      quote('Wann endet der Mietvertrag?', '(1) Der Mietvertrag beginnt am 1. April 2024 und endet am 31. März 2034.'),
    ).toEqual(['> (1) Der Mietvertrag beginnt am 1. April 2024 und endet am 31. März 2034. [1]']);
    expect(
      quote('notice of termination', '7.3 Either party may terminate without notice.\n\n7.4 Records are handed over.'),
    ).toEqual(['> 7.3 Either party may terminate without notice. [1]']);
  });

  test('of a table is the row that was asked for, under the names of its columns', () => {
    const table = [
      '| Zone | Who parks | Price |',
      '| --- | --- | --- |',
      '| A | Visitors | free |',
      '| B | Employees | 18 euros |',
    ].join('\n');
    expect(quote('What does parking cost in zone B for employees?', table)).toEqual([
      '| Zone | Who parks | Price |\n| --- | --- | --- |\n| B | Employees | 18 euros |\n\n[1]',
    ]);
  });

  test('stands in Japanese as in other languages', () => {
    expect(quote('燃料は何ですか。', '燃料は軽油です。タンクの容量は190リットルです。')).toEqual([
      '> 燃料は軽油です。 [1]',
    ]);
  });

  test('is not there where nothing says anything', () => expect(quote('Who won the match?', leave)).toEqual([]));
});

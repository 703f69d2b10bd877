import { expect, it } from '@jest/globals';
import { csvOf } from './csv.ts';

it('heads the columns and quotes what holds a comma, a quote or a line break', async () => {
  const rows = [
    { name: 'Ines, Vardale', said: 'so "they" say\nand go', count: 2 },
    { name: 'نور', said: null, count: 1 },
  ];
  expect(await csvOf(rows)).toBe('name,said,count\r\n"Ines, Vardale","so ""they"" say\nand go",2\r\nنور,,1');
});

it.each(['=HYPERLINK("http://x.example")', '+1+A1', '-cmd', '@sum', '\t=1', '\r=1'])(
  'gives a spreadsheet no formula: %j',
  async (value) => {
    const [, line] = (await csvOf([{ value }])).split('value\r\n');
    expect(line).toMatch(/^"?'/);
  },
);

it.each(['-1', '+1.5', '-1,204.50', '-5 %'])('leaves a number with its sign alone: %s', async (value) => {
  expect((await csvOf([[value, 'x']])).replaceAll('"', '')).toBe(`${value},x`);
});

import { describe, expect, test } from '@jest/globals';
import { drawn, pageOf, pdfOf, sealedPdf } from '@parley/testing/files';
import { sizes } from './passage-sizes.spec-setup.ts';
import { linesOf } from './pdf-lines.ts';
import { splitDocument } from './split-document.ts';

const split = (file: Buffer) => splitDocument(new Uint8Array(file), { mediaType: 'application/pdf', sizes });
async function passagesOf(...pages: string[]) {
  const answer = await split(pdfOf(pages));
  if (!('passages' in answer)) throw new Error(answer.failure);
  return answer.passages;
}

describe('the text of a PDF', () => {
  test('has its page, and the larger lines above it', async () => {
    const passages = await passagesOf(
      pageOf('Leave', [['Every employee has 28 days of paid leave a year, which is more', 'than the law asks for.']]),
      pageOf('Parking', [['The car park opens at 7.']]),
    );
    expect(passages).toEqual([
      {
        heading: 'Leave',
        text: 'Every employee has 28 days of paid leave a year, which is more than the law asks for.',
        place: { kind: 'page', number: 1 },
      },
      { heading: 'Parking', text: 'The car park opens at 7.', place: { kind: 'page', number: 2 } },
    ]);
  });

  test('goes on under the title of the page before, as a passage of its own page', async () => {
    const passages = await passagesOf(pageOf('Leave', [['One.']]), pageOf(null, [['Two.']]));
    expect(passages.map(({ heading, text, place }) => [heading, text, place?.number])).toEqual([
      ['Leave', 'One.', 1],
      ['Leave', 'Two.', 2],
    ]);
  });

  test('keeps a title that nothing stands below', async () => {
    const passages = await passagesOf(pageOf('Thank you', []), pageOf('Leave', [['Each has 28 days of leave.']]));
    expect(passages.map(({ text }) => text)).toEqual(['Thank you', 'Each has 28 days of leave.']);
  });

  test('is put together where a line ends: divided words, lists, Japanese without spaces', async () => {
    const long = 'The words of this line go on until its end, where one of them is';
    const [english, list, japanese] = await passagesOf(
      pageOf(null, [[`${long} divi-`, 'ded, and on it goes until the paragraph is over, which takes a while.']]),
      pageOf(null, [['- one', '- two', 'A line that is as wide as the page is and that is followed by no item.']]),
      pageOf(null, [['有給休暇は年に二十八日です。未使用の休暇は三月三十一日まで繰り', '越すことができます。']]),
    );
    expect(english?.text).toContain('one of them is divided, and on');
    expect(list?.text).toContain('- one\n- two\n');
    expect(japanese?.text).toBe('有給休暇は年に二十八日です。未使用の休暇は三月三十一日まで繰り越すことができます。');
  });

  test('that is Arabic or Hebrew is put into the order of reading, its numbers and names are not turned', () => {
    const lineOf = (...seen: string[]) =>
      linesOf(seen.map((str, at) => ({ str, transform: [11, 0, 0, 11, at * 6, 700], width: 6, hasEOL: false })));
    // As browsers write it: sign by sign from the left, each in the form that it has at its place in the word.
    expect(lineOf('ﺎ', 'ﻣ', 'ﻮ', 'ﻳ', ' ', '28', ' ', 'ﻒ', 'ﻇ', 'ﻮ', 'ﻣ')).toMatchObject([
      { text: 'موظف 28 يوما', isRtl: true },
    ]);
    expect(lineOf('The word ', 'ם', 'ו', 'ל', 'ש', ' means peace.')).toMatchObject([
      { text: 'The word שלום means peace.', isRtl: false },
    ]);
  });

  test('has no running titles and page numbers', async () => {
    const pages = Array.from({ length: 5 }, (_, at) =>
      drawn([
        { text: 'Handbook of the house', y: 800 },
        { text: `Sentence ${at + 1} of the text.`, y: 700 },
        { text: `Page ${at + 3} of 7`, y: 40 },
      ]),
    );
    const passages = await passagesOf(...pages);
    expect(passages.map(({ text }) => text)).toEqual(
      Array.from({ length: 5 }, (_, at) => `Sentence ${at + 1} of the text.`),
    );
  });

  test('keeps what differs from page to page, if only by its number', async () => {
    const rents = [1_200, 900, 1_450, 700, 815];
    const passages = await passagesOf(...rents.map((rent) => drawn([{ text: `The rent is ${rent} EUR.`, y: 800 }])));
    expect(passages.map(({ text }) => text)).toEqual(rents.map((rent) => `The rent is ${rent} EUR.`));
  });
});

describe('a PDF says', () => {
  const good = pdfOf([pageOf(null, [['One.']])]);

  test.each([
    ['that it has pictures only', pdfOf(['q 500 0 0 700 50 50 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x7f EI Q']), 'scanned'],
    ['that it wants a password', sealedPdf(), 'encrypted'],
    ['that it was cut off', good.subarray(0, good.indexOf('startxref')), 'damaged'],
    ['that it is none', Buffer.from('%PDF-1.7 and no more %%EOF'), 'damaged'],
    ['that it has too many pages', pdfOf(Array.from({ length: 5_001 }, () => '')), 'too-many-pages'],
    [
      'that its pages are their own parents',
      Buffer.from(good.toString('latin1').replace('/Kids [10 0 R]', '/Kids [2 0 R] '), 'latin1'),
      'damaged',
    ],
  ])('%s', async (_says, file, failure) => {
    expect(await split(file)).toEqual({ failure });
  });
});

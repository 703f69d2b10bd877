import { describe, expect, test } from '@jest/globals';
import {
  docxOf,
  lyingAbout,
  nothingOf,
  packedParts,
  paragraph,
  pptxOf,
  wordTable,
  xlsxOf,
} from '@parley/testing/files';
import { sizes } from './passage-sizes.spec-setup.ts';
import { splitDocument } from './split-document.ts';
import { mostUnpackedBytes } from './unpack.ts';

const office = 'application/vnd.openxmlformats-officedocument.';
const types = {
  docx: `${office}wordprocessingml.document`,
  xlsx: `${office}spreadsheetml.sheet`,
  pptx: `${office}presentationml.presentation`,
  csv: 'text/csv',
};
const split = (file: Buffer | string, type: keyof typeof types) =>
  splitDocument(new Uint8Array(Buffer.from(file)), { mediaType: types[type], sizes });
async function passagesOf(file: Buffer | string, type: keyof typeof types) {
  const answer = await split(file, type);
  if (!('passages' in answer)) throw new Error(answer.failure);
  return answer.passages;
}

test('the text of a DOCX stands under its headings, in any language, a table under its names', async () => {
  const body = [
    paragraph('Handbuch', 'berschrift1'),
    paragraph('Urlaub', 'berschrift2'),
    paragraph('Jeder hat 28 Tage & mehr.'),
    paragraph('社員手帳', 'berschrift1'),
    paragraph('有給休暇は年に二十八日です。'),
    paragraph('دليل', 'berschrift1'),
    paragraph('لكل موظف 28 يوما.'),
    wordTable([
      ['City', 'Rent'],
      ['Berlin', '1,200'],
    ]),
  ].join('');
  expect(await passagesOf(docxOf(body), 'docx')).toEqual([
    { heading: 'Handbuch › Urlaub', text: 'Jeder hat 28 Tage & mehr.' },
    { heading: '社員手帳', text: '有給休暇は年に二十八日です。' },
    { heading: 'دليل', text: 'لكل موظف 28 يوما.\n\n| City | Rent |\n| --- | --- |\n| Berlin | 1,200 |' },
  ]);
});

describe('the rows of an XLSX', () => {
  test('stand on their sheet under the names of their columns; what stands above them is their title', async () => {
    const file = xlsxOf({
      Preise: [['Stand 2026'], [], ['Stadt', 'Miete', 'ab'], ['Berlin', 1200.5, new Date('2026-03-31')]],
      القائمة: [
        ['المدينة', '人口'],
        ['القاهرة', 10],
      ],
    });
    expect(await passagesOf(file, 'xlsx')).toEqual([
      {
        heading: 'Preise › Stand 2026',
        text: '| Stadt | Miete | ab |\n| --- | --- | --- |\n| Berlin | 1200.5 | 2026-03-31 |',
        place: { kind: 'sheet', number: 1 },
      },
      {
        heading: 'القائمة',
        text: '| المدينة | 人口 |\n| --- | --- |\n| القاهرة | 10 |',
        place: { kind: 'sheet', number: 2 },
      },
    ]);
  });

  test('of very many columns have the name at each value', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `A long name ${at}`);
    const [passage] = await passagesOf(xlsxOf({ Wide: [names, names.map((_, at) => at)] }), 'xlsx');
    expect(passage?.text).toMatch(/^A long name 0: 0\nA long name 1: 1\n/);
  });

  test('stand in each part under the names', async () => {
    const rows = Array.from({ length: 300 }, (_, at) => [`City ${at}`, at]);
    const passages = await passagesOf(xlsxOf({ Cities: [['City', 'Rent'], ...rows] }), 'xlsx');
    expect(passages.length).toBeGreaterThan(5);
    expect(passages.every(({ text }) => text.startsWith('| City | Rent |\n'))).toBe(true);
    expect(passages.flatMap(({ text }) => text.split('\n').slice(2))).toHaveLength(300);
  });
});

test('the rows of a CSV stand under the names of their columns, whatever stands between these', async () => {
  const table = '| Stadt | Miete |\n| --- | --- |\n| Berlin, Mitte | 1200 |';
  for (const file of [
    'Stadt,Miete\n"Berlin, Mitte",1200\n',
    '\uFEFFStadt;Miete\r\nBerlin, Mitte;1200\r\n',
    'Stadt\tMiete\nBerlin, Mitte\t1200',
  ])
    expect(await passagesOf(file, 'csv')).toEqual([{ heading: null, text: table }]);
});

test('the text of a PPTX has its slide in the order of showing, with tables and notes', async () => {
  const file = pptxOf([
    { title: 'Welcome', texts: ['One.', 'Two.'], notes: 'Say hello.' },
    {
      title: '料金',
      table: [
        ['City', 'Rent'],
        ['Berlin', '1,200'],
      ],
    },
    { title: 'شكرا' },
  ]);
  expect(await passagesOf(file, 'pptx')).toEqual([
    { heading: 'Welcome', text: 'One.\nTwo.\n\nSay hello.', place: { kind: 'slide', number: 1 } },
    {
      heading: '料金',
      text: '| City | Rent |\n| --- | --- |\n| Berlin | 1,200 |',
      place: { kind: 'slide', number: 2 },
    },
    { heading: 'شكرا', text: 'شكرا', place: { kind: 'slide', number: 3 } },
  ]);
});

describe('an Office file says', () => {
  const bomb = nothingOf(mostUnpackedBytes + 1);
  const swelling = docxOf(paragraph('One.'), { 'word/more.xml': bomb });
  const sealed = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2_000)]);
  const good = docxOf(paragraph('One.'));

  test.each([
    ['that it swells to more than is read', swelling, 'docx', 'unpacks-too-large'],
    ['so of a workbook too', xlsxOf({ One: [['a']] }, { 'xl/more.xml': bomb }), 'xlsx', 'unpacks-too-large'],
    ['that it wants a password', sealed, 'xlsx', 'encrypted'],
    ['that it was cut off', good.subarray(0, good.length - 60), 'docx', 'damaged'],
    ['that it is none', Buffer.from('One.'), 'pptx', 'damaged'],
    ['that it is a plain ZIP', packedParts({ 'notes.txt': 'One.' }), 'docx', 'damaged'],
    ['that it is another', docxOf(paragraph('One.')), 'pptx', 'damaged'],
    ['that it has no text', docxOf(''), 'docx', 'no-text'],
  ] as const)('%s', async (_says, file, type, failure) => {
    expect(await split(file, type)).toEqual({ failure });
  });

  test('nothing of what swells beyond what its list says', async () => {
    const file = lyingAbout(swelling);
    expect(await passagesOf(file, 'docx')).toEqual([{ heading: null, text: 'One.' }]);
  });
});

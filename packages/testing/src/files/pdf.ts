import { constants, deflateRawSync, deflateSync } from 'node:zlib';

/** A line of a page: what it says, how large, and where it begins. */
export type PdfLine = { readonly text: string; readonly size?: number; readonly x?: number; readonly y: number };
type Options = {
  /** More of the dictionary that ends the file. */
  readonly trailer?: string;
  /** More objects, from number 10 on. */
  readonly more?: readonly string[];
  /** More of what a page may use. */
  readonly resources?: string;
};

const hexOf = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex');
/** Each code of the font is the character of that number, so that any language can be written without a font file. */
const ranges = Array.from({ length: 256 }, (_, high) => {
  const byte = high.toString(16).padStart(2, '0');
  return `<${byte}00> <${byte}ff> <${byte}00>`;
});
const blocksOfHundred = [0, 100, 200].map((from) => ranges.slice(from, from + 100));
const toUnicode = [
  '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /All def /CMapType 2 def',
  '1 begincodespacerange <0000> <ffff> endcodespacerange',
  ...blocksOfHundred.map((block) => `${block.length} beginbfrange\n${block.join('\n')}\nendbfrange`),
  'endcmap end end',
].join('\n');

const stream = (content: string | Buffer, entries = ''): string => {
  const packed = deflateSync(content).toString('latin1');
  return `<< /Length ${packed.length} /Filter /FlateDecode ${entries} >> stream\n${packed}\nendstream`;
};

/** Draws lines as most programs do: one run of text at a place. */
export const drawn = (lines: readonly PdfLine[]): string =>
  lines
    .map(({ text, size = 11, x = 60, y }) => `BT /F1 ${size} Tf 1 0 0 1 ${x} ${y} Tm <${hexOf(text)}> Tj ET`)
    .join('\n');

/** A PDF of pages that draw this. */
export function pdfOf(pages: readonly string[], { trailer = '', more = [], resources = '' }: Options = {}): Buffer {
  const first = 10 + more.length;
  const numbers = pages.map((_page, at) => first + 2 * at);
  const objects: [number, string][] = [
    [1, '<< /Type /Catalog /Pages 2 0 R >>'],
    [2, `<< /Type /Pages /Count ${pages.length} /Kids [${numbers.map((each) => `${each} 0 R`).join(' ')}] >>`],
    [
      3,
      '<< /Type /Font /Subtype /Type0 /BaseFont /All /Encoding /Identity-H /DescendantFonts [4 0 R] /ToUnicode 6 0 R >>',
    ],
    [
      4,
      '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /All /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 500 /FontDescriptor 5 0 R >>',
    ],
    [
      5,
      '<< /Type /FontDescriptor /FontName /All /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
    ],
    [6, stream(toUnicode)],
    ...more.map((object, at): [number, string] => [10 + at, object]),
    ...pages.flatMap((page, at): [number, string][] => [
      [
        first + 2 * at,
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${first + 2 * at + 1} 0 R /Resources << /Font << /F1 3 0 R >> ${resources} >> >>`,
      ],
      [first + 2 * at + 1, stream(page)],
    ]),
  ];
  let file = '%PDF-1.7\n';
  const offsets = new Map<number, number>();
  for (const [number, object] of objects) {
    offsets.set(number, file.length);
    file += `${number} 0 obj\n${object}\nendobj\n`;
  }
  const size = first + 2 * pages.length;
  const entries = Array.from({ length: size }, (_, number) => {
    const offset = offsets.get(number);
    return offset === undefined ? '0000000000 65535 f ' : `${String(offset).padStart(10, '0')} 00000 n `;
  });
  const end = `trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(`${file}xref\n0 ${size}\n${entries.join('\n')}\n${end}`, 'latin1');
}

/** A page of paragraphs under each other, with a title where there is one. */
export function pageOf(title: string | null, paragraphs: readonly (readonly string[])[]): string {
  let y = 780;
  const lines: PdfLine[] = title === null ? [] : [{ text: title, size: 20, y }];
  if (title !== null) y -= 40;
  for (const paragraph of paragraphs) {
    for (const text of paragraph) {
      lines.push({ text, y });
      y -= 14;
    }
    y -= 14;
  }
  return drawn(lines);
}

/** Opens with a password that nobody knows. */
export const sealedPdf = (): Buffer => {
  const key = 'ab'.repeat(32);
  const encrypt = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${key}> /U <${key}> /P -44 >> /ID [<01> <01>]`;
  return pdfOf([pageOf(null, [['Secret.']])], { trailer: encrypt });
};

/** One page that draws a form, which draws another ten times, and so on: endless for whoever follows it. */
export const endlessPdf = (): Buffer => {
  const depth = 12;
  const forms = Array.from({ length: depth }, (_, at) => {
    const draws = at === depth - 1 ? drawn([{ text: 'again', y: 100 }]) : '/Next Do '.repeat(10);
    const next = at === depth - 1 ? '' : `/XObject << /Next ${11 + at} 0 R >>`;
    return stream(
      draws,
      `/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> ${next} >>`,
    );
  });
  return pdfOf(['/Next Do'], { more: forms, resources: '/XObject << /Next 10 0 R >>' });
};

/** A page whose drawing is a gigabyte of nothing, packed twice into some kilobytes. */
export const swellingPdf = (): Buffer => {
  const twice = deflateSync(packedSpaces(50_000_000, 20)).toString('latin1');
  const object = `<< /Length ${twice.length} /Filter [/FlateDecode /FlateDecode] >> stream\n${twice}\nendstream`;
  const file = pdfOf([''], { more: [object] }).toString('latin1');
  return Buffer.from(file.replace('/Contents 12 0 R', '/Contents 10 0 R'), 'latin1');
};

/** Packed once and repeated, because to pack a gigabyte takes seconds. */
function packedSpaces(bytes: number, times: number): Buffer {
  const part = deflateRawSync(Buffer.alloc(bytes, ' '), { level: 1, finishFlush: constants.Z_FULL_FLUSH });
  const [count, space, modulus] = [BigInt(bytes * times), 32n, 65_521n];
  const sums = [(1n + count * space) % modulus, (count + (space * count * (count + 1n)) / 2n) % modulus] as const;
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(Number((sums[1] << 16n) | sums[0]));
  const [header, end] = [Buffer.from([0x78, 0x01]), Buffer.from([0x03, 0x00])];
  return Buffer.concat([header, ...Array.from({ length: times }, () => part), end, checksum]);
}

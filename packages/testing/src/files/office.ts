import { zipSync, strToU8 } from 'fflate/browser';

const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relations = (all: readonly (readonly [id: string, kind: string, target: string])[]): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all
    .map(([id, kind, target]) => `<Relationship Id="${id}" Type="${relationships}/${kind}" Target="${target}"/>`)
    .join('')}</Relationships>`;
const types = (all: readonly (readonly [path: string, type: string])[]): string =>
  `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${all
    .map(
      ([path, type]) =>
        `<Override PartName="/${path}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`,
    )
    .join('')}</Types>`;
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

/** An Office file of these parts. */
export const packedParts = (parts: Readonly<Record<string, string | Uint8Array>>): Buffer =>
  Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries(parts).map(([path, part]) => [
          path,
          typeof part === 'string' ? strToU8(xml + part) : [part, { level: 1 }],
        ]),
      ),
    ),
  );

const wordNames = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const wordText = (text: string): string => `<w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r>`;
/** A paragraph of Word, in a style where one is named. */
export const paragraph = (text: string, style?: string): string =>
  `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''}${wordText(text)}</w:p>`;
export const wordTable = (rows: readonly (readonly string[])[]): string =>
  `<w:tbl>${rows.map((row) => `<w:tr>${row.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('')}</w:tr>`).join('')}</w:tbl>`;

/** A DOCX with the styles that Word calls them by in any language. */
export const docxOf = (body: string, more: Readonly<Record<string, string | Uint8Array>> = {}): Buffer =>
  packedParts({
    '[Content_Types].xml': types([['word/document.xml', 'wordprocessingml.document.main']]),
    '_rels/.rels': relations([['rId1', 'officeDocument', 'word/document.xml']]),
    'word/_rels/document.xml.rels': relations([['rId1', 'styles', 'styles.xml']]),
    'word/styles.xml': `<w:styles ${wordNames}>${[1, 2]
      .map(
        (level) =>
          `<w:style w:type="paragraph" w:styleId="berschrift${level}"><w:name w:val="heading ${level}"/></w:style>`,
      )
      .join('')}</w:styles>`,
    'word/document.xml': `<w:document ${wordNames}><w:body>${body}</w:body></w:document>`,
    ...more,
  });

type Cell = string | number | Date;
const columnName = (at: number): string =>
  at < 26 ? String.fromCharCode(65 + at) : `A${String.fromCharCode(39 + at)}`;
const cellXml = (cell: Cell, name: string): string => {
  if (typeof cell === 'string') return `<c r="${name}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
  if (typeof cell === 'number') return `<c r="${name}"><v>${cell}</v></c>`;
  return `<c r="${name}" s="1"><v>${cell.getTime() / 86_400_000 + 25_569}</v></c>`;
};

/** An XLSX; days are formatted as days. */
export function xlsxOf(
  sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>,
  more: Readonly<Record<string, Uint8Array>> = {},
): Buffer {
  const names = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const all = Object.entries(sheets);
  return packedParts({
    '[Content_Types].xml': types([['xl/workbook.xml', 'spreadsheetml.sheet.main']]),
    '_rels/.rels': relations([['rId1', 'officeDocument', 'xl/workbook.xml']]),
    'xl/_rels/workbook.xml.rels': relations([
      ...all.map((_sheet, at) => [`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`] as const),
      ['rId99', 'styles', 'styles.xml'],
    ]),
    'xl/styles.xml': `<styleSheet ${names}><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/workbook.xml': `<workbook ${names} xmlns:r="${relationships}"><sheets>${all
      .map(([name], at) => `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
      .join('')}</sheets></workbook>`,
    ...Object.fromEntries(
      all.map(([, rows], at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet ${names}><sheetData>${rows
          .map(
            (row, y) =>
              `<row r="${y + 1}">${row.map((cell, x) => cellXml(cell, `${columnName(x)}${y + 1}`)).join('')}</row>`,
          )
          .join('')}</sheetData></worksheet>`,
      ]),
    ),
    ...more,
  });
}

const slideNames = `xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="${relationships}"`;
const shape = (texts: readonly string[], kind?: string): string =>
  `<p:sp><p:nvSpPr><p:nvPr>${kind ? `<p:ph type="${kind}"/>` : ''}</p:nvPr></p:nvSpPr><p:txBody>${texts
    .map((text) => `<a:p><a:r><a:t>${escaped(text)}</a:t></a:r></a:p>`)
    .join('')}</p:txBody></p:sp>`;
const slideTable = (rows: readonly (readonly string[])[]): string =>
  `<p:graphicFrame><a:graphic><a:graphicData><a:tbl>${rows
    .map(
      (row) =>
        `<a:tr>${row.map((cell) => `<a:tc><a:txBody><a:p><a:r><a:t>${escaped(cell)}</a:t></a:r></a:p></a:txBody></a:tc>`).join('')}</a:tr>`,
    )
    .join('')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;

export type Slide = {
  readonly title: string;
  readonly texts?: readonly string[];
  readonly table?: readonly (readonly string[])[];
  readonly notes?: string;
};

/** A PPTX whose files are numbered against the order in which the slides are shown. */
export function pptxOf(slides: readonly Slide[]): Buffer {
  const numberOf = (at: number): number => slides.length - at;
  return packedParts({
    '[Content_Types].xml': types([['ppt/presentation.xml', 'presentationml.presentation.main']]),
    '_rels/.rels': relations([['rId1', 'officeDocument', 'ppt/presentation.xml']]),
    'ppt/_rels/presentation.xml.rels': relations(
      slides.map((_slide, at) => [`rId${at + 1}`, 'slide', `slides/slide${numberOf(at)}.xml`]),
    ),
    'ppt/presentation.xml': `<p:presentation ${slideNames}><p:sldIdLst>${slides
      .map((_slide, at) => `<p:sldId id="${256 + at}" r:id="rId${at + 1}"/>`)
      .join('')}</p:sldIdLst></p:presentation>`,
    ...Object.fromEntries(
      slides.flatMap(({ title, texts = [], table, notes }, at) => [
        [
          `ppt/slides/slide${numberOf(at)}.xml`,
          `<p:sld ${slideNames}><p:cSld><p:spTree>${shape([title], 'title')}${texts.length > 0 ? shape(texts) : ''}${table ? slideTable(table) : ''}${shape([String(at + 1)], 'sldNum')}</p:spTree></p:cSld></p:sld>`,
        ],
        [
          `ppt/slides/_rels/slide${numberOf(at)}.xml.rels`,
          relations(notes ? [['rId1', 'notesSlide', `../notesSlides/notesSlide${numberOf(at)}.xml`]] : []),
        ],
        ...(notes
          ? [
              [
                `ppt/notesSlides/notesSlide${numberOf(at)}.xml`,
                `<p:notes ${slideNames}><p:cSld><p:spTree>${shape([notes], 'body')}</p:spTree></p:cSld></p:notes>`,
              ],
            ]
          : []),
      ]),
    ),
  });
}

/** So many bytes of nothing as one part, packed to a thousandth. */
export const nothingOf = (bytes: number): Uint8Array => new Uint8Array(bytes).fill(0x20);
/** What the file's own list says of its last part is changed: it would be ten bytes long. */
export function lyingAbout(file: Buffer): Buffer {
  const changed = Buffer.from(file);
  changed.writeUInt32LE(10, changed.lastIndexOf('PK\x01\x02', undefined, 'latin1') + 24);
  return changed;
}

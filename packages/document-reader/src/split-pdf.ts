// Runs inside the reader process: no decorators or parameter properties here, Node strips the types itself.
import { getDocumentProxy } from 'unpdf';
import { blocksOfPages } from './pdf-blocks.ts';
import { linesOf, type Line } from './pdf-lines.ts';
import type { Progress } from './progress.ts';
import type { Block } from './split-passages.ts';
import { Unreadable } from './unreadable.ts';

const mostPages = 5_000;
/** The end mark stands here; some programs write a little behind it. */
const tailBytes = 2_048;

/** The text of a PDF page by page, under the lines that are set larger than the rest. */
export async function splitPdf(content: Uint8Array<ArrayBuffer>, progress: Progress): Promise<Block[]> {
  if (!isWhole(content)) throw new Unreadable('damaged');
  const blocks = blocksOfPages(await readPages(content, progress));
  if (blocks.length === 0) throw new Unreadable('scanned');
  return blocks;
}

/** Of one that was cut off the rest could be read, as if it were the whole. */
function isWhole(content: Uint8Array): boolean {
  const end = content.findLastIndex((byte) => byte > 0x20) + 1;
  const tail = content.subarray(Math.max(0, end - tailBytes), end);
  return new TextDecoder('latin1').decode(tail).includes('%%EOF');
}

async function readPages(content: Uint8Array<ArrayBuffer>, progress: Progress): Promise<Line[][]> {
  const pages: Line[][] = [];
  try {
    const pdf = await getDocumentProxy(content, { verbosity: 0 });
    if (pdf.numPages > mostPages) throw new Unreadable('too-many-pages');
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      pages.push(linesOf(items.filter((item) => 'str' in item)));
      page.cleanup();
      progress(number, pdf.numPages);
    }
    return pages;
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable(error instanceof Error && error.name === 'PasswordException' ? 'encrypted' : 'damaged');
  }
}

import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { runConfined, type Program, type Run, type Stopped } from './confined.ts';
import type { PageLinks } from './read-links.ts';
import type { ReaderAnswer } from './split-document.ts';
import type { PassageSizes } from './split-passages.ts';

export type { Stopped } from './confined.ts';
export type { PageLinks } from './read-links.ts';

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const pathOf = (name: string): string => fileURLToPath(new URL(`./${name}.${extension}`, import.meta.url));
const reader: Omit<Program, 'args'> = {
  entry: pathOf('read-document'),
  packages: [
    'parse5',
    'entities',
    'saxes',
    'xmlchars',
    'unpdf',
    'mammoth',
    'fflate',
    'read-excel-file',
    'saxen',
    'papaparse',
    'postal-mime',
  ],
  hasMachineCode: false,
  heapMb: 512,
  mostMemoryBytes: 700_000_000,
  mostOutputBytes: 120_000_000,
};

type ReadOptions = Run & { readonly mediaType: string };
type DocumentOptions = ReadOptions & { readonly sizes: PassageSizes };
type Reading = ReadOptions & {
  readonly sizes?: PassageSizes;
  /** The file of the module whose `splitDocument` is called. */
  readonly splitter: string;
};

/**
 * Reads a document in a process of its own (`runConfined`), which can't reach the network either. One that answers nonsense
 * is `reader-stopped`. `onProgress` is told now and then how many pages are read.
 */
export function readDocument(content: Readable, options: DocumentOptions): Promise<ReaderAnswer | Stopped> {
  return readConfined(content, { ...options, splitter: pathOf('split-document') });
}

/** The title of a page and where it leads, or what a sitemap lists, in such a process too. */
export function readLinks(content: Readable, options: ReadOptions): Promise<PageLinks | Stopped> {
  return readConfined<PageLinks>(content, { ...options, splitter: pathOf('read-links') });
}

/** As `readDocument`, with any module beside this one as the splitter. */
export async function readConfined<Answer = ReaderAnswer>(
  content: Readable,
  { splitter, mediaType, sizes, ...run }: Reading,
): Promise<Answer | Stopped> {
  const ended = await runConfined(content, { ...reader, args: [splitter, JSON.stringify({ mediaType, sizes })] }, run);
  if ('failure' in ended) return ended;
  if (ended.code !== 0) return { failure: 'reader-stopped' };
  try {
    return JSON.parse(ended.output.toString('utf8')) as Answer;
  } catch {
    return { failure: 'reader-stopped' };
  }
}

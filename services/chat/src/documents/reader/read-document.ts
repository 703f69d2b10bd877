// The reader process: a file on standard input, its passages as JSON on standard output. One document, then it ends.
import { packBlocks, splitMarkdown, splitPlainText, type Block } from './split-passages.ts';

/** What the parent reads: passages, or why there are none. */
export type ReaderAnswer = { readonly passages: Block[] } | { readonly failure: 'no-text' | 'not-utf8' };

async function read(mediaType: string): Promise<ReaderAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  let source: string;
  try {
    source = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)).normalize('NFC');
  } catch {
    return { failure: 'not-utf8' };
  }
  const passages = packBlocks(await split(mediaType, source));
  return passages.length === 0 ? { failure: 'no-text' } : { passages };
}

async function split(mediaType: string, source: string): Promise<Block[]> {
  if (mediaType === 'text/html') return (await import('./split-html.ts')).splitHtml(source);
  return mediaType === 'text/markdown' ? splitMarkdown(source) : splitPlainText(source);
}

process.stdout.write(JSON.stringify(await read(process.argv[2] ?? 'text/plain')));

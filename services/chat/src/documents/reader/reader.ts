import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import type { PageLinks } from './read-links.ts';
import type { ReaderAnswer } from './split-document.ts';

export type { PageLinks } from './read-links.ts';

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const pathOf = (name: string): string => fileURLToPath(new URL(`./${name}.${extension}`, import.meta.url));
const memoryMb = 512;
const mostOutputBytes = 120_000_000;
const packages = ['parse5', 'entities', 'saxes', 'xmlchars'];

type ReadOptions = { readonly mediaType: string; readonly timeoutMs: number };
type Reading = ReadOptions & {
  /** The file of the module whose `splitDocument` is called. */
  readonly splitter: string;
};

/**
 * Reads a document in a process of its own, which gets the file on standard input and opens no other than its own code:
 * no network, no other programs or threads, no environment, limited memory, killed after `timeoutMs`. A reader that
 * dies, hangs or answers nonsense is `reader-stopped`; the service goes on.
 */
export function readDocument(
  content: Readable,
  options: ReadOptions,
): Promise<ReaderAnswer | { readonly failure: 'reader-stopped' }> {
  return readConfined(content, { ...options, splitter: pathOf('split-document') });
}

/** The title of a page and where it leads, or what a sitemap lists, in such a process too. */
export function readLinks(
  content: Readable,
  options: ReadOptions,
): Promise<PageLinks | { readonly failure: 'reader-stopped' }> {
  return readConfined<PageLinks>(content, { ...options, splitter: pathOf('read-links') });
}

/** As `readDocument`, with any module beside this one as the splitter. */
export async function readConfined<Answer = ReaderAnswer>(
  content: Readable,
  { splitter, mediaType, timeoutMs }: Reading,
): Promise<Answer | { readonly failure: 'reader-stopped' }> {
  const child = spawn(
    process.execPath,
    [
      '--permission',
      ...ownCode().map((path) => `--allow-fs-read=${path}`),
      '--no-warnings',
      `--max-old-space-size=${memoryMb}`,
      pathOf('read-document'),
      splitter,
      mediaType,
    ],
    { env: {}, stdio: ['pipe', 'pipe', 'ignore'] },
  );
  const exit = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
    child.once('error', () => resolve(null));
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  // A file that breaks off would be read as if it were whole.
  const feeding = pipeline(content, child.stdin).catch(() => child.kill('SIGKILL'));
  const chunks: Buffer[] = [];
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > mostOutputBytes) child.kill('SIGKILL');
    else chunks.push(chunk);
  });
  const code = await exit;
  clearTimeout(timer);
  await feeding;
  if (code !== 0) return { failure: 'reader-stopped' };
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Answer;
  } catch {
    return { failure: 'reader-stopped' };
  }
}

/** The reader's folder, its packages and, by their exact names, the files in which Node looks for these on its way up. */
function ownCode(): string[] {
  const folder = dirname(pathOf('read-document'));
  const paths = [join(folder, '*')];
  for (let at = folder; at !== dirname(at); at = dirname(at))
    paths.push(join(at, 'package.json'), ...packages.map((name) => join(at, 'node_modules', name, '*')));
  return paths;
}

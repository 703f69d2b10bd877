import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import type { ReaderAnswer } from './read-document.ts';

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const script = fileURLToPath(new URL(`./read-document.${extension}`, import.meta.url));
const memoryMb = 512;
const mostOutputBytes = 120_000_000;

/**
 * Reads a document in a process of its own: no rights to write files, start programs or see the environment, limited
 * memory, killed after `timeoutMs`. A reader that dies, hangs or answers nonsense is `reader-stopped`; the service goes
 * on.
 */
export async function readDocument(
  content: Readable,
  options: { mediaType: string; timeoutMs: number },
): Promise<ReaderAnswer | { readonly failure: 'reader-stopped' }> {
  const child = spawn(
    process.execPath,
    [
      '--permission',
      '--allow-fs-read=*',
      '--no-warnings',
      `--max-old-space-size=${memoryMb}`,
      script,
      options.mediaType,
    ],
    { env: {}, stdio: ['pipe', 'pipe', 'ignore'] },
  );
  const exit = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
    child.once('error', () => resolve(null));
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs);
  const feeding = pipeline(content, child.stdin).catch(() => undefined);
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
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as ReaderAnswer;
  } catch {
    return { failure: 'reader-stopped' };
  }
}

import { Problem } from '@parley/protocol';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const decoder = fileURLToPath(new URL(`./decode-picture.${extension}`, import.meta.url));
const mostMs = 10_000;
const tooLarge = 3;

/**
 * The middle of the picture as WebP of 256 x 256 pixels, upright, opaque, still, and with nothing else that the file
 * held. `auth.picture-too-large` by what its header says, before anything is decoded; `auth.picture-unreadable` for what
 * is no PNG, JPEG, WebP or GIF, is not whole, or takes too long. Decoding is machine code that reads what anybody sends:
 * it runs in a process of its own, without environment, which takes nothing along when it dies.
 */
export async function squarePicture(file: Uint8Array): Promise<Buffer> {
  const child = spawn(process.execPath, ['--no-warnings', decoder], { env: {}, stdio: ['pipe', 'pipe', 'ignore'] });
  const timer = setTimeout(() => child.kill('SIGKILL'), mostMs);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  // It may have seen enough before it has all of it.
  child.stdin.on('error', () => undefined);
  child.stdin.end(file);
  const code = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
    child.once('error', () => resolve(null));
  });
  clearTimeout(timer);
  if (code === tooLarge) throw new Problem('auth.picture-too-large');
  if (code !== 0) throw new Problem('auth.picture-unreadable');
  return Buffer.concat(chunks);
}

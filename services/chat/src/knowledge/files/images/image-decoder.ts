import { runConfined, type Program, type Run, type Stopped } from '@parley/document-reader/confined';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { jpegSize } from './jpeg-size.ts';

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const mostPixels = 100_000_000;
/** Providers scale down what is larger. */
export const longestSide = 1_568;
/** Anthropic takes 5 MB, and in base64 it is a third more. */
export const mostImageBytes = 3_500_000;
const tooLarge = 3;
const unreadable = 4;
const decoder: Program = {
  entry: fileURLToPath(new URL(`./decode-image.${extension}`, import.meta.url)),
  args: [mostPixels, longestSide, mostImageBytes].map(String),
  packages: ['sharp', '@img', 'detect-libc', 'semver'],
  hasMachineCode: true,
  heapMb: 128,
  // As readers of documents: two at a time fit beside a worker. Most images of 100 megapixels need less; AVIF needs more.
  mostMemoryBytes: 700_000_000,
  mostOutputBytes: mostImageBytes,
};

/** An image as models see it. */
export type SeenImage = { readonly jpeg: Buffer; readonly width: number; readonly height: number };
export type NoImage = Stopped | { readonly failure: 'image-too-large' | 'image-unreadable' };

/**
 * The image as JPEG: upright, on white, in sRGB, of a GIF the first frame, at most 1,568 pixels on its longer side, and with
 * nothing else that the file held. `image-too-large` by what its header says, before anything is decoded;
 * `took-too-much-memory` where that is not enough to tell; `took-too-long`; `image-unreadable` for what is no
 * PNG, JPEG, WebP, GIF or AVIF, or is not whole. Decoding is machine code that reads what anybody sends, so it runs in a process of its own (`runConfined`).
 */
export async function decodeImage(content: Readable, run: Run): Promise<SeenImage | NoImage> {
  const ended = await runConfined(content, decoder, run);
  if ('failure' in ended) return ended;
  if (ended.code === tooLarge) return { failure: 'image-too-large' };
  if (ended.code === unreadable) return { failure: 'image-unreadable' };
  const size = ended.code === 0 ? jpegSize(ended.output) : null;
  // It died, or was talked into something.
  if (!size || Math.max(size.width, size.height) > longestSide) return { failure: 'reader-stopped' };
  return { jpeg: ended.output, ...size };
}

import { StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { Readable } from 'node:stream';

const mostStalledMs = 30_000;

/**
 * Answers with the pieces as they come. The next one is asked for when the last one has been taken, so that nothing piles
 * up here; whoever takes none for 30 s is cut. When the caller is gone, `pieces` is told to return.
 */
export function textStream(pieces: AsyncIterable<string>, type: string, response: Response): StreamableFile {
  response.setHeader('cache-control', 'no-store');
  // Proxies that collect answers would hold each piece back.
  response.setHeader('x-accel-buffering', 'no');
  const taken = endingWhenStalled(pieces, { mostStalledMs, end: () => response.destroy() });
  return new StreamableFile(Readable.from(taken, { objectMode: false, highWaterMark: 1 }), { type });
}

/** The same pieces; `end` is called when one is not taken for too long. */
export async function* endingWhenStalled(
  pieces: AsyncIterable<string>,
  { mostStalledMs: most, end }: { readonly mostStalledMs: number; readonly end: () => void },
): AsyncGenerator<string> {
  for await (const piece of pieces) {
    const timer = setTimeout(end, most);
    try {
      yield piece;
    } finally {
      clearTimeout(timer);
    }
  }
}

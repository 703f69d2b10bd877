import { StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { Readable } from 'node:stream';

/**
 * Answers with the pieces as they come. The next one is asked for when the last one has been taken, so that nothing piles
 * up here; the BFF cuts a client that takes none. When the caller is gone, `pieces` is told to return.
 */
export function textStream(pieces: AsyncIterable<string>, type: string, response: Response): StreamableFile {
  response.setHeader('cache-control', 'no-store');
  // Proxies that collect answers would hold each piece back.
  response.setHeader('x-accel-buffering', 'no');
  return new StreamableFile(Readable.from(pieces, { objectMode: false, highWaterMark: 1 }), { type });
}

import { StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { Readable } from 'node:stream';

/**
 * Responds with pieces of text as they come. Requests the next piece only when the last one was taken, so that none
 * pile up here; the BFF disconnects a client that takes none. Calls `return` of `pieces` when the caller leaves.
 */
export function textStream(pieces: AsyncIterable<string>, type: string, response: Response): StreamableFile {
  response.setHeader('cache-control', 'no-store');
  // Turns off buffering: proxies that collect responses would hold each piece back.
  response.setHeader('x-accel-buffering', 'no');
  return new StreamableFile(Readable.from(pieces, { objectMode: false, highWaterMark: 1 }), { type });
}

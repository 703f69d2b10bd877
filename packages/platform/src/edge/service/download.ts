import { StreamableFile } from '@nestjs/common';
import type { Download } from '@parley/protocol';
import type { Response } from 'express';
import { Readable } from 'node:stream';

/**
 * Answers with a file that people gave to Parley, which may be anything: to be saved, never to be shown as a page of this
 * site, and kept by no cache. Its length is not named, so that a file that is replaced or ends early is not taken for a
 * whole one.
 */
export function asDownload({ name, content }: Download, response: Response): StreamableFile {
  response.attachment(name);
  response.setHeader('content-type', 'application/octet-stream');
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('content-security-policy', "default-src 'none'; sandbox; frame-ancestors 'none'");
  response.setHeader('cache-control', 'private, no-store');
  return new StreamableFile(content instanceof Readable ? content : Readable.from(content, { objectMode: false }));
}

import { StreamableFile } from '@nestjs/common';
import type { Download } from '@parley/protocol';
import type { Response } from 'express';
import { Readable } from 'node:stream';

/**
 * Responds with a file that people uploaded, which can contain anything: as an attachment, never as a page of this
 * site, and never cached. Its length isn't sent, so that a replaced or broken-off file isn't taken for a complete one.
 */
export function asDownload({ name, content }: Download, response: Response): StreamableFile {
  response.attachment(name);
  response.setHeader('content-type', 'application/octet-stream');
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('content-security-policy', "default-src 'none'; sandbox; frame-ancestors 'none'");
  response.setHeader('cache-control', 'private, no-store');
  return new StreamableFile(content instanceof Readable ? content : Readable.from(content, { objectMode: false }));
}

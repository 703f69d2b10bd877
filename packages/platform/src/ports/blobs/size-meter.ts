import { Problem } from '@parley/protocol';
import { Transform } from 'node:stream';

/** Counts the bytes and ends with `platform.body-too-large` above the limit. */
export class SizeMeter extends Transform {
  bytes = 0;

  constructor(private readonly maxBytes: number) {
    super();
  }

  override _transform(
    chunk: Buffer,
    _encoding: BufferEncoding,
    done: (error?: Error | null, data?: Buffer) => void,
  ): void {
    this.bytes += chunk.length;
    if (this.bytes > this.maxBytes)
      done(new Problem('platform.body-too-large', { detail: `More than ${this.maxBytes} bytes.` }));
    else done(null, chunk);
  }
}

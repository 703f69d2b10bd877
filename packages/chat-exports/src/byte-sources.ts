import { RandomAccessReader } from 'yauzl';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ByteSource } from './read-chat.ts';

const blockBytes = 256 * 1024;
const mostBlocks = 8;

/** Reads the directory of an archive in blocks, since each entry of it would otherwise be two requests to the storage. */
export class BlockReader extends RandomAccessReader {
  /** What the storage failed with: no fault of the archive. */
  failure: unknown = null;
  private readonly blocks = new Map<number, Promise<Buffer>>();

  constructor(private readonly source: ByteSource) {
    super();
  }

  // oxlint-disable-next-line max-params -- yauzl calls it with these
  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.copy(target, { offset, length, position }).then(
      () => callback(null),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
    );
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const bytes = this.source;
    return Readable.from(
      (async function* read() {
        yield* await bytes.read(start, end);
      })(),
      { objectMode: false },
    );
  }

  private async copy(
    target: Buffer,
    { offset, length, position }: { readonly offset: number; readonly length: number; readonly position: number },
  ): Promise<void> {
    for (let done = 0; done < length;) {
      const from = position + done;
      const number = Math.floor(from / blockBytes);
      const block = await this.block(number);
      const copied = block.copy(
        target,
        offset + done,
        from - number * blockBytes,
        from - number * blockBytes + length - done,
      );
      if (copied === 0) throw new Error('The file ends too early.');
      done += copied;
    }
  }

  private block(number: number): Promise<Buffer> {
    const known = this.blocks.get(number);
    if (known) return known;
    const start = number * blockBytes;
    if (start >= this.source.size) return Promise.resolve(Buffer.alloc(0));
    const block = this.source
      .read(start, Math.min(start + blockBytes, this.source.size))
      .then(buffer)
      .catch((error: unknown) => {
        this.failure = error;
        throw error;
      });
    this.blocks.set(number, block);
    for (const oldest of this.blocks.keys()) {
      if (this.blocks.size <= mostBlocks) break;
      this.blocks.delete(oldest);
    }
    return block;
  }
}

/** A part of a file as a file of its own. */
export const windowOf = (
  source: ByteSource,
  name: string,
  { start, size }: { start: number; size: number },
): ByteSource => ({ name, size, read: (from, end) => source.read(start + from, start + Math.min(end, size)) });

export const memorySource = (name: string, content: Buffer): ByteSource => ({
  name,
  size: content.length,
  read: (start, end) => Promise.resolve(Readable.from([content.subarray(start, end)], { objectMode: false })),
});

/** The bytes of a stream from `start` up to, not including, `end`; closes it then. */
export const cutOf = (content: Readable, { start, end }: { start: number; end: number }): Readable =>
  Readable.from(
    (async function* cut() {
      let at = 0;
      for await (const chunk of content as AsyncIterable<Buffer>) {
        const part = chunk.subarray(Math.max(0, start - at), Math.max(0, end - at));
        at += chunk.length;
        if (part.length > 0) yield part;
        if (at >= end) return;
      }
    })(),
    { objectMode: false },
  );

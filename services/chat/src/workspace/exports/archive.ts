import { Buffer } from 'node:buffer';
import { finished, PassThrough, type Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** An entry of a ZIP; what is compressed already is only stored. */
type Entry = { readonly path: string; readonly content: Readable; readonly isCompressed?: boolean };

/**
 * Writes a ZIP entry after entry to whoever reads `output`: of contents only what is on its way is in memory, of each
 * entry its name and sizes are until the end. Larger than 4 GB it is a ZIP64.
 */
export class Archive {
  private readonly zip = new ZipFile();
  private readonly closed = new AbortController();
  readonly output = new PassThrough();

  constructor(private readonly at: Date) {
    this.zip.on('error', (error) => this.break(error as Error));
    this.zip.outputStream.pipe(this.output);
    this.output.once('close', () => this.closed.abort());
    // Who reads it hears of an error; without a reader there is nobody to hear.
    this.output.on('error', () => undefined);
  }

  /** Resolves when all of the content was read; rejects where it breaks or nobody reads the output any more. */
  add({ path, content, isCompressed = false }: Entry): Promise<void> {
    const { signal } = this.closed;
    return new Promise((resolve, reject) => {
      const end = (error?: Error) => {
        signal.removeEventListener('abort', broken);
        if (error) reject(error);
        else resolve();
      };
      const broken = () => {
        content.destroy();
        end(new Error('The archive was closed.'));
      };
      if (signal.aborted) return broken();
      signal.addEventListener('abort', broken);
      // Also of one that closes early without an error, such as a connection that ends.
      finished(content, { writable: false }, (error) => {
        end(error ?? undefined);
        if (error) this.break(error);
      });
      const options = { mtime: this.at, compress: !isCompressed };
      withoutPool(() => this.zip.addReadStreamLazy(path, options, givenOnce(content)));
    });
  }

  /** No entry follows. */
  end(): void {
    this.zip.end();
  }

  /** What was written is no archive: whoever reads it gets the error. */
  break(error: Error): void {
    this.output.destroy(error);
  }
}

type Give = (error: unknown, content: Readable) => void;

/** The ZIP keeps the function until its end, and with it all that the function can reach: the content has to go before. */
function givenOnce(content: Readable): (give: Give) => void {
  let source: Readable | null = content;
  return (give) => {
    const given = source;
    source = null;
    if (given) give(null, given);
  };
}

/**
 * The ZIP keeps the name of each entry until its end. In a buffer of Node's pool it would keep the pool with it, and in
 * that the contents of small entries: in effect all of them.
 */
function withoutPool(act: () => void): void {
  const { poolSize } = Buffer;
  Buffer.poolSize = 0;
  try {
    act();
  } finally {
    Buffer.poolSize = poolSize;
  }
}

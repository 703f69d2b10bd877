import { fromRandomAccessReaderPromise, getFileNameLowLevel, type Entry as ZipEntry, type ZipFile } from 'yauzl';
import { Transform, pipeline, type Readable, type TransformCallback } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32, createInflateRaw } from 'node:zlib';
import type { ArchiveBudget } from './archive-limits.ts';
import { BlockReader, cutOf, memorySource, windowOf } from './byte-sources.ts';
import { UnreadableExport, type ByteSource } from './read-chat.ts';

/** The content of an upload is not what its own directory says. */
export class DamagedContent extends Error {}
export const isDamage = (error: unknown): boolean => error instanceof DamagedContent;

/** A file of an upload: an entry of an archive, or what was uploaded as it is. */
export type ExportFile = {
  /** As the archive writes it; never used as a path of the file system. */
  readonly path: string;
  /** The last part of `path`. */
  readonly name: string;
  readonly size: number;
  /** The size in the archive. */
  readonly packed: number;
  /** True where it is encrypted: then `open` rejects. */
  readonly isProtected: boolean;
  /** Rejects, or ends with, an error that `isDamage` knows if the content is damaged. */
  open(): Promise<Readable>;
  /** The content with random access, for an archive in the archive. */
  asSource(): Promise<ByteSource>;
};

const baseNameOf = (path: string): string => path.split(/[\\/]/).at(-1) ?? '';
const isSystemFile = (path: string): boolean => /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|\._)/.test(path);

/** An uploaded file that is no archive. */
export const plainFile = (source: ByteSource): ExportFile => ({
  path: source.name,
  name: baseNameOf(source.name),
  size: source.size,
  packed: source.size,
  isProtected: false,
  open: () => source.read(0, source.size),
  asSource: () => Promise.resolve(source),
});

/** What is kept of an entry: an archive can have 200,000. */
type Entry = Pick<
  ZipEntry,
  'uncompressedSize' | 'compressedSize' | 'crc32' | 'compressionMethod' | 'relativeOffsetOfLocalHeader'
>;

/** Passes bytes on; fails where their number or checksum is not what the directory says. */
class Checked extends Transform {
  private bytes = 0;
  private sum = 0;

  constructor(private readonly entry: Entry) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    this.sum = crc32(chunk, this.sum);
    if (this.bytes > this.entry.uncompressedSize) done(new DamagedContent('An entry is longer than it says.'));
    else done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    const isWhole = this.bytes === this.entry.uncompressedSize && this.sum === this.entry.crc32;
    done(isWhole ? null : new DamagedContent('An entry is shorter than it says, or changed.'));
  }
}

/** Unpacks into `to`: what can't be unpacked is damaged, and what the storage fails with stays what it is. */
function unpacked(packed: Readable, to: Checked): Checked {
  const inflating = createInflateRaw({ chunkSize: 64 * 1024 });
  pipeline(packed, inflating, (error) => {
    if (!error) return;
    const isDamaged = error.code?.startsWith('Z_') === true;
    to.destroy(isDamaged ? new DamagedContent('An entry can’t be unpacked.', { cause: error }) : error);
  });
  to.once('close', () => inflating.destroy());
  return inflating.pipe(to);
}

const refuse = (): Promise<never> => Promise.reject(new UnreadableExport('encrypted'));

class Archive {
  constructor(
    private readonly source: ByteSource,
    private readonly zip: ZipFile,
    private readonly budget: ArchiveBudget,
  ) {}

  fileOf(given: ZipEntry): ExportFile {
    const { uncompressedSize, compressedSize, crc32: sum, compressionMethod, relativeOffsetOfLocalHeader } = given;
    const entry = { uncompressedSize, compressedSize, crc32: sum, compressionMethod, relativeOffsetOfLocalHeader };
    const { uncompressedSize: size, compressedSize: packed } = entry;
    const path = getFileNameLowLevel(given.generalPurposeBitFlag, given.fileNameRaw, given.extraFields, false);
    const name = baseNameOf(path);
    const isProtected = given.isEncrypted();
    const open = () => (isProtected ? refuse() : this.open(entry));
    const asSource = () => (isProtected ? refuse() : this.sourceOf(entry, name));
    return { path, name, size, packed, isProtected, open, asSource };
  }

  private async startOf(entry: Entry): Promise<number> {
    try {
      return (await this.zip.readLocalFileHeaderPromise(entry as ZipEntry, { minimal: true })).fileDataStart;
    } catch (error) {
      const { reader } = this.zip as ZipFile & { reader: BlockReader };
      throw reader.failure ?? new DamagedContent('An entry is not where the directory says.', { cause: error });
    }
  }

  private async open(entry: Entry): Promise<Readable> {
    const method = entry.compressionMethod;
    if (method !== 0 && method !== 8) throw new DamagedContent(`Compression method ${method} is not supported.`);
    const start = await this.startOf(entry);
    const raw = await this.source.read(start, start + entry.compressedSize);
    const checked = new Checked(entry);
    // A reader that comes later gets the error, too.
    checked.on('error', () => undefined);
    if (method === 8) return unpacked(raw, checked);
    pipeline(raw, checked, () => undefined);
    return checked;
  }

  /** A stored entry is a part of the archive. A deflated one is kept in memory, or inflated again for each place. */
  private async sourceOf(entry: Entry, name: string): Promise<ByteSource> {
    const { uncompressedSize: size, compressedSize: packed } = entry;
    if (entry.compressionMethod === 0) return windowOf(this.source, name, { start: await this.startOf(entry), size });
    this.budget.assertRatio({ size, packed });
    if (this.budget.hold(size)) return memorySource(name, await buffer(await this.open(entry)));
    const read = async (start: number, end: number): Promise<Readable> => {
      this.budget.addSkipped(start);
      return cutOf(await this.open(entry), { start, end });
    };
    return { name, size, read };
  }
}

/** Lists the files of an archive. Rejects with UnreadableExport if it can't be read, or is larger than the limits. */
export async function openArchive(source: ByteSource, budget: ArchiveBudget): Promise<readonly ExportFile[]> {
  const reader = new BlockReader(source);
  const files: ExportFile[] = [];
  try {
    // Names stay bytes, because yauzl refuses all of an archive for one with `..` in it.
    const options = { autoClose: false, decodeStrings: false, validateEntrySizes: true };
    const zip = await fromRandomAccessReaderPromise(reader, source.size, options);
    budget.addEntries(zip.entryCount);
    const archive = new Archive(source, zip, budget);
    for await (const entry of zip.eachEntry()) {
      budget.addUnpacked(entry.uncompressedSize);
      const file = archive.fileOf(entry);
      // JSON is read here. Attachments are not, and what opens them has its own limits.
      if (/^(?!file[-_]).*\.json$/i.test(file.name)) budget.assertRatio(file);
      if (file.name !== '' && !isSystemFile(file.path)) files.push(file);
    }
  } catch (error) {
    if (reader.failure !== null && !isDamage(reader.failure)) throw reader.failure;
    throw error instanceof UnreadableExport ? error : new UnreadableExport('damaged');
  }
  return files.toSorted((one, other) => compareNames(one.path, other.path));
}

const compareNames = new Intl.Collator('en', { numeric: true }).compare;

import { describe, expect, test } from '@jest/globals';
import { buffer } from 'node:stream/consumers';
import { openArchive } from './archive.ts';
import { ArchiveBudget, archiveLimits, type ArchiveLimits } from './archive-limits.ts';
import { upload, zipOf } from './fixtures.spec-setup.ts';

const filesOf = (content: Buffer, limits: Partial<ArchiveLimits> = {}) =>
  openArchive(upload(content), new ArchiveBudget({ ...archiveLimits, ...limits }));
const changed = (content: Buffer, change: (copy: Buffer) => void): Buffer => {
  const copy = Buffer.from(content);
  change(copy);
  return copy;
};
const [local, central] = ['PK\u0003\u0004', 'PK\u0001\u0002'];

describe('archives', () => {
  test('entries are read, stored or deflated, in the order of their names', async () => {
    for (const level of [0, 6] as const) {
      const files = await filesOf(zipOf({ 'a/10.json': 'ten', 'a/2.json': 'two' }, level));
      expect(files.map(({ path, name, size }) => [path, name, size])).toEqual([
        ['a/2.json', '2.json', 3],
        ['a/10.json', '10.json', 3],
      ]);
      expect((await buffer(await files[1]!.open())).toString()).toBe('ten');
    }
  });

  test('names with path tricks are names, and files of systems are left out', async () => {
    const files = await filesOf(
      zipOf({
        '../../etc/passwd': 'x',
        '/abs.json': 'x',
        'C:\\a\\b.json': 'x',
        '__MACOSX/._a.json': 'x',
        '.DS_Store': 'x',
      }),
    );
    expect(files.map(({ name }) => name).toSorted()).toEqual(['abs.json', 'b.json', 'passwd']);
  });

  test('too many entries, or too much unpacked, is refused', async () => {
    const zip = zipOf({ a: 'x'.repeat(600), b: 'x'.repeat(600) });
    await expect(filesOf(zip, { entries: 1 })).rejects.toMatchObject({ reason: 'too-much-inside' });
    await expect(filesOf(zip, { unpackedBytes: 1_000 })).rejects.toMatchObject({ reason: 'too-much-inside' });
  });

  test('an encrypted entry is listed, and can’t be opened', async () => {
    const zip = changed(zipOf({ a: 'x' }), (copy) => {
      copy.writeUInt16LE(1, copy.indexOf(central!, 0, 'latin1') + 8);
    });
    const [file] = await filesOf(zip);
    expect(file).toMatchObject({ isProtected: true });
    await expect(file!.open()).rejects.toMatchObject({ reason: 'encrypted' });
  });

  test('a cut archive, or a directory that is none, is damaged', async () => {
    const zip = zipOf({ a: 'x'.repeat(500), b: 'y' });
    await expect(filesOf(zip.subarray(0, -10))).rejects.toMatchObject({ reason: 'damaged' });
    const noDirectory = changed(zip, (copy) => copy.writeUInt8(0, copy.indexOf(central!, 0, 'latin1')));
    await expect(filesOf(noDirectory)).rejects.toMatchObject({ reason: 'damaged' });
  });

  test.each<[string, (copy: Buffer) => void]>([
    ['changed bytes', (copy) => copy.writeUInt8(copy.readUInt8(45) ^ 0xff, 45)],
    ['a wrong size', (copy) => copy.writeUInt32LE(10, copy.indexOf(central!, 0, 'latin1') + 24)],
    ['a wrong checksum', (copy) => copy.writeUInt32LE(10, copy.indexOf(central!, 0, 'latin1') + 16)],
    ['no local header', (copy) => copy.writeUInt8(0, copy.indexOf(local!, 0, 'latin1'))],
    ['an unknown compression', (copy) => copy.writeUInt16LE(93, copy.indexOf(central!, 0, 'latin1') + 10)],
  ])('content with %s fails while it is read', async (_name, change) => {
    const [file] = await filesOf(changed(zipOf({ a: 'some text '.repeat(50) }), change));
    await expect(file!.open().then(buffer)).rejects.toThrow();
  });

  test('what the storage fails with is passed on', async () => {
    const broken = { ...upload(zipOf({ a: 'x' })), read: () => Promise.reject(new Error('storage is away')) };
    await expect(openArchive(broken, new ArchiveBudget())).rejects.toThrow('storage is away');
  });

  test.each([
    ['stored', 0, {}],
    ['deflated, in memory', 6, {}],
    ['deflated, inflated again', 6, { heldBytes: 0 }],
  ] as const)('an archive in an archive has random access: %s', async (_name, level, limits) => {
    const inner = zipOf({ 'a.json': 'inner text', 'b.json': 'more' });
    const budget = new ArchiveBudget({ ...archiveLimits, ...limits });
    const [outer] = await openArchive(upload(zipOf({ 'inner.zip': inner }, level)), budget);
    const files = await openArchive(await outer!.asSource(), budget);
    expect(await Promise.all(files.map(async (file) => (await buffer(await file.open())).toString()))).toEqual([
      'inner text',
      'more',
    ]);
  });

  test('inflating again and again has an end', async () => {
    const budget = new ArchiveBudget({ ...archiveLimits, heldBytes: 0, skippedBytes: 100 });
    const [outer] = await openArchive(upload(zipOf({ 'inner.zip': zipOf({ a: 'x'.repeat(500) }, 0) })), budget);
    const source = await outer!.asSource();
    await source.read(90, 100);
    await expect(source.read(90, 100)).rejects.toMatchObject({ reason: 'too-much-inside' });
  });
});

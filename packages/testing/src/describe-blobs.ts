import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Blobs } from '@parley/platform/blobs';
import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

const mebibyte = 1024 * 1024;

/** A blob store; `count` tells how many objects or files it holds, unfinished ones included; `reopen` is a restart. */
export type BlobsHarness = {
  readonly blobs: Blobs;
  count(): Promise<number>;
  reopen(): Promise<Blobs>;
  dispose(): Promise<void>;
};

let harness: BlobsHarness;
let blobs: Blobs;
let key: string;

/** The promise of port Blobs. */
export function describeBlobs(name: string, makeBlobs: () => Promise<BlobsHarness>): void {
  describe(`blobs: ${name}`, () => {
    beforeEach(async () => {
      harness = await makeBlobs();
      blobs = harness.blobs;
      key = `documents/org_01M7Z5TPGREE1HG27VFN64VMY2/${randomUUID()}`;
    });
    afterEach(async () => {
      await blobs.close();
      await harness.dispose();
    });

    describeContent();
    describeLimits();
    describeRanges();
    describeParts();
    describeKeys();
  });
}

const textOf = async (content: Readable | null): Promise<string | null> =>
  content ? (await buffer(content)).toString() : null;
const put = (text: string, maxBytes = mebibyte): Promise<number> =>
  blobs.put(key, Readable.from([Buffer.from(text)]), { maxBytes });

function describeContent(): void {
  describe('content', () => {
    test('bytes come back as they were, with their count', async () => {
      const bytes = randomBytes(3 * mebibyte + 17);
      expect(await blobs.put(key, Readable.from(chunksOf(bytes)), { maxBytes: 4 * mebibyte })).toBe(bytes.length);
      expect((await buffer((await blobs.get(key))!)).equals(bytes)).toBe(true);
    });

    test('an empty blob is a blob, an absent one is null', async () => {
      expect(await blobs.put(key, Readable.from([]), { maxBytes: 1 })).toBe(0);
      expect(await textOf(await blobs.get(key))).toBe('');
      expect(await blobs.get(`${key}-other`)).toBeNull();
      expect(await blobs.get(`nowhere/${key}`)).toBeNull();
    });

    test('putting again replaces; a reader of the old content gets it whole', async () => {
      const old = randomBytes(2 * mebibyte);
      await blobs.put(key, Readable.from(chunksOf(old)), { maxBytes: 4 * mebibyte });
      const reading = (await blobs.get(key))!;
      await put('new');
      expect((await buffer(reading)).equals(old)).toBe(true);
      expect(await textOf(await blobs.get(key))).toBe('new');
    });

    test('concurrent writers of one key leave one whole content', async () => {
      const contents = Array.from({ length: 8 }, (_, index) => String(index).repeat(100_000));
      await Promise.all(contents.map((content) => put(content)));
      expect(contents).toContain(await textOf(await blobs.get(key)));
    });

    test('delete removes; repeating is harmless', async () => {
      await put('one');
      await blobs.delete(key);
      await blobs.delete(key);
      expect(await blobs.get(key)).toBeNull();
    });

    test('a blob outlives a restart', async () => {
      await put('kept');
      await blobs.close();
      blobs = await harness.reopen();
      expect(await textOf(await blobs.get(key))).toBe('kept');
    });
  });
}

function describeLimits(): void {
  describe('limits', () => {
    test('exactly the limit is taken, one byte more is refused and leaves nothing', async () => {
      expect(await put('12345', 5)).toBe(5);
      await blobs.delete(key);
      const before = await harness.count();
      await expect(put('123456', 5)).rejects.toMatchObject({ code: 'platform.body-too-large' });
      expect(await blobs.get(key)).toBeNull();
      expect(await harness.count()).toBe(before);
    });

    test('the limit holds while streaming: the source is not read to its end', async () => {
      let given = 0;
      const endless = new Readable({
        read() {
          given += 1;
          this.push(given > 10_000 ? null : Buffer.alloc(64 * 1024));
        },
      });
      await expect(blobs.put(key, endless, { maxBytes: mebibyte })).rejects.toMatchObject({
        code: 'platform.body-too-large',
      });
      expect(given).toBeLessThan(200);
    });

    test('a source that fails leaves nothing, and what was there before stays', async () => {
      await put('before');
      const before = await harness.count();
      const failing = Readable.from(
        (async function* () {
          yield Buffer.from('half');
          throw new Error('connection lost');
        })(),
      );
      await expect(blobs.put(key, failing, { maxBytes: mebibyte })).rejects.toThrow('connection lost');
      expect(await textOf(await blobs.get(key))).toBe('before');
      expect(await harness.count()).toBe(before);
    });
  });
}

function describeRanges(): void {
  describe('ranges', () => {
    test('a part of a blob comes as it is asked for, as far as there is any', async () => {
      await put('0123456789');
      const range = async (start: number, end: number) => textOf(await blobs.getRange(key, start, end));
      expect(await range(0, 4)).toBe('0123');
      expect(await range(4, 10)).toBe('456789');
      expect(await range(8, 100)).toBe('89');
      expect(await range(3, 3)).toBe('');
      expect(await range(10, 20)).toBe('');
      expect(await blobs.getRange(`${key}-other`, 0, 4)).toBeNull();
    });
  });
}

const partBytes = 5 * mebibyte;
const part = (uploadId: string, number: number, content: Buffer, maxBytes = 2 * partBytes): Promise<number> =>
  blobs.putPart(key, { uploadId, number, maxBytes }, Readable.from(chunksOf(content)));

function describeParts(): void {
  describe('in parts', () => {
    test('the blob is what its parts are, in the order of their numbers, and is not seen before', async () => {
      const uploadId = await blobs.beginParts(key);
      const [first, second, last] = [randomBytes(partBytes), randomBytes(partBytes), Buffer.from('end')];
      expect(await part(uploadId, 3, last)).toBe(3);
      await Promise.all([part(uploadId, 2, second), part(uploadId, 1, randomBytes(partBytes))]);
      await part(uploadId, 1, first);
      expect(await blobs.get(key)).toBeNull();
      expect(await blobs.completeParts(key, uploadId, [1, 2, 3])).toBe(2 * partBytes + 3);
      const whole = Buffer.concat([first, second, last]);
      expect((await buffer((await blobs.get(key))!)).equals(whole)).toBe(true);
      const across = await buffer((await blobs.getRange(key, partBytes - 2, partBytes + 2))!);
      expect(across.equals(whole.subarray(partBytes - 2, partBytes + 2))).toBe(true);
      expect(await harness.count()).toBe(1);
      expect(await blobs.completeParts(key, uploadId, [1, 2, 3])).toBe(2 * partBytes + 3);
      await blobs.abortParts(key, uploadId);
      expect((await buffer((await blobs.get(key))!)).equals(whole)).toBe(true);
    });

    test('goes on after a restart, and can be aborted after one', async () => {
      const uploadId = await blobs.beginParts(key);
      await part(uploadId, 1, randomBytes(partBytes));
      const other = await blobs.beginParts(key);
      await part(other, 1, Buffer.from('left'));
      await blobs.close();
      blobs = await harness.reopen();
      await part(uploadId, 2, Buffer.from('end'));
      await blobs.abortParts(key, other);
      await blobs.abortParts(key, other);
      expect(await blobs.completeParts(key, uploadId, [1, 2])).toBe(partBytes + 3);
      expect(await harness.count()).toBe(1);
    });

    test('a part that is missing, and an upload that is not there, complete nothing', async () => {
      const uploadId = await blobs.beginParts(key);
      await part(uploadId, 1, Buffer.from('one'));
      const gone = { code: 'platform.not-found' };
      await expect(blobs.completeParts(key, uploadId, [1, 2])).rejects.toMatchObject(gone);
      expect(await blobs.get(key)).toBeNull();
      expect(await blobs.completeParts(key, uploadId, [1])).toBe(3);
      await blobs.delete(key);
      await expect(part(uploadId, 1, Buffer.from('one'))).rejects.toMatchObject(gone);
      await expect(blobs.completeParts(key, uploadId, [1])).rejects.toMatchObject(gone);
    });

    test('a part above its limit, or whose source fails, leaves what was there', async () => {
      const uploadId = await blobs.beginParts(key);
      await part(uploadId, 1, Buffer.from('kept'));
      await expect(part(uploadId, 1, Buffer.from('too long'), 4)).rejects.toMatchObject({
        code: 'platform.body-too-large',
      });
      const failing = Readable.from(
        (async function* () {
          yield Buffer.from('half');
          throw new Error('connection lost');
        })(),
      );
      const broken = blobs.putPart(key, { uploadId, number: 1, maxBytes: mebibyte }, failing);
      await expect(broken).rejects.toThrow('connection lost');
      await blobs.completeParts(key, uploadId, [1]);
      expect(await textOf(await blobs.get(key))).toBe('kept');
      await expect(part(uploadId, 0, Buffer.from('x'))).rejects.toThrow('Not a part');
      await expect(part(uploadId, 1, Buffer.from('x'), 17 * mebibyte)).rejects.toThrow('at most');
    });
  });
}

function describeKeys(): void {
  describe('keys', () => {
    test.each([
      '',
      '/',
      '..',
      '../secret',
      'a/../../secret',
      '/etc/passwd',
      'a//b',
      'a/',
      './a',
      '.incoming/a',
      'a\\b',
      'a\0b',
      'C:a',
      'a b',
      'ä',
      `a/${'x'.repeat(600)}`,
    ])('the key %j is refused everywhere', async (bad) => {
      await expect(blobs.put(bad, Readable.from([Buffer.from('x')]), { maxBytes: 10 })).rejects.toThrow(
        'Not a blob key',
      );
      await expect(blobs.get(bad)).rejects.toThrow('Not a blob key');
      await expect(blobs.getRange(bad, 0, 1)).rejects.toThrow('Not a blob key');
      await expect(blobs.beginParts(bad)).rejects.toThrow('Not a blob key');
      await expect(blobs.abortParts(bad, 'upload')).rejects.toThrow('Not a blob key');
      await expect(blobs.delete(bad)).rejects.toThrow('Not a blob key');
    });
  });
}

function chunksOf(bytes: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, index) =>
    bytes.subarray(index * 65_536, (index + 1) * 65_536),
  );
}

import { expect, test } from '@jest/globals';
import { unzipSync } from 'fflate';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Archive } from './archive.ts';

const at = new Date('2026-11-27T14:00:00.000Z');
const textOf = (text: string): Readable => Readable.from([text], { objectMode: false });

test('another library reads each entry, deflated or stored', async () => {
  const archive = new Archive(at);
  const read = buffer(archive.output);
  await archive.add({ path: 'chats/Grüße.md', content: textOf('herons '.repeat(1_000)) });
  await archive.add({ path: 'files/a/b.pdf', content: textOf('storks '.repeat(1_000)), isCompressed: true });
  await archive.add({ path: 'empty.txt', content: textOf('') });
  archive.end();
  const zip = await read;
  const entries = unzipSync(zip);
  expect(Object.entries(entries).map(([name, bytes]) => [name, bytes.length])).toEqual([
    ['chats/Grüße.md', 7_000],
    ['files/a/b.pdf', 7_000],
    ['empty.txt', 0],
  ]);
  expect(zip.length).toBeGreaterThan(7_000);
  expect(zip.length).toBeLessThan(8_000);
});

test('a content that breaks breaks what is read, and nothing is added after it', async () => {
  const archive = new Archive(at);
  const read = buffer(archive.output);
  const breaking = Readable.from(
    (async function* () {
      yield 'half';
      throw new Error('the store is away');
    })(),
    { objectMode: false },
  );
  await expect(archive.add({ path: 'a.md', content: breaking })).rejects.toThrow('the store is away');
  await expect(read).rejects.toThrow('the store is away');
  const late = textOf('late');
  await expect(archive.add({ path: 'b.md', content: late })).rejects.toThrow('closed');
  expect(late.destroyed).toBe(true);
});

test('a content that ends early breaks what is read', async () => {
  const archive = new Archive(at);
  const read = buffer(archive.output);
  const cut = new Readable({ read: () => undefined });
  cut.push('half');
  const adding = archive.add({ path: 'a.pdf', content: cut });
  setImmediate(() => cut.destroy());
  await expect(adding).rejects.toThrow('Premature close');
  await expect(read).rejects.toThrow('Premature close');
});

test('who stops to read ends what is being added', async () => {
  const archive = new Archive(at);
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(64_000, Math.random() * 255);
    })(),
    { objectMode: false },
  );
  const adding = archive.add({ path: 'a.pdf', content: endless, isCompressed: true });
  const rejected = expect(adding).rejects.toThrow('closed');
  for await (const _part of archive.output) break;
  await rejected;
  expect(endless.destroyed).toBe(true);
});

/** The ZIP's record of an entry, and the function that once gave its content. */
type Kept = { readonly entries: readonly { readonly utf8FileName: Buffer }[]; addReadStreamLazy: AddLazily };
type AddLazily = (path: string, options: object, content: (give: () => void) => void) => void;

test('keeps nothing of contents that are written', async () => {
  const archive = new Archive(at);
  const { zip } = archive as unknown as { zip: Kept };
  const contents: Parameters<AddLazily>[2][] = [];
  const add = zip.addReadStreamLazy.bind(zip);
  zip.addReadStreamLazy = (path, options, content) => {
    contents.push(content);
    add(path, options, content);
  };
  const read = buffer(archive.output);
  for (const path of ['1.md', '2.md', '3.md']) await archive.add({ path, content: textOf('herons ') });
  archive.end();
  await read;
  expect(contents).toHaveLength(3);
  let given = 0;
  for (const content of contents) content(() => (given += 1));
  expect(given).toBe(0);
  // A name in a shared pool would keep the pool, and with it contents of small entries.
  expect(zip.entries.map(({ utf8FileName }) => utf8FileName.buffer.byteLength)).toEqual([4, 4, 4]);
});

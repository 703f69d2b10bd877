import { expect, it } from '@jest/globals';
import { crc32 } from 'node:zlib';
import { zipOf } from './zip.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Reads a ZIP as programs do: from its end to its directory, and from there to each file. */
function read(zip: Uint8Array) {
  const view = new DataView(zip.buffer);
  const end = zip.length - 22;
  const text = (from: number, length: number) => new TextDecoder().decode(zip.subarray(from, from + length));
  const files: { name: string; bytes: Uint8Array; isWhole: boolean }[] = [];
  let at = view.getUint32(end + 16, true);
  while (at < end) {
    const [sum, length, nameLength] = [
      view.getUint32(at + 16, true),
      view.getUint32(at + 24, true),
      view.getUint16(at + 28, true),
    ];
    const local = view.getUint32(at + 42, true);
    const start = local + 30 + nameLength;
    const bytes = zip.subarray(start, start + length);
    const isWhole =
      view.getUint32(local, true) === 0x04034b50 && crc32(bytes) === sum && sum === view.getUint32(local + 14, true);
    files.push({ name: text(at + 46, nameLength), bytes, isWhole });
    at += 46 + nameLength;
  }
  return { files, count: view.getUint16(end + 10, true), signature: view.getUint32(end, true) };
}

it('packs files under their names, with their sums', () => {
  const contents = { 'parley-export.json': '{}', 'chats/Über.json': 'ä'.repeat(70_000) };
  const entries = Object.entries(contents).map(([name, text]) => ({ name, bytes: bytesOf(text) }));
  const { files, count, signature } = read(zipOf(entries));
  expect([count, signature]).toEqual([2, 0x06054b50]);
  expect(files.every(({ isWhole }) => isWhole)).toBe(true);
  expect(Object.fromEntries(files.map(({ name, bytes }) => [name, new TextDecoder().decode(bytes)]))).toEqual(contents);
});

it('packs nothing into an empty ZIP', () => {
  expect(read(zipOf([]))).toEqual({ files: [], count: 0, signature: 0x06054b50 });
});

import { beforeAll, describe, expect, test } from '@jest/globals';
import { limits, type PersonPrincipal, type PictureId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import { aPerson, testStore } from '@parley/testing';
import { execFileSync } from 'node:child_process';
import { Readable } from 'node:stream';
import { deflateSync, crc32 } from 'node:zlib';
import { pictureRows } from './picture.collection.ts';
import { PicturesService } from './pictures.service.ts';

const { mongo, work, clock, ready } = await testStore();
const pictures = new PicturesService(mongo, work, clock);
const rows = mongo.rows(pictureRows);
const tests = jobScope('tests');
const day = 24 * 3_600_000;

/** What an expression with sharp makes of it, in a process of its own as everything that decodes. */
const bySharp = (expression: string, input: Uint8Array = Buffer.alloc(0)): Buffer =>
  execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import sharp from 'sharp'; import { readFileSync, writeFileSync } from 'node:fs';
       const input = readFileSync(0);
       writeFileSync(1, await (${expression}));`,
    ],
    { input, cwd: import.meta.dirname, maxBuffer: 20_000_000 },
  );
const plain = "sharp({ create: { width: 600, height: 400, channels: 3, background: '#00636c' } })";
/** The left third is clay. */
const striped = `${plain}.composite([{ input: { create: { width: 200, height: 400, channels: 3, background: '#c98a4b' } }, left: 0, top: 0 }])`;
/** Made by one process: to load sharp takes longer than to draw. */
function drawnBySharp<Name extends string>(expressions: Readonly<Record<Name, string>>): Record<Name, Buffer> {
  const drawn = Object.entries<string>(expressions).map(
    ([name, code]) => `['${name}', (await ${code}).toString('base64')]`,
  );
  const all = JSON.parse(bySharp(`JSON.stringify([${drawn.join(', ')}])`).toString()) as [Name, string][];
  return Object.fromEntries(all.map(([name, text]) => [name, Buffer.from(text, 'base64')])) as Record<Name, Buffer>;
}
const { tiff, holes, ...files } = drawnBySharp({
  png: `${striped}.png().toBuffer()`,
  // Lying on its side, and with words that say where it was taken.
  jpeg: `${striped}.withExif({ IFD0: { ImageDescription: 'Lindmoor, Hafenstrasse 4' } }).withMetadata({ orientation: 6 }).jpeg().toBuffer()`,
  webp: `${striped}.webp().toBuffer()`,
  gif: `${striped}.gif().toBuffer()`,
  tiff: `${plain}.tiff().toBuffer()`,
  holes: "sharp({ create: { width: 9, height: 9, channels: 4, background: '#00000000' } }).png().toBuffer()",
});
const pixelsOf = (picture: Uint8Array): Buffer => bySharp('sharp(input).raw().toBuffer()', picture);
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>');

/** A PNG of black pixels; deflate makes nothing of them, whatever their number. */
function blackPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const pixels = deflateSync(Buffer.alloc(height * (1 + Math.ceil(width / 8))));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    part('IHDR', header),
    part('IDAT', pixels),
    part('IEND'),
  ]);
}
function part(name: string, content: Buffer = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(name), content]);
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([size, named, sum]);
}

const upload = async (me: PersonPrincipal, file: Uint8Array, id = newId('picture')): Promise<PictureId> => {
  const request = Readable.from([file]);
  await pictures.upload({ scope: tests.of(me.userId), principal: me, query: { id }, request } as never);
  return id;
};
const choose = (me: PersonPrincipal, chosen: PictureId | null) =>
  work.run(me, (tx) => pictures.choose(tests.of(me.userId), chosen, tx));
const read = (pictureId: PictureId) => pictures.read({ params: { pictureId } });
const kept = (me: PersonPrincipal) => rows.within(tests.of(me.userId)).find({});

beforeAll(ready);

describe('a picture', () => {
  test.each(Object.keys(files) as (keyof typeof files)[])(
    'of %s becomes a square WebP, and nothing else of it stays',
    async (kind) => {
      const shown = await read(await upload(aPerson(), files[kind]));
      const metadata = bySharp('JSON.stringify(await sharp(input).metadata())', shown).toString();
      const { format, width, height, exif, xmp, pages } = JSON.parse(metadata) as Record<string, unknown>;
      expect({ format, width, height, exif, xmp, pages }).toEqual({ format: 'webp', width: 256, height: 256 });
    },
  );

  test('stands upright', async () => {
    const data = pixelsOf(await read(await upload(aPerson(), files.jpeg)));
    // What was the left is the top: clay is redder than petrol.
    expect(data[128 * 3]).toBeGreaterThan(150);
    expect(data[(255 * 256 + 128) * 3]).toBeLessThan(50);
  });

  test('with holes is laid on white, so that nothing behind it is seen', async () => {
    const data = pixelsOf(await read(await upload(aPerson(), holes)));
    expect([data.length, data[0]]).toEqual([256 * 256 * 3, 255]);
  });

  test('that is repeated is stored once, as it was', async () => {
    const me = aPerson();
    const id = await upload(me, files.png);
    const before = await read(id);
    await upload(me, svg, id);
    expect([await read(id), (await kept(me)).length]).toEqual([before, 1]);
  });
});

describe('is refused, and nothing is kept:', () => {
  const { png, jpeg, webp, gif } = files;
  const half = (file: Buffer) => file.subarray(0, file.length >> 1);
  test.each<[string, Buffer, string]>([
    ['what is no picture', Buffer.from('Hello'), 'auth.picture-unreadable'],
    ['nothing', Buffer.alloc(0), 'auth.picture-unreadable'],
    ['SVG, with a script or without', svg, 'auth.picture-unreadable'],
    ['TIFF', tiff, 'auth.picture-unreadable'],
    [
      'a PNG that says it is a WebP',
      Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8 '), png]),
      'auth.picture-unreadable',
    ],
    ['half a PNG', half(png), 'auth.picture-unreadable'],
    ['half a JPEG', half(jpeg), 'auth.picture-unreadable'],
    ['half a WebP', half(webp), 'auth.picture-unreadable'],
    ['half a GIF', half(gif), 'auth.picture-unreadable'],
    ['30,000 x 30,000 pixels in 100 kB', blackPng(30_000, 30_000), 'auth.picture-too-large'],
    ['one row over 25 megapixels', blackPng(5_000, 5_001), 'auth.picture-too-large'],
    ['over 5 MB', Buffer.alloc(limits.pictureBytes + 1), 'platform.body-too-large'],
  ])('%s', async (_what, file, code) => {
    const me = aPerson();
    await expect(upload(me, file)).rejects.toMatchObject({ code });
    expect(await kept(me)).toEqual([]);
  });

  test('and 25 megapixels are not too many', async () => {
    expect(await read(await upload(aPerson(), blackPng(5_000, 5_000)))).toBeDefined();
  });
});

describe('of the pictures of a person', () => {
  test('one is shown and stays, the one of before goes a day later', async () => {
    const me = aPerson();
    const first = await upload(me, files.png);
    await choose(me, first);
    const second = await upload(me, files.gif);
    await choose(me, second);
    const now = clock.now().getTime();
    expect(Object.fromEntries((await kept(me)).map(({ _id, endsAt }) => [_id, endsAt?.getTime() ?? null]))).toEqual({
      [first]: now + day,
      [second]: null,
    });
    await choose(me, first);
    expect((await kept(me)).find(({ endsAt }) => endsAt === null)?._id).toBe(first);
    await choose(me, null);
    expect((await kept(me)).filter(({ endsAt }) => endsAt === null)).toEqual([]);
  });

  test('those that nobody shows go with the next upload', async () => {
    const me = aPerson();
    const shown = await upload(me, files.png);
    await choose(me, shown);
    const left = await upload(me, files.gif);
    const next = await upload(me, files.webp);
    expect((await kept(me)).map(({ _id }) => _id).toSorted()).toEqual([shown, next].toSorted());
    await expect(read(left)).rejects.toMatchObject({ code: 'platform.not-found' });
    await expect(choose(me, left)).rejects.toMatchObject({ code: 'platform.not-found' });
    expect((await kept(me)).find(({ endsAt }) => endsAt === null)?._id).toBe(shown);
  });

  test("somebody else's is neither replaced nor chosen", async () => {
    const [noor, ines] = [aPerson(), aPerson()];
    const id = await upload(noor, files.png);
    const before = await read(id);
    await expect(upload(ines, files.gif, id)).rejects.toMatchObject({ code: 'platform.conflict' });
    await expect(choose(ines, id)).rejects.toMatchObject({ code: 'platform.not-found' });
    expect([await read(id), await kept(ines)]).toEqual([before, []]);
  });
});

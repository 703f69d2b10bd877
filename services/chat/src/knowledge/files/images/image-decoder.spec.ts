import { describe, expect, test } from '@jest/globals';
import { pageOf, pdfOf } from '@parley/testing/files';
import { Readable } from 'node:stream';
import sharp, { type Create } from 'sharp';
import { decodeImage, longestSide, mostImageBytes, type SeenImage } from './image-decoder.ts';
import { gifOf, hugePng, noise } from './images.spec-setup.ts';

const decode = (file: Buffer, timeoutMs = 60_000) => decodeImage(Readable.from([file]), { timeoutMs });
const seen = async (file: Buffer): Promise<SeenImage> => {
  const image = await decode(file);
  if ('failure' in image) throw new Error(image.failure);
  return image;
};
const plain = (width: number, height: number, background: Create['background'] = '#c00000') =>
  sharp({ create: { width, height, channels: 3, background } });
/** Red, green and blue of one pixel. */
async function pixel({ jpeg }: SeenImage, left: number, top: number): Promise<number[]> {
  return [...(await sharp(jpeg).extract({ left, top, width: 1, height: 1 }).raw().toBuffer())];
}
const isNear = (found: readonly number[], wanted: readonly number[]): boolean =>
  found.every((value, at) => Math.abs(value - wanted[at]!) < 12);

describe('an image as models see it', () => {
  test.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)('%s becomes a JPEG of its size', async (format) => {
    const image = await seen(await plain(90, 40).toFormat(format).toBuffer());
    expect(image).toMatchObject({ width: 90, height: 40 });
    expect(await sharp(image.jpeg).metadata()).toMatchObject({ format: 'jpeg', chromaSubsampling: '4:4:4' });
    expect(isNear(await pixel(image, 45, 20), [192, 0, 0])).toBe(true);
  });

  test('is upright and has no metadata', async () => {
    const lying = await plain(80, 40)
      .composite([{ input: await plain(40, 40, '#0000c0').png().toBuffer(), left: 0, top: 0 }])
      .withExif({ IFD0: { Copyright: 'Somebody', Orientation: '6' } })
      .jpeg()
      .toBuffer();
    const turned = await sharp(lying).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const image = await seen(turned);
    expect(image).toMatchObject({ width: 40, height: 80 });
    expect(isNear(await pixel(image, 20, 10), [0, 0, 192])).toBe(true);
    const { exif, icc, xmp, orientation } = await sharp(image.jpeg).metadata();
    expect([exif, icc, xmp, orientation]).toEqual([undefined, undefined, undefined, undefined]);
    expect(image.jpeg.includes('Somebody')).toBe(false);
  });

  test('has a white ground where it is transparent', async () => {
    const image = await seen(await plain(20, 20, { r: 0, g: 0, b: 0, alpha: 0 }).ensureAlpha(0).png().toBuffer());
    expect(isNear(await pixel(image, 5, 5), [255, 255, 255])).toBe(true);
  });

  test('is the first frame of what moves', async () => {
    const image = await seen(await gifOf(['#00c000', '#c00000', '#0000c0']));
    expect(image).toMatchObject({ width: 20, height: 20 });
    expect(isNear(await pixel(image, 10, 10), [0, 192, 0])).toBe(true);
  });

  test('of 16 bits, of grey and for print has eight bits of red, green and blue', async () => {
    const files = [
      await plain(30, 30).toColourspace('rgb16').png().toBuffer(),
      await plain(30, 30, '#808080').toColourspace('b-w').png().toBuffer(),
      await plain(30, 30).toColourspace('cmyk').jpeg().toBuffer(),
    ];
    for (const file of files)
      expect(await sharp((await seen(file)).jpeg).metadata()).toMatchObject({
        depth: 'uchar',
        space: 'srgb',
        channels: 3,
      });
  });

  test('is scaled down to its longest side, and never up', async () => {
    expect(await seen(await plain(4_000, 1_000).png().toBuffer())).toMatchObject({ width: longestSide, height: 392 });
    expect(await seen(await plain(3, 4_000).png().toBuffer())).toMatchObject({ width: 1, height: longestSide });
    expect(await seen(await plain(1, 1).png().toBuffer())).toMatchObject({ width: 1, height: 1 });
  });

  test('fits into its bytes, at a lower quality where it must', async () => {
    const image = await seen(await noise(1_600));
    expect(image.width).toBe(longestSide);
    expect(image.jpeg.length).toBeLessThanOrEqual(mostImageBytes);
  }, 30_000);
});

describe('what is no image, or not for us', () => {
  const tooLarge = { failure: 'image-too-large' };
  const unreadable = { failure: 'image-unreadable' };

  test('200 megapixels are refused by the header', async () => {
    expect(await decode(hugePng(20_000, 10_000))).toEqual(tooLarge);
    expect(await decode(hugePng(10_000, 10_000))).toEqual(unreadable);
  });

  test.each([
    ['an SVG with a script', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a PDF', Buffer.from(pdfOf([pageOf('Leave', [['Each has 28 days.']])]))],
    ['text', Buffer.from('Thirty herons.')],
    ['nothing', Buffer.alloc(0)],
    ['HEIC by its brand', Buffer.from('0000001c6674797068656963000000006d696631686569636d696166', 'hex')],
  ])('%s', async (_name, file) => {
    expect(await decode(file)).toEqual(unreadable);
  });

  test('TIFF, which the library could read, is unreadable', async () => {
    expect(await decode(await plain(20, 20).tiff().toBuffer())).toEqual(unreadable);
  });

  test('a JPEG and a PNG that break off are unreadable', async () => {
    for (const file of [await plain(400, 400).jpeg().toBuffer(), await noise(200)])
      expect(await decode(file.subarray(0, Math.floor(file.length / 2)))).toEqual(unreadable);
  });

  test('an image whose decoding takes too long is refused for that', async () => {
    expect(await decode(await plain(20, 20).png().toBuffer(), 1)).toEqual({ failure: 'took-too-long' });
  });

  test('a file that breaks off is not decoded as if it were whole', async () => {
    const file = await plain(20, 20).png().toBuffer();
    const breaksOff = Readable.from(
      (async function* () {
        yield file;
        throw new Error('the storage is gone');
      })(),
    );
    expect(await decodeImage(breaksOff, { timeoutMs: 60_000 })).toEqual({ failure: 'reader-stopped' });
  });

  test('a decoder that is broken off says so', async () => {
    const controller = new AbortController();
    const decoding = decodeImage(Readable.from([await noise(3_000)]), { timeoutMs: 60_000, signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    expect(await decoding).toEqual({ failure: 'reader-stopped' });
  });
});

// The decoder process: a file on standard input, the square WebP on standard output. One picture, then it ends.
import { readFileSync, writeFileSync } from 'node:fs';
import sharp from 'sharp';

/** Of one side, in pixels: 56 on the screen, with some to spare for dense ones. */
const side = 256;
const mostPixels = 25_000_000;
/** What decodes a file. Whatever else the library could read (SVG, PDF, TIFF) is off. */
const decoders = ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'];
/** As `square-picture.ts` knows them. */
const [tooLarge, unreadable] = [3, 4];

async function squareOf(file: Uint8Array): Promise<Buffer> {
  const { width, height } = await sharp(file, { limitInputPixels: false }).metadata();
  if (width * height > mostPixels) process.exit(tooLarge);
  return sharp(file, { limitInputPixels: mostPixels, failOn: 'error' })
    .autoOrient()
    .resize(side, side, { fit: 'cover' })
    .flatten({ background: '#ffffff' })
    .webp({ quality: 80 })
    .toBuffer();
}

sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: decoders });
try {
  writeFileSync(1, await squareOf(readFileSync(0)));
} catch {
  process.exitCode = unreadable;
}

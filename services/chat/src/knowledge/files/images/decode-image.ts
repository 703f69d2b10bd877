// The decoder process: a file on standard input, the JPEG on standard output. One image, then it ends.
import { readFileSync, writeFileSync } from 'node:fs';
import sharp from 'sharp';

/** As `image-decoder.ts` knows them. */
const [tooLarge, unreadable] = [3, 4];
const [mostPixels = 0, longestSide = 0, mostBytes = 0] = process.argv.slice(2).map(Number);
/** What decodes a file. Whatever else the library could read (SVG, PDF, TIFF) is off. */
const decoders = [
  'VipsForeignLoadPng',
  'VipsForeignLoadJpeg',
  'VipsForeignLoadWebp',
  'VipsForeignLoadNsgif',
  'VipsForeignLoadHeif',
];
/** Until it fits. */
const qualities = [85, 75, 60, 40, 20];

async function jpegOf(file: Uint8Array): Promise<Buffer | null> {
  const { width, height, format, compression } = await sharp(file, { limitInputPixels: false }).metadata();
  if (width * height > mostPixels) process.exit(tooLarge);
  // The same container holds AVIF and HEIC.
  if (format === 'heif' && compression !== 'av1') return null;
  const { data, info } = await sharp(file, { limitInputPixels: mostPixels, failOn: 'error' })
    .autoOrient()
    .resize(longestSide, longestSide, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  for (const quality of qualities) {
    const { width: columns, height: rows, channels } = info;
    const image = sharp(data, { raw: { width: columns, height: rows, channels } });
    const jpeg = await image.toColourspace('srgb').jpeg({ quality, chromaSubsampling: '4:4:4' }).toBuffer();
    if (jpeg.length <= mostBytes) return jpeg;
  }
  return null;
}

sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: decoders });
try {
  const jpeg = await jpegOf(readFileSync(0));
  if (jpeg) writeFileSync(1, jpeg);
  else process.exitCode = unreadable;
} catch {
  process.exitCode = unreadable;
}

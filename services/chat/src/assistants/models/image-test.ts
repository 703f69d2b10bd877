import type { ModelImages } from '@parley/contracts';
import { crc32, deflateSync } from 'node:zlib';
import { isRefusalOfImages } from './images.ts';
import { plainRequest, type ModelClient, type ModelMessage } from './model-client.ts';

const side = 64;
/** What most models call by one word. Which one is asked is left to chance, so that no answer is right by habit. */
const colours = { red: [220, 0, 0], green: [0, 160, 0], blue: [0, 0, 220], yellow: [250, 220, 0] } as const;
export type Colour = keyof typeof colours;
const anyColour = (): Colour =>
  (Object.keys(colours) as Colour[])[Math.floor(Math.random() * Object.keys(colours).length)]!;
const mostCharacters = 4_000;

/**
 * Asks a model which color an image of one color has: `yes` where it names it, `no` where its server refuses the request
 * for the image, null for any other answer or error: then it is not known.
 */
export async function testImages(
  client: ModelClient,
  { timeoutMs, colour = anyColour() }: { readonly timeoutMs: number; readonly colour?: Colour },
): Promise<ModelImages['accepts'] | null> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  let said = '';
  try {
    await client.answer(plainRequest([questionOf(colour)], controller.signal), (part) => {
      if (part.kind !== 'text') return;
      said += part.text;
      if (said.length > mostCharacters) controller.abort();
    });
  } catch (error) {
    if (isRefusalOfImages(error)) return 'no';
    if (!names(said, colour)) return null;
  } finally {
    clearTimeout(timer);
  }
  return names(said, colour) ? 'yes' : null;
}

/** It and no other one: a model that guesses names several. */
const names = (said: string, colour: Colour): boolean =>
  Object.keys(colours).every((name) => new RegExp(`\\b${name}\\b`, 'i').test(said) === (name === colour));

const questionOf = (colour: Colour): ModelMessage => ({
  role: 'person',
  text: 'Which color is this image? Answer with one word: red, green, blue or yellow.',
  images: [{ name: 'color.png', tokens: 0, read: async () => pngOf(colours[colour]), mediaType: 'image/png' }],
});

/** An image of 64 x 64 pixels of one color. */
export function pngOf(rgb: readonly [number, number, number]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // Eight bits of red, green and blue.
  header.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.from([0, ...Array.from({ length: side }, () => rgb).flat()]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: side }, () => row)));
  const chunks = [chunkOf('IHDR', header), chunkOf('IDAT', pixels), chunkOf('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]);
}

function chunkOf(type: string, content: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, sum]);
}

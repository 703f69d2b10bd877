// How long a PDF of 1,000 pages and 20 images take from dropping them until a chat can be asked about them, and what
// memory that takes.
import type { ChatFile, FileId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { firstToken, type ParleyClient } from '@parley/testing/client';
import { pageOf, pdfOf } from '@parley/testing/files';
import { readdirSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { filesBudgets } from './files-budgets.ts';
import { anOwner, longestWait, pagesOf, untilSearchable } from './documents.ts';
import { inFolder, startProduct, type EmbeddedProduct } from './embedded.ts';
import { startFloors } from './floors.ts';
import { rssMbOf, wait } from './product.ts';
import { Report } from './report.ts';

const pageCount = 1_000;
const citedPage = 700;
const imageCount = 20;
const [width, height] = [4_000, 3_000];
/** As a page does. */
const uploadsAtOnce = 2;
const largestSide = 1_568;

export async function benchFiles(interruption: Promise<never>): Promise<void> {
  const floors = await startFloors();
  try {
    await inFolder(async (folder) => {
      const product = await startProduct({ folder, environment: { PARLEY_OUTBOUND_ALLOW: floors.modelAddress } });
      try {
        await Promise.race([measure(product, floors.modelAddress), interruption]);
      } finally {
        await product.close();
      }
    });
  } finally {
    await floors.close();
  }
}

async function measure(product: EmbeddedProduct, modelAddress: string): Promise<void> {
  const report = new Report(filesBudgets);
  await measurePdf(product, report);
  await measureImages(product, report, modelAddress);
  report.print();
  report.write('latest-files.json');
}

async function measurePdf(product: EmbeddedProduct, report: Report): Promise<void> {
  const pages = pagesOf(pageCount);
  pages[citedPage - 1]!.push('The herons of Quarrymere sleep at noon.');
  const pdf = new Uint8Array(pdfOf(pages.map((lines, at) => pageOf(`Chapter ${at + 1}`, [lines]))));
  const owner = await anOwner(product.url);
  const floorFrom = performance.now();
  await untilSearchable(owner, 'floor.pdf', pdf);
  const floor = (performance.now() - floorFrom) / 1_000;
  await wait(2_000);
  const memory = peakOf(product.pid);
  const waiting = longestWait(await anOwner(product.url));
  const begun = performance.now();
  const [file] = await untilReady(owner, [{ name: 'book.pdf', content: pdf }]);
  await untilCited(owner, file!);
  report.add('PDF of 1,000 pages, dropped until its answer cites page 700', (performance.now() - begun) / 1_000, floor);
  report.add('memory that takes at most', memory.end());
  report.add('longest wait for a list meanwhile', await waiting.end());
}

async function untilCited(owner: ParleyClient, { id }: ChatFile): Promise<void> {
  const conversationId = newId('conversation');
  const question = 'When do the herons of Quarrymere sleep?';
  await owner.send(conversationId, question, { files: [{ id, use: 'auto' }], model: 'builtin' as never });
  for (;;) {
    const answer = (await owner.messages(conversationId)).items.at(-1);
    const { status } = answer?.generation ?? {};
    if (status === 'done') {
      const cited = answer!.citations.map(({ place }) => place?.number);
      if (!cited.includes(citedPage)) throw new Error(`The answer cites ${cited.join(', ')}: ${answer!.text}`);
      return;
    }
    if (status === 'failed') throw new Error(`The answer failed: ${answer?.generation?.failure}`);
    await wait(20);
  }
}

async function measureImages(product: EmbeddedProduct, report: Report, modelAddress: string): Promise<void> {
  const images = await Promise.all(Array.from({ length: imageCount }, (_unused, at) => photo(at)));
  const owner = await anOwner(product.url);
  await owner.call('POST /api/chat/providers', {
    body: {
      id: newId('provider'),
      name: 'Mock',
      baseUrl: `http://${modelAddress}/v1`,
      models: ['mock'],
      defaultModel: 'mock',
      isDefault: true,
      images: [{ model: 'mock', accepts: 'yes' }],
    },
  });
  const floor = await scaleAll(images);
  await wait(2_000);
  const memory = peakOf(product.pid);
  const begun = performance.now();
  const files = await untilReady(
    owner,
    images.map((content, at) => ({ name: `photo ${at + 1}.jpg`, content })),
  );
  report.add(
    '20 images of 12 megapixels, dropped until all can be asked about',
    (performance.now() - begun) / 1_000,
    floor,
  );
  const asked = performance.now();
  await firstToken(owner, owner.socket(), {
    text: 'What do they show?',
    withinMs: 60_000,
    files: files.map(({ id }) => ({ id, use: 'auto' })),
  });
  report.add('question about 20 images, until its answer has begun', (performance.now() - asked) / 1_000);
  report.add('memory that images take at most', memory.end());
}

/** Smooth shapes with noise on them, as a camera has: JPEG of some megabytes. */
async function photo(seed: number): Promise<Uint8Array<ArrayBuffer>> {
  const noise = { type: 'gaussian', mean: 110 + seed, sigma: 25 } as const;
  const picture = sharp({ create: { width, height, channels: 3, background: '#000000', noise } });
  return new Uint8Array(await picture.blur(1.2).jpeg({ quality: 90 }).toBuffer());
}

async function scaleAll(images: readonly Uint8Array[]): Promise<number> {
  const begun = performance.now();
  for (const image of images)
    await sharp(image).resize(largestSide, largestSide, { fit: 'inside' }).jpeg({ quality: 85 }).toBuffer();
  return (performance.now() - begun) / 1_000;
}

type Upload = { readonly name: string; readonly content: Uint8Array<ArrayBuffer> };

async function untilReady(owner: ParleyClient, uploads: readonly Upload[]): Promise<ChatFile[]> {
  const ids: FileId[] = uploads.map(() => newId('file'));
  let next = 0;
  const upload = async (): Promise<void> => {
    for (let at = next++; at < uploads.length; at = next++)
      await owner.attach(ids[at]!, uploads[at]!.name, uploads[at]!.content);
  };
  await Promise.all(Array.from({ length: uploadsAtOnce }, upload));
  for (;;) {
    const { items } = await owner.call('GET /api/chat/files', { query: { ids: ids.join(',') } });
    const failed = items.find(({ status }) => status === 'failed');
    if (failed) throw new Error(`${failed.name}: ${failed.failure}`);
    if (items.length === ids.length && items.every(({ status }) => status === 'ready')) return items;
    await wait(50);
  }
}

/** The most memory of a process with its children from now on, above what it has now, in MB. */
export function peakOf(pid: number): { end(): number } {
  const now = (): number => [pid, ...childrenOf(pid)].reduce((sum, one) => sum + residentMb(one), 0);
  const atRest = now();
  let peak = atRest;
  const watching = setInterval(() => (peak = Math.max(peak, now())), 50);
  return {
    end() {
      clearInterval(watching);
      return peak - atRest;
    },
  };
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) => {
    try {
      const children = readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim();
      return children === '' ? [] : children.split(' ').map(Number);
    } catch {
      return [];
    }
  });
}

/** 0 of one that has ended meanwhile. */
function residentMb(pid: number): number {
  try {
    return rssMbOf(pid);
  } catch {
    return 0;
  }
}

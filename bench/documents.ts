// How long a PDF of 300 pages takes until answers can quote it, through the built product, from the end of the upload on;
// the floor is the same text as Markdown, which needs no parser. Meanwhile somebody else reads a list again and again.
import { newId } from '@parley/platform/ids';
import { ParleyClient } from '@parley/testing/client';
import { pageOf, pdfOf } from '@parley/testing/files';
import { documentsBudgets } from './budgets.ts';
import { inFolder, startProduct, type EmbeddedProduct } from './embedded.ts';
import { wait } from './product.ts';
import { Report } from './report.ts';
import { numbersFrom, texts } from './words.ts';

const pageCount = 300;
const charactersOfPage = 3_000;
const lineCharacters = 85;

export async function benchDocuments(interruption: Promise<never>): Promise<void> {
  await inFolder(async (folder) => {
    const product = await startProduct({ folder, environment: {} });
    try {
      await Promise.race([measure(product), interruption]);
    } finally {
      await product.close();
    }
  });
}

async function measure(product: EmbeddedProduct): Promise<void> {
  const report = new Report(documentsBudgets);
  const pages = pagesOf(pageCount);
  const markdown = pages.map((lines, at) => `# Chapter ${at + 1}\n\n${lines.join('\n')}`).join('\n\n');
  const pdf = pdfOf(pages.map((lines, at) => pageOf(`Chapter ${at + 1}`, [lines])));
  const owner = await anOwner(product.url);
  const floor = await untilSearchable(owner, 'floor.md', markdown);
  const cpuBefore = product.cpuSeconds().parley;
  const waiting = longestWait(await anOwner(product.url));
  const { seconds, passages } = await untilSearchable(owner, 'book.pdf', new Uint8Array(pdf));
  report.add('PDF of 300 pages until it is searchable', seconds, floor.seconds);
  report.add('its passages', passages, floor.passages);
  report.add('CPU of the product beside its reader', product.cpuSeconds().parley - cpuBefore);
  report.add('longest wait for a list meanwhile', await waiting.end());
  report.print();
  report.write('latest-documents.json');
}

/** Lines of words that are as frequent as in a language. */
export function pagesOf(count: number): string[][] {
  const next = texts(numbersFrom(3));
  return Array.from({ length: count }, () => {
    let text = '';
    while (text.length < charactersOfPage) text += `${next()}. `;
    const words = text.split(' ');
    const lines = [''];
    for (const word of words) {
      if (lines.at(-1)!.length + word.length > lineCharacters) lines.push('');
      lines[lines.length - 1] += `${word} `;
    }
    return lines.map((line) => line.trim());
  });
}

export async function anOwner(url: string): Promise<ParleyClient> {
  const owner = new ParleyClient(url);
  const email = `${newId('user').toLowerCase()}@example.com`;
  await owner.register({ name: 'Bench', email, password: 'three quiet herons' });
  await owner.createOrganisation('Bench');
  return owner;
}

export async function untilSearchable(owner: ParleyClient, name: string, content: string | Uint8Array<ArrayBuffer>) {
  const { id } = await owner.upload(name, content);
  const begun = performance.now();
  for (;;) {
    const { items } = await owner.call('GET /api/chat/documents');
    const document = items.find((each) => each.id === id);
    if (document?.status === 'failed') throw new Error(`${name}: ${document.failure}`);
    if (document?.status === 'searchable')
      return { seconds: (performance.now() - begun) / 1_000, passages: document.passageCount };
    await wait(50);
  }
}

/** Of another organisation, ten times a second. */
export function longestWait(other: ParleyClient) {
  let isOver = false;
  let longest = 0;
  const asking = (async () => {
    while (!isOver) {
      const begun = performance.now();
      await other.call('GET /api/chat/conversations');
      longest = Math.max(longest, performance.now() - begun);
      await wait(100);
    }
  })();
  return {
    async end(): Promise<number> {
      isOver = true;
      await asking;
      return longest;
    },
  };
}

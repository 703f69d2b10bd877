// What vectors cost beside the words: the same searches without and with them, by a stand-in that gives random vectors on
// this machine. How much better anything is found by vectors is not measured: random ones mean nothing.
import { newId } from '@parley/platform/ids';
import type { ParleyClient } from '@parley/testing/client';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inFolder, startProduct } from '../embedded.ts';
import { percentile, wait } from '../product.ts';
import { fill, searchTimes } from './large.ts';
import { anOwner, documentTexts } from './scene.ts';

/** As OpenAI's smaller models have. */
const dimensions = 1_536;

export const benchVectors = (passages: number) => (interruption: Promise<never>) =>
  inFolder(async (folder) => {
    const standIn = await randomVectors();
    const product = await startProduct({ folder, environment: { PARLEY_OUTBOUND_ALLOW: standIn.address } });
    try {
      const measured = await Promise.race([measure(product.url, { passages, address: standIn.address }), interruption]);
      process.stdout.write(`${JSON.stringify(measured, null, 2)}\n`);
      const report = { at: new Date().toISOString(), ...measured };
      writeFileSync(join(import.meta.dirname, 'latest-vectors.json'), `${JSON.stringify(report, null, 2)}\n`);
    } finally {
      await product.close();
      standIn.close();
    }
  });

async function measure(url: string, { passages, address }: { readonly passages: number; readonly address: string }) {
  const owner = await anOwner(url);
  await fill(owner, passages);
  const without = await searchTimes(owner);
  const models = { models: ['m'], defaultModel: 'm', isDefault: false, embeddingModel: 'random' };
  const begun = performance.now();
  await owner.call('POST /api/chat/providers', {
    body: { id: newId('provider'), name: 'Random', baseUrl: `http://${address}/v1`, ...models },
  });
  for (;;) {
    const { withVectors } = await owner.call('GET /api/chat/embedding');
    if (withVectors >= passages) break;
    await wait(500);
  }
  const vectorsPerSecond = (passages / (performance.now() - begun)) * 1_000;
  await untilLoaded(owner);
  let compared = 0;
  const having = await searchTimes(
    owner,
    ({ passages: found }) => (compared += found.some(({ ranks }) => ranks) ? 1 : 0),
  );
  return {
    passages,
    dimensions,
    vectorsPerSecond,
    questions: having.length,
    /** Found passages, by words, while vectors were compared too. */
    compared,
    withoutP50Ms: percentile(without, 0.5),
    withoutP99Ms: percentile(without, 0.99),
    withP50Ms: percentile(having, 0.5),
    withP99Ms: percentile(having, 0.99),
  };
}

/** The vectors are in memory, and a question is compared with them. */
async function untilLoaded(owner: ParleyClient): Promise<void> {
  const text = documentTexts()[0]!.text.slice(0, 200);
  for (let left = 120; left > 0; left -= 1) {
    const { passages } = await owner.call('POST /api/chat/search-tests', { body: { text } });
    if (passages.some(({ ranks }) => ranks)) return;
    await wait(500);
  }
  throw new Error('No question was compared with the vectors within a minute.');
}

async function randomVectors() {
  const vector = () => Array.from({ length: dimensions }, () => Math.random() - 0.5);
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { input } = JSON.parse(body) as { readonly input: readonly string[] };
      const data = input.map((_text, index) => ({ index, embedding: vector() }));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ data, usage: { prompt_tokens: input.length } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

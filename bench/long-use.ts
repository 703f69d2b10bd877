// What long use leaves on the disk, and how long the others wait while an answer of the greatest length is stored: through
// the built product, with a model server that writes texts whose words are as frequent as in a language.
import { isTitleRequest, refuseTitle } from '@parley/testing/model-streams';
import { statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { longUseBudgets } from './budgets.ts';
import { inFolder, startProduct, type Place } from './embedded.ts';
import { wait } from './product.ts';
import { Report } from './report.ts';
import { BenchTab } from './streams.ts';
import { numbersFrom, texts } from './words.ts';

const atOnce = 16;
const turns = 20;

type Writer = {
  readonly address: string;
  /** The next text, also the model server's next answer. */
  text(): string;
  /** Of all texts so far. */
  characters(): number;
  close(): void;
};

/** A model server whose answers are such texts, each in one piece; of 200,000 characters to whoever asks for `long`. */
async function startWriter(): Promise<Writer> {
  const make = texts(numbersFrom(1));
  let characters = 0;
  const text = () => {
    const made = make();
    characters += made.length;
    return made;
  };
  const server = createServer((request, response) => {
    let asked = '';
    request.on('data', (chunk: Buffer) => (asked += chunk.toString()));
    request.on('end', () => {
      if (request.url?.endsWith('/models'))
        return void response.setHeader('content-type', 'application/json').end('{"data":[{"id":"m"}]}');
      if (isTitleRequest(asked)) return refuseTitle(response);
      response.setHeader('content-type', 'text/event-stream');
      const pieces = asked.includes('"long"') ? longAnswer() : [text()];
      for (const content of pieces) response.write(dataLine({ choices: [{ index: 0, delta: { content } }] }));
      response.end(`${dataLine({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}data: [DONE]\n\n`);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { address, text, characters: () => characters, close: () => void server.close() };
}

const dataLine = (event: unknown): string => `data: ${JSON.stringify(event)}\n\n`;

/** 195,000 characters, of which each word is another one. */
const longAnswer = (): string[] =>
  Array.from({ length: 39 }, (_unused, piece) =>
    Array.from({ length: 500 }, (_word, at) => `${(piece * 500 + at).toString(36).padStart(9, 'q')} `).join(''),
  );

/** Questions and their answers until there are so many messages, by several persons at once. */
async function converse(url: string, writer: Writer, messages: number): Promise<void> {
  let left = Math.ceil(messages / 2);
  const person = async () => {
    const tab = await new BenchTab(url).open(`http://${writer.address}/v1`);
    while (left > 0) {
      const id = await tab.newConversation();
      for (let turn = 0; turn < turns && left > 0; turn += 1) {
        left -= 1;
        await tab.ask(id, writer.text());
      }
      tab.leave(id);
    }
    tab.close();
  };
  await Promise.all(Array.from({ length: atOnce }, person));
}

/** Measures the longest that somebody waits for a list of messages while somebody else gets five such answers. */
async function openWaiting(url: string, writer: Writer): Promise<(question: string) => Promise<number>> {
  const [asking, reading] = [new BenchTab(url), new BenchTab(url)];
  await asking.open(`http://${writer.address}/v1`);
  await reading.open(`http://${writer.address}/v1`);
  const read = await reading.newConversation();
  const conversation = await asking.newConversation();
  return async (question) => {
    let longest = 0;
    let isOver = false;
    const others = (async () => {
      while (!isOver) {
        const startedAt = performance.now();
        await reading.client.messages(read);
        longest = Math.max(longest, performance.now() - startedAt);
        await wait(10);
      }
    })();
    for (let at = 0; at < 5; at += 1) await asking.ask(conversation, question);
    await wait(200);
    isOver = true;
    await others;
    return longest;
  };
}

/** `npm run bench -- --long-use --messages 64850` */
export const benchLongUse = (messages: number) => (interruption: Promise<never>) =>
  inFolder(async (folder) => {
    const writer = await startWriter();
    const environment = { PARLEY_OUTBOUND_ALLOW: writer.address, PARLEY_TRUSTED_PROXY: '127.0.0.1' };
    try {
      await Promise.race([measure({ folder, environment }, writer, messages), interruption]);
    } finally {
      writer.close();
    }
  });

async function measure(place: Place, writer: Writer, messages: number): Promise<void> {
  const report = new Report(longUseBudgets);
  const product = await startProduct(place);
  await converse(product.url, writer, messages);
  await product.close();
  const bytes = statSync(join(place.folder, 'store.sqlite')).size;
  report.say(`${messages} messages with ${writer.characters()} characters: ${bytes} bytes on the disk`);
  report.add('bytes on the disk per byte of text', bytes / writer.characters());
  const again = await startProduct(place);
  const longestWait = await openWaiting(again.url, writer);
  await longestWait('short');
  const short = await longestWait('short');
  report.add('longest wait beside answers of 195,000 characters', await longestWait('long'), short);
  await again.close();
  report.print();
  report.write('latest-long-use.json');
}

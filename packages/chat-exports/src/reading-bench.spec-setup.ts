// Measures reading alone: 100,000 messages in 3,000 chats, as an export of ChatGPT in shards.
// `node --conditions=parley-source --import ./packages/tooling/src/register.mjs <this file> [characters per message]`
import { Zip, ZipDeflate } from 'fflate';
import { spawnSync } from 'node:child_process';
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { openExport, type ByteSource } from './index.ts';
import { gptConversation, said, type GptNode } from './sources/chatgpt.spec-setup.ts';

const chats = 3_000;
const perShard = 100;
const messages = 100_000;
const words = 'the answer of a model has words that differ from each other, and so does a question '.split(' ');
const textOf = (seed: number, length: number): string => {
  let text = '';
  for (let at = seed; text.length < length; at = (at * 1_103_515_245 + 12_345) % 2_147_483_648)
    text += `${words[at % words.length]}${at % 97} `;
  return text;
};

function conversation(number: number, length: number): object {
  const count = Math.floor(messages / chats) + (number < messages % chats ? 1 : 0);
  const nodes = Array.from({ length: count }, (_, at): GptNode =>
    said(
      `${number}-${at}`,
      at === 0 ? null : `${number}-${at - 1}`,
      at % 2 ? 'assistant' : 'user',
      textOf(number * 100 + at, length),
    ),
  );
  return gptConversation(nodes, { conversation_id: `c${number}`, id: `c${number}`, title: `Chat ${number}` });
}

async function written(path: string, length: number): Promise<number> {
  const out = createWriteStream(path);
  const zip = new Zip((error, chunk) => (error ? out.destroy(error) : void out.write(chunk)));
  let bytes = 0;
  for (let shard = 0; shard < chats / perShard; shard += 1) {
    const entry = new ZipDeflate(`conversations-${String(shard).padStart(3, '0')}.json`, { level: 6 });
    zip.add(entry);
    const json = Array.from({ length: perShard }, (_, at) => conversation(shard * perShard + at, length));
    const content = Buffer.from(JSON.stringify(json));
    bytes += content.length;
    entry.push(content, true);
    if (out.writableNeedDrain) await once(out, 'drain');
  }
  zip.end();
  out.end();
  await once(out, 'close');
  return bytes;
}

async function measure(path: string): Promise<void> {
  const { size } = statSync(path);
  const read: ByteSource['read'] = (start, end) => Promise.resolve(createReadStream(path, { start, end: end - 1 }));
  const before = process.memoryUsage().rss;
  let peak = before;
  let longestMs = 0;
  let lastAt = performance.now();
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
    longestMs = Math.max(longestMs, performance.now() - lastAt);
    lastAt = performance.now();
  }, 5);
  const from = performance.now();
  const opened = await openExport([{ name: 'export.zip', size, read }], { giveWay: () => setImmediate() });
  const found = { chats: 0, messages: 0 };
  for await (const chat of opened.chats()) {
    found.chats += 1;
    if (chat.kind === 'chat') found.messages += chat.messages.length;
  }
  const seconds = (performance.now() - from) / 1_000;
  const again = performance.now();
  for await (const chat of opened.chats(found.chats)) void chat;
  const skipped = (performance.now() - again) / 1_000;
  clearInterval(timer);
  console.log({ ...found, zip: mb(size), seconds, skipped, before: mb(before), peak: mb(peak), longestMs });
}

const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
const [given = '1500', path] = process.argv.slice(2);
if (path !== undefined) await measure(path);
else {
  const folder = mkdtempSync(join(tmpdir(), 'parley-reading-'));
  try {
    const file = join(folder, 'export.zip');
    console.log(`JSON of ${mb(await written(file, Number(given)))}`);
    // A process of its own, so that the memory is that of reading.
    spawnSync(process.execPath, [...process.execArgv, ...process.argv.slice(1, 2), given, file], { stdio: 'inherit' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// Lists what is in an export: `npm run read:export -- FILE…`.
import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { openExport, UnreadableExport, type BrokenChat, type ByteSource, type ReadChat } from './index.ts';

const sourceAt = (path: string): ByteSource => ({
  name: basename(path),
  size: statSync(path).size,
  read: (start, end) => Promise.resolve(createReadStream(path, { start, end: end - 1 })),
});

function lineOf(chat: ReadChat | BrokenChat): string {
  const title = chat.title || 'Untitled';
  if (chat.kind === 'broken') return `can't be read  ${title}: ${chat.reason}`;
  const files = chat.messages.flatMap((message) => message.files);
  const counts = [`${chat.messages.length} messages`, `${files.length} files`];
  const losses = [...new Set(chat.losses.map(({ what }) => what))];
  if (losses.length > 0) counts.push(`lost: ${losses.join(', ')}`);
  return `${chat.createdAt?.toISOString().slice(0, 10) ?? 'no date   '}  ${title} (${counts.join(', ')})`;
}

async function list(paths: readonly string[]): Promise<void> {
  const opened = await openExport(paths.map(sourceAt), { giveWay: () => setImmediate() });
  process.stdout.write(`An export of ${opened.source}\n`);
  let count = 0;
  for await (const chat of opened.chats()) {
    count += chat.kind === 'chat' ? 1 : 0;
    process.stdout.write(`${lineOf(chat)}\n`);
  }
  for (const { name, sourceId } of await opened.projects()) process.stdout.write(`project  ${name ?? sourceId}\n`);
  const others = (await opened.others()).map((other) => `${other.kind}: ${other.count} (${other.names.join(', ')})`);
  process.stdout.write(`${[`chats: ${count}`, ...others].join('\n')}\n`);
}

const paths = process.argv.slice(2);
try {
  if (paths.length === 0) throw new Error('Name the files of an export: npm run read:export -- FILE…');
  await list(paths);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  process.stderr.write(`${error instanceof UnreadableExport ? error.reason : error.message}\n`);
  process.exitCode = 1;
}

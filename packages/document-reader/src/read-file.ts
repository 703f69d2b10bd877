// Prints the passages of a file: `npm run read:document -- FILE`.
import { createReadStream, existsSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { readDocument } from './reader.ts';
import { attachmentTypes } from './split-mail.ts';
import type { Passage } from './split-passages.ts';

const timeoutMs = 60_000;
const sizes = { text: 900, heading: 300 };
const mediaTypes: Readonly<Record<string, string>> = { ...attachmentTypes, eml: 'message/rfc822' };

function titleOf({ heading, place }: Passage, at: number): string {
  const of = place?.attachment === undefined ? '' : ` of ${place.attachment}`;
  return [`[${at + 1}]`, place && `${place.kind} ${place.number}${of}`, heading].filter(Boolean).join(' ');
}

async function describe(path: string): Promise<string> {
  const mediaType = mediaTypes[extname(path).slice(1).toLowerCase()] ?? 'text/plain';
  const answer = await readDocument(createReadStream(path), { mediaType, sizes, timeoutMs });
  const name = `${basename(path)} (${mediaType})`;
  if ('failure' in answer) return `${name}: ${answer.failure}`;
  const passages = answer.passages.map((passage, at) => `${titleOf(passage, at)}\n${passage.text}`);
  const unread = (answer.unread ?? []).map((one) => `Not read: ${one.name}, ${one.flaw}`);
  return [`${name}, passages: ${passages.length}`, ...passages, ...unread].join('\n\n');
}

const [path] = process.argv.slice(2);
if (path === undefined || !existsSync(path)) {
  process.stderr.write('Name a file: npm run read:document -- FILE\n');
  process.exitCode = 1;
} else process.stdout.write(`${await describe(path)}\n`);

import { zipSync } from 'fflate';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { ArchiveBudget } from './archive-limits.ts';
import { openArchive, type ExportFile } from './archive.ts';
import {
  openExport,
  type BrokenChat,
  type ByteSource,
  type OpenedExport,
  type ReadChat,
  type ReadFile,
} from './index.ts';
import type { OpenOptions } from './open-export.ts';

/** Uploads in memory, and what is read of them. */

export type Parts = Readonly<Record<string, unknown>>;
const bytesOf = (content: unknown): Uint8Array => {
  if (content instanceof Uint8Array) return content;
  return Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
};

/** An archive of these files: bytes and texts as they are, anything else as JSON. */
export const zipOf = (parts: Parts, level: 0 | 6 = 6): Buffer =>
  Buffer.from(
    zipSync(Object.fromEntries(Object.entries(parts).map(([path, content]) => [path, [bytesOf(content), { level }]]))),
  );

/** The first file of an archive. */
export async function firstFileOf(archive: Buffer): Promise<ExportFile> {
  const [file] = await openArchive(upload(archive), new ArchiveBudget());
  if (!file) throw new Error('The archive has no file.');
  return file;
}

/** An upload whose reads come in chunks of this size. */
export const upload = (content: Buffer | object | string, name = 'upload', chunkBytes = 64 * 1024): ByteSource => {
  const bytes = Buffer.from(bytesOf(content));
  const read = (start: number, end: number) => {
    const part = bytes.subarray(start, end);
    const chunks = Array.from({ length: Math.ceil(part.length / chunkBytes) }, (_, at) =>
      part.subarray(at * chunkBytes, (at + 1) * chunkBytes),
    );
    return Promise.resolve(Readable.from(chunks, { objectMode: false }));
  };
  return { name, size: bytes.length, read };
};

export const openAll = (uploaded: readonly ByteSource[], options: Partial<OpenOptions> = {}): Promise<OpenedExport> =>
  openExport(uploaded, { giveWay: () => setImmediate(), ...options });
export const open = (content: Buffer | object | string, options?: Partial<OpenOptions>): Promise<OpenedExport> =>
  openAll([upload(content)], options);

export async function allOf(opened: OpenedExport, from = 0): Promise<(ReadChat | BrokenChat)[]> {
  const found: (ReadChat | BrokenChat)[] = [];
  for await (const chat of opened.chats(from)) found.push(chat);
  return found;
}
export const readAll = async (content: Buffer | object | string): Promise<(ReadChat | BrokenChat)[]> =>
  await allOf(await open(content));

/** The only chat of an upload. */
export async function readOne(content: Buffer | object | string): Promise<ReadChat> {
  const found = await readAll(content);
  const [chat] = found;
  if (found.length !== 1 || chat?.kind !== 'chat') throw new Error(`Expected one chat: ${JSON.stringify(found)}`);
  return chat;
}

export const contentOf = async (file: ReadFile): Promise<string> => (await buffer(await file.open())).toString();

/** The files of projects: project, id and name of each, with its content or why it can't be imported. */
export async function projectFilesOf(opened: OpenedExport, from = 0): Promise<string[][]> {
  const found: string[][] = [];
  for await (const { project, id, name, file } of opened.projectFiles(from))
    found.push([project, id, name, typeof file === 'string' ? file : await contentOf(file)]);
  return found;
}

/** A chat as its paths: the texts from a root to each leaf, questions and answers in turn. */
export function pathsOf({ messages }: Pick<ReadChat, 'messages'>): string[][] {
  const byId = new Map(messages.map((message) => [message.sourceId, message]));
  const parents = new Set(messages.map(({ parentId }) => parentId));
  return messages
    .filter(({ sourceId }) => !parents.has(sourceId))
    .map((leaf) => {
      const path: string[] = [];
      for (let at = byId.get(leaf.sourceId); at; at = byId.get(at.parentId ?? '')) path.unshift(at.text);
      return path;
    });
}

/** Why an upload is refused. */
export const refusalOf = async (...given: Parameters<typeof open>): Promise<unknown> =>
  await open(...given).then(
    ({ source }) => source,
    (error: unknown) => (error instanceof Error && 'reason' in error ? error.reason : error),
  );

export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

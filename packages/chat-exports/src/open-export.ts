import { buffer } from 'node:stream/consumers';
import { openArchive, plainFile, type ExportFile } from './archive.ts';
import { ArchiveBudget, archiveLimits, type ArchiveLimits } from './archive-limits.ts';
import { ExportFiles } from './export-files.ts';
import type { GiveWay } from './in-turns.ts';
import { UnreadableExport, type ByteSource, type OpenedExport } from './read-chat.ts';
import { partsIn } from './parts.ts';
import { ReadExport } from './read-export.ts';
import { chatFilesIn, type ChatFiles } from './recognise.ts';

export type OpenOptions = {
  /** Called after some 20 ms of work at a time. */
  readonly giveWay: GiveWay;
  readonly signal?: AbortSignal;
  readonly limits?: ArchiveLimits;
};

/** An uploaded file, or an archive in one, with the files in it. */
type Container = { readonly isArchive: boolean; readonly files: readonly ExportFile[] };

async function isArchive(source: ByteSource): Promise<boolean> {
  if (source.size < 4) return false;
  const head = await buffer(await source.read(0, 4));
  return ['PK\u0003\u0004', 'PK\u0005\u0006', 'PK\u0007\u0008'].includes(head.toString('latin1'));
}

async function opened(source: ByteSource, budget: ArchiveBudget): Promise<Container> {
  if (await isArchive(source)) return { isArchive: true, files: await openArchive(source, budget) };
  return { isArchive: false, files: [plainFile(source)] };
}

/** Archives in an archive: the privacy portal's, or all parts of an export in one. One level deep. */
async function nestedIn({ files }: Container, budget: ArchiveBudget): Promise<Container[]> {
  const found: Container[] = [];
  for (const file of files) {
    if (!/\.zip$/i.test(file.name) || file.isProtected) continue;
    const source = await file.asSource();
    if (await isArchive(source)) found.push(await opened(source, budget));
  }
  return found;
}

async function chatsIn(containers: readonly Container[]): Promise<ChatFiles[]> {
  const found: ChatFiles[] = [];
  for (const each of containers) found.push(await chatFilesIn(each.files, each.isArchive));
  return found;
}

/**
 * Opens what a person uploaded: one or several files, each a ZIP or JSON, of one product. What it is is told by the
 * content, never by names. Rejects with UnreadableExport.
 */
export async function openExport(
  uploaded: readonly ByteSource[],
  { giveWay, signal, limits = archiveLimits }: OpenOptions,
): Promise<OpenedExport> {
  const budget = new ArchiveBudget(limits);
  const containers: Container[] = [];
  for (const source of uploaded) {
    signal?.throwIfAborted();
    containers.push(await opened(source, budget));
  }
  let found = await chatsIn(containers);
  if (found.every(({ reader }) => reader === null)) {
    const nested: Container[] = [];
    for (const container of containers) nested.push(...(await nestedIn(container, budget)));
    containers.push(...nested);
    found = await chatsIn(containers);
  }
  const readers = new Set(found.flatMap(({ reader }) => reader ?? []));
  const [reader] = readers;
  if (!reader) {
    const instead = found.find((each) => each.instead !== null)?.instead;
    const isDamaged = found.some((each) => each.isDamaged);
    throw new UnreadableExport(instead ?? (isDamaged ? 'damaged' : 'not-an-export'));
  }
  if (readers.size > 1) throw new UnreadableExport('several-sources');
  const chatFiles = found.flatMap(({ files }) => files);
  const files = containers.flatMap((container) => container.files);
  const [index, parts] = [await ExportFiles.of(files), await partsIn(files)];
  return new ReadExport(reader, { chatFiles, files, index, parts }, { giveWay, signal });
}

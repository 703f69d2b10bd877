import { z } from 'zod';
import { buffer } from 'node:stream/consumers';
import { isDamage, type ExportFile } from './archive.ts';
import { valuesIn } from './export-files.ts';
import { listIn } from './json-fields.ts';
import type { BrokenChat } from './read-chat.ts';

const manifest = z.object({ logical_files: z.object({ 'conversations.json': z.object({ files: z.unknown() }) }) });
const listed = z.union([z.string(), z.object({ path: z.string() }).transform(({ path }) => path)]);
const shard = /^conversations-\d+\.json$/i;
/** Real exports have a part for each 100 chats. */
const mostParts = 10_000;

/** The parts of a ChatGPT export that hold chats, by the names of their files: numbers from 1, null where there is one. */
export type Parts = ReadonlyMap<string, number | null>;

/** Reads the parts from the manifests of an export; none where no manifest names any. */
export async function partsIn(files: readonly ExportFile[]): Promise<Parts> {
  const parts = new Map<string, number | null>();
  for (const file of files) {
    if (file.name !== 'export_manifest.json' || file.isProtected) continue;
    for await (const value of valuesIn(file)) {
      const named = listIn(manifest.safeParse(value).data?.logical_files['conversations.json'].files);
      const paths = named.slice(0, mostParts).map((each) => listed.safeParse(each).data);
      for (const [at, path] of paths.entries()) {
        const name = path?.split(/[\\/]/).at(-1);
        if (name) parts.set(name, named.length > 1 ? at + 1 : null);
      }
    }
  }
  return parts;
}

/** Finds the parts that hold no chats at all: they are missing, or so damaged that nothing can be read. */
export async function lostParts(
  parts: Parts,
  { files, chatFiles }: { readonly files: readonly ExportFile[]; readonly chatFiles: readonly ExportFile[] },
): Promise<BrokenChat[]> {
  const read = new Set(chatFiles.map(({ name }) => name));
  const unread = files.filter(({ name }) => !read.has(name) && (parts.has(name) || shard.test(name)));
  const there = new Set(unread.map(({ name }) => name));
  const missing = [...parts.keys()].filter((name) => !read.has(name) && !there.has(name));
  const lost = missing.map((name) => lostPart('part-missing', name, parts));
  for (const file of unread) if (!(await isEmptyList(file))) lost.push(lostPart('part-cut', file.name, parts));
  return lost;
}

export const lostPart = (reason: 'part-missing' | 'part-cut', name: string, parts: Parts): BrokenChat => ({
  kind: 'broken',
  sourceId: null,
  title: name,
  reason,
  part: parts.get(name) ?? null,
});

export async function isEmptyList(file: ExportFile): Promise<boolean> {
  if (file.size > 100 || file.isProtected) return false;
  try {
    return /^\s*\[\s*\]\s*$/.test((await buffer(await file.open())).toString());
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}

import { z } from 'zod';
import { Readable } from 'node:stream';
import { isDamage, type ExportFile } from './archive.ts';
import { cutOf } from './byte-sources.ts';
import type { FileRef } from './chat-node.ts';
import { cleanFileName } from './cleaning.ts';
import { hasEnding, readableName, sniffed, sniffedBytes } from './file-types.ts';
import { elementsOf, valueOf } from './json-elements.ts';
import { text } from './json-fields.ts';
import type { LossKind, ReadFile } from './read-chat.ts';
import { fileIdIn } from './sources/chatgpt-fields.ts';

const libraryFile = z.object({
  file_id: text,
  file_name: text,
  mime_type: text,
  origination_message_id: text,
  deleted_at: z.unknown().optional(),
  trashed_at: z.unknown().optional(),
});

/** The values of a JSON file as far as it can be read. */
export async function* valuesIn(file: ExportFile): AsyncGenerator<unknown> {
  for await (const element of elementsOf(file)) yield valueOf(element);
}

/** Finds the files that messages name among those of the export. */
export class ExportFiles {
  private readonly byId = new Map<string, ExportFile>();
  /** Where the name of a file in the export says nothing: how it is called, by that name. */
  private readonly called = new Map<string, string>();
  private readonly byMessage = new Map<string, FileRef[]>();

  /** By their ids in the manner of ChatGPT, and by their paths. Later parts of an export add to earlier ones. */
  static async of(files: readonly ExportFile[]): Promise<ExportFiles> {
    const found = new ExportFiles();
    for (const file of files) {
      const id = fileIdIn(file.name);
      for (const key of id === null ? [file.path] : [file.path, id])
        if (!found.byId.has(key)) found.byId.set(key, file);
    }
    for (const file of files.filter(({ isProtected }) => !isProtected)) {
      if (file.name === 'conversation_asset_file_names.json') await found.readNames(file);
      if (file.name === 'library_files.json') await found.readLibrary(file);
    }
    return found;
  }

  private async readNames(file: ExportFile): Promise<void> {
    for await (const value of valuesIn(file)) {
      if (typeof value !== 'object' || value === null) continue;
      for (const [name, called] of Object.entries(value))
        if (typeof called === 'string') this.called.set(name, cleanFileName(called));
    }
  }

  private async readLibrary(file: ExportFile): Promise<void> {
    const isThere = (value: unknown): boolean => value === null || value === undefined;
    for await (const value of valuesIn(file)) {
      const { data } = libraryFile.safeParse(value);
      const id = fileIdIn(data?.file_id ?? '');
      if (!data || id === null || !isThere(data.deleted_at) || !isThere(data.trashed_at)) continue;
      const ref = {
        name: cleanFileName(data.file_name ?? '') || 'file',
        mediaType: data.mime_type,
        ids: [id],
        content: null,
      };
      const messageId = data.origination_message_id;
      if (messageId === null) continue;
      const known = this.byMessage.get(messageId);
      if (known) known.push(ref);
      else this.byMessage.set(messageId, [ref]);
    }
  }

  ofMessage(messageId: string): readonly FileRef[] {
    return this.byMessage.get(messageId) ?? [];
  }

  /** The file, or why it can't be imported. */
  async resolve(ref: FileRef): Promise<ReadFile | LossKind> {
    if (ref.content !== null) return contentFile(ref, ref.content);
    const id = ref.ids.find((each) => this.byId.has(each));
    const file = id === undefined ? undefined : this.byId.get(id);
    if (!file) return 'file-not-in-export';
    const called = this.called.get(file.name) ?? file.name;
    if (file.isProtected) return 'file-protected';
    // `image` and the like are names of ours for files that their message doesn't name.
    const name = hasEnding(ref.name) || !hasEnding(called) || called.endsWith('.dat') ? ref.name : called;
    let readable = readableName(name, ref.mediaType);
    if (readable === undefined) {
      const ending = await endingOf(file);
      readable = ending === null ? null : `${name.replace(/\.dat$/i, '')}.${ending}`;
    }
    if (readable === null) return 'file-type-not-supported';
    return { name: cleanFileName(readable), bytes: file.size, open: () => file.open() };
  }
}

function contentFile(ref: FileRef, content: Buffer): ReadFile | LossKind {
  const ending = sniffed(content.subarray(0, sniffedBytes));
  const name = readableName(ref.name, ref.mediaType) ?? (ending === null ? null : `${ref.name}.${ending}`);
  if (name === null || content.length === 0) return 'file-type-not-supported';
  const open = () => Promise.resolve(Readable.from([content], { objectMode: false }));
  return { name: cleanFileName(name), bytes: content.length, open };
}

async function endingOf(file: ExportFile): Promise<string | null> {
  try {
    const head = cutOf(await file.open(), { start: 0, end: sniffedBytes });
    return sniffed(Buffer.concat(await head.toArray()));
  } catch (error) {
    if (isDamage(error)) return null;
    throw error;
  }
}

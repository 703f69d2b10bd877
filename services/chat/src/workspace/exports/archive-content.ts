import { Injectable } from '@nestjs/common';
import type { ConversationId, FileId } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { Readable } from 'node:stream';
import { ConversationAccess, ConversationLists, visibleTo, type Viewer } from '../../conversations/index.ts';
import { StoredFiles } from '../../knowledge/files/index.ts';
import type { Archive } from './archive.ts';
import { ArchiveProjects } from './archive-projects.ts';
import { ChatReader } from './chat-reader.ts';
import { jsonOf, markdownOf } from './chat-texts.ts';
import type { ExportedAll, ExportedProjects } from './export-format.ts';
import { markdownWords } from './markdown-words.ts';
import { safeName } from './safe-name.ts';

const chatsPerPage = 50;
/** Of a chat's id, behind its title: tells chats of the same title apart. */
const shortId = 8;

type Whose = {
  readonly viewer: Viewer;
  readonly signal: AbortSignal;
  /** Told of each chat that is written. */
  readonly onChat: () => Promise<void>;
};
type Filling = Whose & { readonly archive: Archive; readonly exportedAt: Date; readonly paths: Map<FileId, string> };

/** Writes the chats and projects of a person, and the files in them, into an archive. */
@Injectable()
export class ArchiveContent {
  constructor(
    private readonly lists: ConversationLists,
    private readonly access: ConversationAccess,
    private readonly reader: ChatReader,
    private readonly files: StoredFiles,
    private readonly projects: ArchiveProjects,
    private readonly clock: Clock,
  ) {}

  /** How many chats there are now. */
  count(viewer: Viewer): Promise<number> {
    return this.lists.count(viewer.scope, visibleTo(viewer));
  }

  /** Each chat once, as it is when its turn comes. Returns how many chats and files the archive has. */
  async write(archive: Archive, whose: Whose): Promise<Pick<ExportedAll, 'chats' | 'files'>> {
    const exportedAt = this.clock.now();
    const filling: Filling = { ...whose, archive, exportedAt, paths: new Map() };
    const written = new Set<ConversationId>();
    for await (const id of this.ids(whose.viewer)) {
      whose.signal.throwIfAborted();
      if (written.has(id) || !(await this.writeChat(id, filling))) continue;
      written.add(id);
      await whose.onChat();
    }
    const projects = await this.writeProjects(filling);
    const [chats, files] = [written.size, filling.paths.size];
    const all: ExportedAll = {
      format: 'parley-export',
      version: 1,
      exportedAt: exportedAt.toISOString(),
      chats,
      files,
      projects,
    };
    await archive.add({ path: 'parley-export.json', content: textOf([`${JSON.stringify(all, null, 2)}\n`]) });
    archive.end();
    return { chats, files };
  }

  /** Returns how many there are. Files that no chat has are written first. */
  private async writeProjects(filling: Filling): Promise<number> {
    const { archive, paths, viewer } = filling;
    await this.writeFiles(await this.projects.filesOf(viewer), filling);
    const projects = await this.projects.list(viewer, paths);
    if (projects.length === 0) return 0;
    const all: ExportedProjects = { format: 'parley-projects', version: 1, projects };
    await archive.add({ path: 'projects.json', content: textOf([`${JSON.stringify(all, null, 2)}\n`]) });
    return projects.length;
  }

  /** Some come twice: one that is archived while the pages are read, or no longer, is in one of the lists all the same. */
  private async *ids(viewer: Viewer): AsyncGenerator<ConversationId> {
    for (const only of [undefined, 'archived', undefined] as const) yield* this.listed(viewer, only);
  }

  private async *listed(viewer: Viewer, only: 'archived' | undefined): AsyncGenerator<ConversationId> {
    for (let cursor: string | undefined; ;) {
      const query = { limit: chatsPerPage, cursor, only };
      const wanted = { query, visible: visibleTo(viewer), order: 1 } as const;
      const { items, nextCursor } = await this.lists.list(viewer.scope, { ...wanted, to: ({ _id }) => _id });
      yield* items;
      if (nextCursor === null) return;
      cursor = nextCursor;
    }
  }

  /** False where it was deleted meanwhile. */
  private async writeChat(id: ConversationId, filling: Filling): Promise<boolean> {
    const { archive, exportedAt, paths, viewer } = filling;
    const conversation = await this.access.find(viewer, id);
    if (!conversation || conversation.isDeleted) return false;
    const chat = await this.reader.begin(viewer, conversation);
    await this.writeFiles(await this.reader.filesOf(chat), filling);
    const { locale } = viewer.principal;
    const said = { head: chat.head, exportedAt, locale };
    const named = safeName(chat.head.title, markdownWords(locale).unnamed);
    await archive.add({ path: `chats/${id}.json`, content: textOf(jsonOf(chat.head, this.reader.tree(chat, paths))) });
    await archive.add({
      path: `chats/${named}-${id.slice(-shortId)}.md`,
      content: textOf(markdownOf(said, this.reader.path(chat, paths))),
    });
    return true;
  }

  /** First, so that a message or project names the path of what is there, and of nothing else. */
  private async writeFiles(ids: ReadonlySet<FileId>, { archive, paths, signal, viewer }: Filling): Promise<void> {
    for (const id of ids) {
      signal.throwIfAborted();
      const file = paths.has(id) ? null : await this.files.open(viewer.scope, id);
      if (!file) continue;
      const path = `files/${id}/${safeName(file.name, 'file')}`;
      await archive.add({ path, content: file.content, isCompressed: !isText(file.mediaType) });
      paths.set(id, path);
    }
  }
}

/** PDF, Office files and images are compressed already. */
const isText = (mediaType: string): boolean => /^(?:text|message)\//.test(mediaType);

const textOf = (texts: AsyncIterable<string> | Iterable<string>): Readable =>
  Readable.from(texts, { objectMode: false });

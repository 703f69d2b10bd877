import { Injectable } from '@nestjs/common';
import type { ConversationId, FileId } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { Readable } from 'node:stream';
import { ChatbotsRepository } from '../../assistants/chatbots/index.ts';
import {
  ConversationAccess,
  ConversationLists,
  OwnProjects,
  visibleTo,
  type Viewer,
} from '../../conversations/index.ts';
import { StoredFiles } from '../../knowledge/files/index.ts';
import type { Archive } from './archive.ts';
import { ChatReader, type OpenedChat } from './chat-reader.ts';
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

/** Writes the chats of a person, and the files in them, into an archive. */
@Injectable()
export class ArchiveContent {
  constructor(
    private readonly lists: ConversationLists,
    private readonly access: ConversationAccess,
    private readonly reader: ChatReader,
    private readonly files: StoredFiles,
    private readonly projects: OwnProjects,
    private readonly chatbots: ChatbotsRepository,
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
    const [chats, files, projects] = [
      written.size,
      filling.paths.size,
      await this.writeProjects(whose.viewer, archive),
    ];
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

  /** Returns how many there are. */
  private async writeProjects({ scope, principal }: Viewer, archive: Archive): Promise<number> {
    const rows = await this.projects.list(scope, principal.userId);
    if (rows.length === 0) return 0;
    const chatbots = await this.chatbots.list(scope);
    const nameOf = (id: (typeof rows)[number]['chatbotId']): string | undefined => {
      const chatbot = chatbots.find(({ _id }) => _id === id);
      return chatbot?.published?.content.name;
    };
    const projects = rows.map((row) => {
      const chatbot = nameOf(row.chatbotId);
      return {
        id: row._id,
        name: row.name,
        instructions: row.instructions,
        ...(chatbot !== undefined && { chatbot }),
        pinned: row.isPinned,
        archived: row.isArchived,
        createdAt: row.createdAt.toISOString(),
      };
    });
    const all: ExportedProjects = { format: 'parley-projects', version: 1, projects };
    await archive.add({ path: 'projects.json', content: textOf([`${JSON.stringify(all, null, 2)}\n`]) });
    return rows.length;
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
    await this.writeFiles(chat, filling);
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

  /** First, so that a message names the path of what is there, and of nothing else. */
  private async writeFiles(chat: OpenedChat, { archive, paths, signal }: Filling): Promise<void> {
    for (const id of await this.reader.filesOf(chat)) {
      signal.throwIfAborted();
      const file = paths.has(id) ? null : await this.files.open(chat.scope, id);
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

import { Injectable } from '@nestjs/common';
import type { FileId, Message, MessageId } from '@parley/contracts';
import type { OrganisationScope } from '@parley/platform/mongo';
import { giveWay } from '@parley/platform/give-way';
import { ShownMessages } from '../../answers/message-search/index.ts';
import {
  depthOf,
  FileReferences,
  isDeleted,
  MessagePaths,
  MessagesRepository,
  OpenPaths,
  ownFieldsOf,
  OwnProjects,
  standingOf,
  type Located,
  type MessageRow,
  type StoredConversation,
  type Viewer,
} from '../../conversations/index.ts';
import { exportedMessage, type ExportedChatHead, type ExportedMessage } from './export-format.ts';

/** Read at once: an answer has at most 200,000 characters, and is stored twice. */
const messagesPerPage = 20;

/** Where the content of each file lies in the archive; what is missing is not in it. */
export type FilePaths = ReadonlyMap<FileId, string>;
const noFiles: FilePaths = new Map();

/** A conversation as one person reads it at this moment. */
export type OpenedChat = {
  readonly head: ExportedChatHead;
  readonly scope: OrganisationScope;
  readonly leaf: Located | null;
  readonly deleted: readonly Located[];
};

/** Reads conversations to be written out, a page of messages at a time. */
@Injectable()
export class ChatReader {
  constructor(
    private readonly messages: MessagesRepository,
    private readonly paths: MessagePaths,
    private readonly open: OpenPaths,
    private readonly shown: ShownMessages,
    private readonly references: FileReferences,
    private readonly projects: OwnProjects,
  ) {}

  /** Opens a conversation that the viewer can see; without a wanted end, the path that they read last. */
  async begin(viewer: Viewer, conversation: StoredConversation, wanted?: MessageId): Promise<OpenedChat> {
    const { scope } = viewer;
    const { leaf } = await this.open.find(viewer, conversation, { leaf: wanted });
    const deleted = conversation.deletions ? await this.paths.deletedRoots(scope, conversation._id) : [];
    const { ownerId, projectId } = conversation;
    const project = projectId ? await this.projects.find(scope, ownerId, projectId) : null;
    return { head: headOf(conversation, { leaf, project }), scope, leaf, deleted };
  }

  /** The files of its messages, each once. */
  async filesOf(chat: OpenedChat): Promise<ReadonlySet<FileId>> {
    const found = new Set<FileId>();
    if (!(await this.references.areIn(chat.scope, chat.head.id))) return found;
    for await (const messages of this.tree(chat))
      for (const { files } of messages) for (const { id } of files) found.add(id);
    return found;
  }

  /** All branches without what was deleted or discarded, in the order of creation. */
  async *tree(chat: OpenedChat, files = noFiles): AsyncGenerator<ExportedMessage[]> {
    const gone = new Set<MessageId>();
    const { scope, head, deleted } = chat;
    for (let after = 0; ;) {
      const rows = await this.messages.pageAfter(scope, head.id, { after, limit: messagesPerPage });
      for (const row of rows) if (isGone(row, { deleted, gone })) gone.add(row._id);
      yield await this.exported(
        scope,
        rows.filter(({ _id }) => !gone.has(_id)),
        files,
      );
      if (rows.length < messagesPerPage) return;
      after = rows.at(-1)!.position;
      await giveWay();
    }
  }

  /** The path to its leaf, from the start. */
  async *path({ scope, head, leaf }: OpenedChat, files = noFiles): AsyncGenerator<ExportedMessage[]> {
    if (!leaf) return;
    for (let from = 1; from <= depthOf(leaf.place); from += messagesPerPage) {
      const range = { leaf, before: from + messagesPerPage, limit: messagesPerPage };
      const rows = await this.paths.page(scope, head.id, range);
      yield await this.exported(
        scope,
        rows.filter((row) => !row.isDiscarded && !row.deletedAt),
        files,
      );
      await giveWay();
    }
  }

  private async exported(
    scope: OrganisationScope,
    rows: readonly MessageRow[],
    files: FilePaths,
  ): Promise<ExportedMessage[]> {
    return (await this.shown.of(scope, rows)).map((message) => toExported(message, files));
  }
}

/** It, or what it follows. */
const isGone = (
  row: MessageRow,
  { deleted, gone }: { deleted: readonly Located[]; gone: ReadonlySet<MessageId> },
): boolean => {
  if (row.isDiscarded || row.deletedAt || (row.parentId && gone.has(row.parentId))) return true;
  const standing = standingOf(row);
  return standing !== null && isDeleted(standing, deleted);
};

type Around = { readonly leaf: Located | null; readonly project: Awaited<ReturnType<OwnProjects['find']>> };

function headOf(conversation: StoredConversation, { leaf, project }: Around): ExportedChatHead {
  const { branchedFrom } = conversation;
  const { isPinned: pinned, isArchived: archived, ...others } = ownFieldsOf(conversation);
  return {
    format: 'parley-chat',
    version: 1,
    id: conversation._id,
    ...others,
    createdAt: conversation.createdAt.toISOString(),
    lastActivityAt: conversation.lastActivityAt.toISOString(),
    pinned,
    archived,
    openMessageId: leaf?._id ?? null,
    ...(project && { project: { id: project._id, name: project.name } }),
    ...(branchedFrom && { branchedFrom: { chatId: branchedFrom.conversationId, messageId: branchedFrom.messageId } }),
  };
}

function toExported(message: Message, paths: FilePaths): ExportedMessage {
  const { id, parentId, role, text, createdAt, author, generation, citations, files = [] } = message;
  const isUnfinished = generation?.status === 'queued' || generation?.status === 'running';
  const state = exportedMessage.shape.state.safeParse(generation?.status).data;
  return {
    id,
    parentId,
    role,
    text,
    createdAt,
    ...(author && { author: { name: author.name } }),
    ...(generation && { model: generation.model.label }),
    ...(generation?.chatbot && { chatbot: generation.chatbot.name }),
    ...(citations.length > 0 && { citations }),
    ...(isUnfinished && { unfinished: true }),
    ...(state && { state }),
    ...(state && generation?.failure && { failure: generation.failure }),
    files: files.map(({ id: fileId, name, mediaType, bytes }) => ({
      id: fileId,
      name,
      mediaType,
      bytes,
      path: paths.get(fileId) ?? null,
    })),
  };
}

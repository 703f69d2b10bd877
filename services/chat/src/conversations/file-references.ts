import { Injectable } from '@nestjs/common';
import type { ConversationId, FileId, MessageFile, MessageId } from '@parley/contracts';
import { Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { draftRows } from './draft.collection.ts';
import { projectRows } from './project.collection.ts';
import { messageRows } from './message.collection.ts';
import { isDeleted, MessagePaths } from './message-paths.ts';
import { rangesOfPath, type Standing } from './message-tree.ts';

/** The most chats that are searched for messages with a file. */
const mostConversations = 100;

/** Returns whether another feature refers to a file. */
export type Refers = (scope: OrganisationScope, fileId: FileId, tx: Transaction) => Promise<boolean>;
/** A question of a path with its files. */
export type FilesOfMessage = { readonly messageId: MessageId; readonly files: readonly MessageFile[] };

/** Finds out if anything refers to a file: messages, drafts, projects, and other features that register here. */
@Injectable()
export class FileReferences {
  private readonly messages: Rows<typeof messageRows>;
  private readonly drafts: Rows<typeof draftRows>;
  private readonly projects: Rows<typeof projectRows>;
  private readonly paths: MessagePaths;
  private readonly others: Refers[] = [];

  constructor(mongo: Mongo) {
    this.messages = mongo.rows(messageRows);
    this.drafts = mongo.rows(draftRows);
    this.projects = mongo.rows(projectRows);
    this.paths = new MessagePaths(mongo);
  }

  /** Registers another feature's check. */
  add(refers: Refers): void {
    this.others.push(refers);
  }

  /** Returns whether a file is referred to. Deleted messages and projects count until they are erased. */
  async has(scope: OrganisationScope, fileId: FileId, tx: Transaction): Promise<boolean> {
    if (await this.messages.within(scope, tx).exists({ 'files.id': fileId })) return true;
    if (await this.drafts.within(scope, tx).exists({ files: fileId })) return true;
    if (await this.projects.within(scope, tx).exists({ files: fileId })) return true;
    for (const refers of this.others) if (await refers(scope, fileId, tx)) return true;
    return false;
  }

  /** Lists the chats of all people that have the file in a message which isn't deleted, nor below a deleted one. */
  async conversationsWith(scope: OrganisationScope, fileId: FileId): Promise<ConversationId[]> {
    const fields = ['conversationId', 'isDiscarded', 'deletedAt', 'place', 'forks'] as const;
    const rows = await this.messages.within(scope).find({ 'files.id': fileId }, { limit: mostConversations, fields });
    const ids = [...new Set(rows.map(({ conversationId }) => conversationId))];
    const roots = new Map(
      await Promise.all(ids.map(async (id) => [id, await this.paths.deletedRoots(scope, id)] as const)),
    );
    const isShown = ({ conversationId, isDiscarded, deletedAt, ...row }: (typeof rows)[number]): boolean =>
      !isDiscarded && !deletedAt && !isDeleted(row, roots.get(conversationId) ?? []);
    return ids.filter((id) => rows.some((row) => row.conversationId === id && isShown(row)));
  }

  /** Returns whether messages of the conversation have files, including deleted messages. */
  areIn(scope: OrganisationScope, conversationId: ConversationId): Promise<boolean> {
    return this.messages.within(scope).exists({ conversationId, 'files.id': { $gt: '' } });
  }

  /** Returns the questions with files on the path from the start of the conversation to a message, newest first. */
  async ofPath(scope: OrganisationScope, conversationId: ConversationId, leaf: Standing): Promise<FilesOfMessage[]> {
    const $or = rangesOfPath(leaf).map((place) => ({ place }));
    const where = { conversationId, 'files.id': { $gt: '' }, $or };
    const rows = await this.messages.within(scope).find(where, { fields: ['files', 'position'] });
    const newestFirst = rows.toSorted((one, other) => other.position - one.position);
    return newestFirst.map(({ _id: messageId, files = [] }) => ({ messageId, files }));
  }

  /** Returns the files of the drafts of a conversation. */
  async ofDrafts(scope: OrganisationScope, conversationId: ConversationId, tx: Transaction): Promise<FileId[]> {
    const rows = await this.drafts.within(scope, tx).find({ conversationId }, { fields: ['files'] });
    return rows.flatMap(({ files = [] }) => files);
  }
}

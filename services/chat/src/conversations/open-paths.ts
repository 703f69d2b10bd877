import { Injectable } from '@nestjs/common';
import type { ConversationId, MessageId } from '@parley/contracts';
import { Problem } from '@parley/protocol';
import type { OrganisationScope } from '@parley/platform/mongo';
import type { Viewer } from './access.ts';
import type { StoredConversation } from './conversation.collection.ts';
import { hasOnePath } from './conversation.ts';
import { isDeleted, MessagePaths, type Located } from './message-paths.ts';
import { depthOf, isOnPath, runOf } from './message-tree.ts';
import { ReadingPlaces } from './reading-places.ts';

/** Either the end of the path, or a message on it. Neither: the viewer's last path. */
export type WantedPath = { readonly leaf?: MessageId | undefined; readonly through?: MessageId | undefined };
/**
 * `leaf` is null without messages. `placeVersion` is the version of the viewer's stored position; 0 if there is none,
 * or if the only path needs none (`isLine`).
 */
export type OpenPath = { readonly leaf: Located | null; readonly placeVersion: number; readonly isLine: boolean };

/** The person who reads the path. */
type Reader = { readonly scope: OrganisationScope; readonly principal: Pick<Viewer['principal'], 'userId'> };

type Where = {
  readonly scope: OrganisationScope;
  readonly conversationId: ConversationId;
  readonly deleted: readonly Located[];
};

/** Decides which path of a conversation a person reads. */
@Injectable()
export class OpenPaths {
  constructor(
    private readonly paths: MessagePaths,
    private readonly reading: ReadingPlaces,
  ) {}

  /** Throws `chat.message-not-found` for a missing or deleted message, or one below a deleted one. */
  async find(reader: Reader, conversation: StoredConversation, wanted: WantedPath): Promise<OpenPath> {
    const line = hasOnePath(conversation) ? await this.inLine(reader, conversation, wanted) : null;
    return line ?? this.inTree(reader, conversation, wanted);
  }

  /**
   * Opens a conversation with one path. Returns null if a message has no place on that path: an older version wrote it,
   * or the chat was just branched.
   */
  private async inLine(
    { scope }: Reader,
    { _id: conversationId }: StoredConversation,
    { leaf, through }: WantedPath,
  ): Promise<OpenPath | null> {
    const wanted = leaf ?? through;
    const [message, end] = await Promise.all([
      wanted ? this.paths.locate(scope, conversationId, wanted) : null,
      leaf ? null : this.paths.endOfLine(scope, conversationId),
    ]);
    if (wanted && (!message || runOf(message.place) !== 1)) return null;
    const found = leaf ? message : end;
    return found && { leaf: found, placeVersion: 0, isLine: true };
  }

  private async inTree(
    { scope, principal: { userId } }: Reader,
    conversation: StoredConversation,
    { leaf, through }: WantedPath,
  ): Promise<OpenPath> {
    const { _id: conversationId } = conversation;
    const own = await this.reading.find(scope, { conversationId, userId });
    const deleted = conversation.deletions ? await this.paths.deletedRoots(scope, conversationId) : [];
    const found = async (id: MessageId): Promise<Located> => {
      const message = await this.paths.locate(scope, conversationId, id);
      if (!message || isDeleted(message, deleted)) throw new Problem('chat.message-not-found');
      return message;
    };
    const open = async (): Promise<Located | null> => {
      if (leaf) return found(leaf);
      const last = own?.leafId ? await this.paths.locate(scope, conversationId, own.leafId) : null;
      const isThere = last !== null && !isDeleted(last, deleted);
      const where = { scope, conversationId, deleted };
      // Chats without branches store no position, or an outdated one: open the newest message below the wanted one.
      if (through) {
        const message = await found(through);
        return this.behind(where, isThere && isOnPath(message, last) ? last : message);
      }
      return this.behind(where, isThere ? last : last && (await this.above(last, where)));
    };
    return { leaf: await open(), placeVersion: own?.version ?? 0, isLine: false };
  }

  /** Returns the nearest message above the deleted part of the path to `last`; null if the first message is deleted. */
  private above(last: Located, { scope, conversationId, deleted }: Where): Promise<Located | null> | null {
    const roots = deleted.filter((root) => isOnPath(root, last));
    const [first] = roots.toSorted((one, other) => depthOf(one.place) - depthOf(other.place));
    return first?.parentId ? this.paths.locate(scope, conversationId, first.parentId) : null;
  }

  /**
   * Finds the newest end of a path through this message, or of all paths (null). Each step goes deeper in the tree, so
   * the search ends even with wrong rows. Throws if a message has no place on the path, as in rows of older versions.
   */
  private async behind(where: Where, message: Located | null): Promise<Located | null> {
    const { scope, conversationId, deleted } = where;
    for (let from = message; ;) {
      const newest = await this.paths.newestBehind(scope, conversationId, { message: from, deleted });
      if (!newest) return from;
      // In conversations of 0.3.0, an answer can be newer than the questions that follow it.
      const [below] = await this.paths.versions(scope, conversationId, { parentIds: [newest._id], leaf: null });
      const next = below?.ids.at(-1);
      if (!next) return newest;
      from = await this.paths.locate(scope, conversationId, next);
      if (!from || depthOf(from.place) <= depthOf(newest.place) || !isOnPath(newest, from))
        throw new Error(`Message ${next} has no place on its path: run \`parley doctor\`.`);
    }
  }
}

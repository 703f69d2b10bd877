import { Injectable } from '@nestjs/common';
import type { MessageFile } from '@parley/contracts';
import { Problem } from '@parley/protocol';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import {
  ConversationsRepository,
  ImportedConversations,
  MessagePaths,
  MessagePlaces,
  OpenPaths,
  ReadingPlaces,
  record,
  runOf,
  type StoredConversation,
} from '../../conversations/index.ts';
import type { Drafted } from './chat-plan.ts';
import type { NewLoss } from './import-losses.ts';
import { importedMessage } from './imported-messages.ts';
import type { Importing } from './new-chats.ts';
import { StoredChats, type Made } from './stored-chats.ts';

type Adding = Pick<Importing, 'row' | 'source' | 'chatbots'> & {
  readonly conversation: StoredConversation;
  readonly files: ReadonlyMap<string, readonly MessageFile[]>;
};

/** Rows that are added to a conversation that people read. */
@Injectable()
export class Additions {
  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly imported: ImportedConversations,
    private readonly paths: MessagePaths,
    private readonly places: MessagePlaces,
    private readonly open: OpenPaths,
    private readonly reading: ReadingPlaces,
    private readonly stored: StoredChats,
  ) {}

  /** Their person goes on reading where they were, whatever is newer then. */
  async keepPlace(scope: OrganisationScope, conversation: StoredConversation): Promise<void> {
    const { _id: conversationId, ownerId: userId } = conversation;
    const { leaf } = await this.open.find({ scope, principal: { userId } }, conversation, {});
    if (leaf) await this.reading.keep(scope, { conversationId, userId, leafId: leaf._id });
  }

  /** Those parents of new messages that are there and were not deleted, with null for the start. */
  async parentsOf(
    scope: OrganisationScope,
    conversation: StoredConversation,
    drafted: readonly Drafted[],
  ): Promise<ReadonlySet<string | null>> {
    const ids = [...new Set(drafted.flatMap(({ parentId }) => parentId ?? []))];
    const shown = await this.paths.shown(scope, conversation, ids);
    return new Set([null, ...shown]);
  }

  /** Each under its parent, in this order; what finds no room there is left out with what follows from it. */
  async place(
    scope: OrganisationScope,
    { row, source, chatbots, conversation: { _id: id, ownerId }, files }: Adding,
    some: readonly Drafted[],
    tx: Transaction,
  ): Promise<{ readonly written: readonly Drafted[]; readonly losses: readonly NewLoss[] }> {
    const grown = await this.imported.grow(scope, { id, visible: { ownerId }, count: some.length }, tx);
    if (!grown) return { written: [], losses: [] };
    let conversation = grown;
    const written: Drafted[] = [];
    const losses: NewLoss[] = [];
    for (const [index, drafted] of some.entries()) {
      const standing = await this.standing(scope, { conversation, drafted }, tx);
      if (!standing) {
        losses.push({ reason: 'too-many-versions', message: drafted.sourceId, name: null });
        continue;
      }
      conversation = { ...conversation, lastRun: Math.max(conversation.lastRun, runOf(standing.place)) };
      const behind = some.length - 1 - index;
      const at = { ...standing, position: grown.lastPosition - behind, sequence: grown.sequence - behind };
      const given = files.get(drafted.id) ?? [];
      const made: Made = importedMessage(drafted, { conversation, by: row, source, at, files: given, chatbots });
      await this.stored.write(scope, { userId: row.userId, made: [made] }, tx);
      written.push(drafted);
    }
    const lastAnswerId = await this.paths.lastAnswer(scope, conversation, tx);
    if (!conversation.running) await this.conversations.setLastAnswer(scope, { id, lastAnswerId }, tx);
    return { written, losses };
  }

  /** Tabs that have it open read what is new. */
  async tell(scope: OrganisationScope, { _id }: StoredConversation, tx: Transaction): Promise<void> {
    const conversation = await this.conversations.find(scope, _id, tx);
    if (conversation && !conversation.isDeleted) record(tx, conversation, 'renamed');
  }

  /** Null where its parent has no room for it, or is not there. */
  private async standing(
    scope: OrganisationScope,
    { conversation, drafted }: { conversation: StoredConversation; drafted: Drafted },
    tx: Transaction,
  ) {
    try {
      return (await this.places.under(scope, { conversation, parentId: drafted.parentId }, tx)).standing;
    } catch (error) {
      const codes = ['chat.too-many-versions', 'chat.message-not-found'];
      if (error instanceof Problem && codes.includes(error.code)) return null;
      throw error;
    }
  }
}

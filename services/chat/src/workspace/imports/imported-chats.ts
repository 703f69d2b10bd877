import { Injectable } from '@nestjs/common';
import type { ReadChat } from '@parley/chat-exports';
import { conversationId, messageId, type ConversationId, type ImportSource } from '@parley/contracts';
import { Mongo, toBinary, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { apartFromClients, derivedId } from '@parley/platform/ids';
import type { UserId } from '@parley/protocol';
import { hash } from 'node:crypto';
import { ConversationsRepository, type StoredConversation } from '../../conversations/index.ts';
import { messageIdOf } from './chat-plan.ts';
import { importedChatRows, type ImportedChatRow } from './import.collection.ts';

export type Whose = { readonly userId: UserId; readonly source: ImportSource };

/**
 * What a chat of an export is here. `new`: it is not there, as the `round`th import of it. `unfinished`: its writing was
 * cut off. `grown`: some of its messages are not here. `deleted`: it was imported and then deleted.
 */
export type ChatState =
  | { readonly kind: 'new' | 'deleted'; readonly round: number }
  | { readonly kind: 'unfinished'; readonly round: number; readonly conversation: StoredConversation }
  | { readonly kind: 'known' }
  | {
      readonly kind: 'grown';
      readonly row: ImportedChatRow;
      readonly conversation: StoredConversation;
      readonly isNew: (messageId: string) => boolean;
    };

const hashBytes = 8;
const hashOf = (sourceId: string): Buffer => hash('sha256', sourceId, 'buffer').subarray(0, hashBytes);
const keyOf = ({ orgId }: OrganisationScope, { userId, source }: Whose, chat: string): string =>
  hash('sha256', JSON.stringify([orgId, userId, source, chat]), 'hex').slice(0, 40);

/** The conversation that a chat of a source becomes: an id that no client can name. */
export const conversationIdOf = (
  { orgId }: OrganisationScope,
  { userId, source }: Whose,
  { chat, round }: { readonly chat: string; readonly round: number },
): ConversationId => apartFromClients(derivedId('conversation', ['import', orgId, userId, source, chat, round]));

/** Knows which chats of other products a person has imported. */
@Injectable()
export class ImportedChats {
  private readonly rows: Rows<typeof importedChatRows>;

  constructor(
    mongo: Mongo,
    private readonly conversations: ConversationsRepository,
  ) {
    this.rows = mongo.rows(importedChatRows);
  }

  async stateOf(scope: OrganisationScope, whose: Whose, chat: ReadChat): Promise<ChatState> {
    const row = await this.rows.within(scope).findById(keyOf(scope, whose, chat.sourceId));
    if (!row) return whose.source === 'parley' ? this.ownState(scope, whose, chat) : { kind: 'new', round: 0 };
    const conversation = await this.conversations.find(scope, row.conversationId);
    if (!conversation) return { kind: 'new', round: row.round + 1 };
    if (conversation.isCopying)
      return conversation.erasure === 'waiting'
        ? { kind: 'unfinished', round: row.round, conversation }
        : { kind: 'new', round: row.round + 1 };
    if (conversation.isDeleted) return { kind: 'deleted', round: row.round + 1 };
    const known = hashesIn(row);
    const isNew = (messageId: string): boolean => !known.has(hashOf(messageId).toString('latin1'));
    if (!chat.messages.some(({ sourceId }) => isNew(sourceId))) return { kind: 'known' };
    return { kind: 'grown', row, conversation, isNew };
  }

  /** In the transaction that begins its conversation. */
  async begin(
    scope: OrganisationScope,
    whose: Whose,
    { chat, id, round }: { readonly chat: string; readonly id: ConversationId; readonly round: number },
    tx: Transaction,
  ): Promise<void> {
    const { userId, source } = whose;
    const set = { conversationId: id, round, messages: toBinary(Buffer.alloc(0)) };
    await this.rows.within(scope, tx).upsert({ _id: keyOf(scope, whose, chat), userId }, { $set: { source, ...set } });
  }

  /** In the transaction in which these messages are there. */
  async note(
    scope: OrganisationScope,
    whose: Whose,
    {
      chat,
      messages,
      before,
    }: { readonly chat: string; readonly messages: readonly string[]; readonly before?: Buffer },
    tx: Transaction,
  ): Promise<Buffer> {
    const all = Buffer.concat([...(before ? [before] : []), ...messages.map(hashOf)]);
    await this.rows.within(scope, tx).update({ _id: keyOf(scope, whose, chat) }, { $set: { messages: toBinary(all) } });
    return all;
  }

  /** Which conversations these chats have become; none for one that isn't finished, or is deleted. */
  async conversationsOf(
    scope: OrganisationScope,
    whose: Whose,
    chats: readonly string[],
  ): Promise<ReadonlyMap<string, ConversationId>> {
    const byKey = new Map(chats.map((chat) => [keyOf(scope, whose, chat), chat]));
    const rows = await this.rows
      .within(scope)
      .find({ _id: { $in: [...byKey.keys()] } }, { fields: ['conversationId'] });
    const ids = rows.map((row) => row.conversationId);
    const shown = await this.conversations.findMany(scope, { ownerId: whose.userId }, ids);
    const there = new Set(shown.map(({ _id }) => _id));
    return new Map(
      rows.filter((row) => there.has(row.conversationId)).map((row) => [byKey.get(row._id)!, row.conversationId]),
    );
  }

  /** Returns where the message that a chat was branched off at is here, or will be once its chat is imported. */
  async originOf(
    scope: OrganisationScope,
    whose: Whose,
    { chatId, messageId: source }: NonNullable<ReadChat['branchedFrom']>,
  ): Promise<StoredConversation['branchedFrom']> {
    const row = await this.rows.within(scope).findById(keyOf(scope, whose, chatId));
    const own = row ? null : conversationId.safeParse(chatId).data;
    const here = own ? await this.conversations.find(scope, own) : null;
    if (here?.ownerId === whose.userId) {
      const id = messageId.safeParse(source).data;
      return id && { conversationId: here._id, messageId: id };
    }
    const conversation = row?.conversationId ?? conversationIdOf(scope, whose, { chat: chatId, round: 0 });
    return { conversationId: conversation, messageId: messageIdOf({ conversation, former: new Set() }, source) };
  }

  /** A conversation that was exported here: whatever the export has of it was here, so what is missing was deleted. */
  private async ownState(scope: OrganisationScope, { userId }: Whose, chat: ReadChat): Promise<ChatState> {
    const id = conversationId.safeParse(chat.sourceId).data;
    const conversation = id ? await this.conversations.find(scope, id) : null;
    if (conversation?.ownerId !== userId) return { kind: 'new', round: 0 };
    return conversation.isDeleted ? { kind: 'deleted', round: 0 } : { kind: 'known' };
  }
}

/** The bytes of the row's hashes. */
export const bytesOf = ({ messages }: Pick<ImportedChatRow, 'messages'>): Buffer => Buffer.from(messages.buffer);

function hashesIn(row: ImportedChatRow): ReadonlySet<string> {
  const bytes = bytesOf(row);
  const hashes = new Set<string>();
  for (let at = 0; at < bytes.length; at += hashBytes) hashes.add(bytes.toString('latin1', at, at + hashBytes));
  return hashes;
}

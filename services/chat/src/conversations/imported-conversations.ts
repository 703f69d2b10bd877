import { Injectable } from '@nestjs/common';
import type { ConversationId, ImportId } from '@parley/contracts';
import { Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { conversationRows, type StoredConversation } from './conversation.collection.ts';
import { eraseChat, erasingOf } from './erasing-jobs.ts';
import type { Visible } from './conversations.repository.ts';

/** Changes conversations of an import. */
@Injectable()
export class ImportedConversations {
  private readonly rows: Rows<typeof conversationRows>;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(conversationRows);
  }

  /**
   * Postpones the erasure of a conversation that is still being written. Returns null if the erasure has begun, or the
   * conversation is complete.
   */
  async keepCopying(
    scope: OrganisationScope,
    { id, eraseAt }: { readonly id: ConversationId; readonly eraseAt: Date },
    tx: Transaction,
  ): Promise<StoredConversation | null> {
    const hidden = { _id: id, isCopying: true, erasure: 'waiting' } as const;
    const row = await this.rows.within(scope, tx).change(hidden, { $set: { eraseAt } });
    if (row) tx.queue(eraseChat, erasingOf(row), { at: eraseAt });
    return row;
  }

  /** Counts the chats of this import that aren't deleted, archived or not. */
  count(scope: OrganisationScope, { ownerId }: Visible, importId: ImportId): Promise<number> {
    return this.rows.within(scope).count({ ownerId, 'imported.importId': importId, isDeleted: false });
  }

  /** Returns some chats of this import: those that exist, or those that were deleted with the whole import. */
  some(
    scope: OrganisationScope,
    { ownerId, importId, are, limit }: Visible & { importId: ImportId; are: 'there' | 'deleted'; limit: number },
    tx: Transaction,
  ): Promise<StoredConversation[]> {
    const brought = { ownerId, 'imported.importId': importId };
    const where = are === 'there' ? { ...brought, isDeleted: false } : { ...brought, 'imported.isDeleted': true };
    return this.rows.within(scope, tx).find(where, { limit });
  }

  /** Stores whether a conversation was deleted with its whole import. */
  async mark(
    scope: OrganisationScope,
    { _id, imported, isDeleted }: Pick<StoredConversation, '_id' | 'imported'> & { readonly isDeleted: boolean },
    tx: Transaction,
  ): Promise<void> {
    if (imported) await this.rows.within(scope, tx).update({ _id }, { $set: { imported: { ...imported, isDeleted } } });
  }

  /**
   * Takes sequences and positions for messages that an import adds; null if the conversation is deleted or can't be
   * seen.
   */
  grow(
    scope: OrganisationScope,
    { visible, id, count }: { readonly visible: Visible; readonly id: ConversationId; readonly count: number },
    tx: Transaction,
  ): Promise<StoredConversation | null> {
    const change = { $inc: { sequence: count, lastPosition: count } };
    return this.rows.within(scope, tx).change({ _id: id, ...visible, isDeleted: false }, change);
  }
}

import { Injectable } from '@nestjs/common';
import type { ConversationId, MessageId } from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import { Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { readingPlaceRows } from './reading-place.collection.ts';

type Whose = { readonly conversationId: ConversationId; readonly userId: UserId };
export type ReadingPlace = { readonly leafId: MessageId | null; readonly version: number };

const idOf = ({ conversationId, userId }: Whose): string => `${conversationId}/${userId}`;

/** Stores the reading position of each person in each conversation. */
@Injectable()
export class ReadingPlaces {
  private readonly rows: Rows<typeof readingPlaceRows>;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(readingPlaceRows);
  }

  /** Returns null if the person has stored no path of their own. */
  async find(scope: OrganisationScope, whose: Whose, tx?: Transaction): Promise<ReadingPlace | null> {
    return this.rows.within(scope, tx).findById(idOf(whose));
  }

  /** Moves a person there from any position, because they have just sent a question. */
  async keep(
    scope: OrganisationScope,
    { conversationId, userId, leafId }: Whose & { leafId: MessageId },
    tx?: Transaction,
  ): Promise<void> {
    const _id = idOf({ conversationId, userId });
    await this.rows
      .within(scope, tx)
      .later.upsert({ _id, userId }, { $set: { leafId }, $inc: { version: 1 }, $setOnInsert: { conversationId } });
  }

  /** Moves a person; returns null if the position has changed since that version (0: there was none). */
  async move(
    scope: OrganisationScope,
    { leafId, version, ...whose }: Whose & { readonly leafId: MessageId; readonly version: number },
    tx: Transaction,
  ): Promise<ReadingPlace | null> {
    const rows = this.rows.within(scope, tx);
    const moved = await rows.change({ _id: idOf(whose), version }, { $set: { leafId }, $inc: { version: 1 } });
    if (moved || version > 0 || (await rows.findById(idOf(whose)))) return moved;
    const first = { _id: idOf(whose), orgId: scope.orgId, ...whose, leafId, version: 1 };
    await rows.insert(first);
    return first;
  }
}

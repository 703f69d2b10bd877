import { Injectable } from '@nestjs/common';
import { conversationMarked, type ConversationId, type markManyConversations } from '@parley/contracts';
import { Mongo, type Rows } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import type { ResponseOf } from '@parley/protocol';
import { addressOf, ConversationAccess, visibleTo, type Viewer } from './access.ts';
import { isUnread } from './conversation.ts';
import { conversationRows, type StoredConversation } from './conversation.collection.ts';

type Input = InputOf<typeof markManyConversations>;
type Marks = Omit<Input['body'], 'conversationIds'>;
type Result = ResponseOf<typeof markManyConversations>['results'][number];

/** Pins and archives conversations, and marks them as unread. */
@Injectable()
export class ConversationMarks {
  private readonly rows: Rows<typeof conversationRows>;

  constructor(
    mongo: Mongo,
    private readonly access: ConversationAccess,
    private readonly work: Work,
  ) {
    this.rows = mongo.rows(conversationRows);
  }

  async markMany(input: Input): Promise<ResponseOf<typeof markManyConversations>> {
    const { conversationIds, ...marks } = input.body;
    const results: Result[] = [];
    for (const conversationId of new Set(conversationIds)) {
      const isThere = await this.mark(input, conversationId, marks);
      results.push({ conversationId, code: isThere ? null : 'chat.conversation-not-found' });
    }
    return { results };
  }

  /**
   * Marks a conversation; returns false if the viewer can't see it. Keeps the version, so that a person who is renaming
   * it meets no conflict.
   */
  private async mark(viewer: Viewer, id: ConversationId, wanted: Marks): Promise<boolean> {
    const known = await this.access.find(viewer, id);
    if (!known || known.isDeleted) return false;
    const { isPinned, isArchived } = marked(known, wanted);
    const answersSeen = seen(known, wanted);
    const isSame = isPinned === (known.isPinned ?? false) && isArchived === (known.isArchived ?? null);
    if (isSame && answersSeen === undefined) return true;
    return this.work.run(viewer.principal, async (tx) => {
      const mine = { _id: id, ...visibleTo(viewer), isDeleted: false };
      const set = { isPinned, isArchived, ...(answersSeen !== undefined && { answersSeen }) };
      const change = { $set: set, $inc: { sequence: 1 } };
      const row = await this.rows.within(viewer.scope, tx).change(mine, change);
      if (!row) return false;
      const data = { ...addressOf(row), pinned: isPinned, archived: isArchived !== null };
      tx.record(conversationMarked, data, { sequence: row.sequence });
      return true;
    });
  }
}

/** Returns the new marks: pinning takes a conversation out of the archive, and archiving unpins it. */
function marked({ isPinned = false, isArchived = null }: StoredConversation, { pinned, archived }: Marks) {
  const isAway = archived ?? (pinned ? false : isArchived !== null);
  return { isPinned: isAway ? false : (pinned ?? isPinned), isArchived: isAway ? (true as const) : null };
}

/** Returns how many answers the person has seen after the change; undefined if this number doesn't change. */
function seen(conversation: StoredConversation, { unread = isUnread(conversation) }: Marks): number | undefined {
  const { answersEnded = 0 } = conversation;
  if (unread === isUnread(conversation) || answersEnded === 0) return undefined;
  return unread ? answersEnded - 1 : answersEnded;
}

import { Injectable } from '@nestjs/common';
import type { ConversationId } from '@parley/contracts';
import { jobScope, Mongo } from '@parley/platform/mongo';
import { isMigrated } from '@parley/platform/schema';
import { ConversationsRepository } from './conversations.repository.ts';
import { MessagePlaces } from './message-places.ts';
import { growTree, messageTree } from './message-tree-migration.ts';
import { MessagesRepository } from './messages.repository.ts';
import { isTree } from './standings.ts';

const scope = jobScope('doctor looks at trees');
const conversationsAtOnce = 100;

/**
 * Runs the part of `parley doctor` about message trees: corrects places that don't match the messages' parents, and
 * counts deletions again.
 */
@Injectable()
export class MessageTrees {
  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly messages: MessagesRepository,
    private readonly places: MessagePlaces,
    private readonly mongo: Mongo,
  ) {}

  /**
   * Checks each conversation, one by one. `mended`: those with a wrong place or count, and those that an older version
   * began after the migration. Before the migration, ignores conversations without places.
   */
  async mend(): Promise<{ readonly looked: number; readonly mended: readonly ConversationId[] }> {
    const mended: ConversationId[] = [];
    let looked = 0;
    const areLinesGrown = await isMigrated(this.mongo, messageTree.name);
    for (let last: ConversationId | null = null; ;) {
      const some = await this.conversations.after(scope, last, conversationsAtOnce);
      for (const conversation of some) {
        if ((conversation as { lastRun?: number }).lastRun === undefined) {
          if (!areLinesGrown) continue;
          await growTree(this.mongo, conversation);
          mended.push(conversation._id);
          continue;
        }
        const messages = await this.messages.toPlace(scope.in(conversation.orgId), conversation._id);
        const deletions = messages.filter(({ deletedAt }) => deletedAt).length;
        const isCounted = deletions === (conversation.deletions ?? 0);
        if (isTree(messages, conversation.lastRun) && isCounted) continue;
        await this.places.placeAnew(scope.in(conversation.orgId), conversation._id);
        mended.push(conversation._id);
      }
      looked += some.length;
      last = some.at(-1)?._id ?? null;
      if (some.length < conversationsAtOnce) return { looked, mended };
    }
  }
}

import { Injectable } from '@nestjs/common';
import { Problem } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { jobScope, Mongo } from '@parley/platform/mongo';
import { migratedAt } from '@parley/platform/schema';
import { Platform } from '@parley/platform/service';
import { conversationRows } from './conversation.collection.ts';
import { messageTree } from './message-tree-migration.ts';

/** A rolling update has replaced all processes by then. */
const replacedMs = 60 * 60_000;
const scope = jobScope('whether branches may be made');

/**
 * Whether conversations may have branches. Processes up to 0.2.0 show all messages as one line, so none are made while
 * some of them may be there still (ADR 0042).
 */
@Injectable()
export class BranchesOpen {
  private isOpen = false;

  constructor(
    private readonly mongo: Mongo,
    private readonly platform: Platform,
    private readonly clock: Clock,
  ) {}

  /** 503 `chat.update-unfinished` while they may not, unless what is asked makes none: `isLine` looks at that. */
  async assert(isLine: () => Promise<boolean>): Promise<void> {
    this.isOpen ||= this.platform.isAlone || (await this.areOthersGone());
    if (!this.isOpen && !(await isLine())) throw new Problem('chat.update-unfinished');
  }

  private async areOthersGone(): Promise<boolean> {
    const doneAt = await migratedAt(this.mongo, messageTree.name);
    if (!doneAt) return false;
    if (this.clock.now().getTime() - doneAt.getTime() >= replacedMs) return true;
    // Nobody has used it before: there were no other processes.
    const [oldest] = await this.mongo
      .rows(conversationRows)
      .within(scope)
      .find({}, { sort: { _id: 1 }, limit: 1, fields: ['createdAt'] });
    return !oldest || oldest.createdAt >= doneAt;
  }
}

import { Injectable } from '@nestjs/common';
import { Clock } from '@parley/platform/clock';
import { goOn, type GoesOn, type JobInput, type JobRun, type JobRunner } from '@parley/platform/jobs';
import { jobScope, type Transaction } from '@parley/platform/mongo';
import { job, Work } from '@parley/platform/work';
import {
  ConversationsRepository,
  ConversationsService,
  messageEraseAt,
  MessagesRepository,
  type eraseMessage,
  standingOf,
  type MessageRow,
} from '../../conversations/index.ts';
import { GenerationsRepository } from '../generations/index.ts';
import { fittingCount, messagesPerBatch } from './conversation-eraser.ts';
import { inBatches } from './in-batches.ts';

const erasing = job('erases deleted messages');
const scope = jobScope('erasing deleted messages');
type Input = JobInput<typeof eraseMessage>;

/**
 * Erases a deleted message with everything below it 7 days after the deletion, deepest messages first, so that a killed
 * job can continue anywhere. Usage stays, as for a deleted chat (ADR 0034).
 */
@Injectable()
export class MessageEraser implements JobRunner<Input> {
  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly conversationsService: ConversationsService,
    private readonly messages: MessagesRepository,
    private readonly generations: GenerationsRepository,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  async run({ orgId, conversationId, messageId: id }: Input, run: JobRun): Promise<GoesOn | void> {
    const root = await this.messages.find(scope.in(orgId), { conversationId, id });
    const eraseAt = root && messageEraseAt(root);
    if (!eraseAt) return;
    if (eraseAt > this.clock.now()) return goOn(eraseAt);
    return inBatches(run, () => this.eraseSome(root));
  }

  /**
   * Erases one batch of the messages below a deleted one, then the deleted message itself; returns true if nothing is
   * left.
   */
  async eraseSome({ _id: id, conversationId, orgId }: MessageRow): Promise<boolean> {
    return this.work.run(erasing, async (tx) => {
      // Another process can have erased the message meanwhile.
      const root = await this.messages.find(scope.in(orgId), { conversationId, id }, tx);
      if (!root) return true;
      if (await this.isMoreToEnd(root, tx)) return false;
      const message = standingOf(root);
      const wanted = message && { conversationId, message, limit: messagesPerBatch };
      const found = wanted ? await this.messages.someBelow(scope, wanted, tx) : [];
      const batch = found.length > 0 ? found.slice(0, fittingCount(found)) : [root];
      const generationIds = batch.flatMap(({ generationId }) => generationId ?? []);
      await this.generations.forgetText(scope, generationIds, tx);
      await this.conversationsService.erased(scope.in(orgId), { messages: batch, conversationId: null }, tx);
      const ids = batch.map(({ _id }) => _id);
      await this.messages.delete(scope, ids, tx);
      const count = batch.filter(({ deletedAt }) => deletedAt).length;
      if (count > 0) await this.conversations.forgetDeletions(scope, { id: conversationId, count }, tx);
      return found.length === 0;
    });
  }

  /**
   * Runs the steps that other features registered for deletions, in case messages came below the deleted one later, or
   * the deletion was interrupted. Returns true if steps are left.
   */
  private async isMoreToEnd(root: MessageRow, tx: Transaction): Promise<boolean> {
    const { _id, conversationId, orgId, parentId, role, generationId } = root;
    const standing = standingOf(root);
    const conversation = await this.conversations.find(scope.in(orgId), conversationId, tx);
    if (!standing || !conversation) return false;
    const located = { _id, parentId, role, generationId, ...standing };
    return this.conversationsService.end(scope.in(orgId), { conversation, root: located }, tx);
  }
}

import { Injectable } from '@nestjs/common';
import type { branchConversation, Conversation, ConversationId } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem } from '@parley/protocol';
import {
  ConversationAccess,
  ConversationsRepository,
  copyOf,
  MessagePaths,
  OpenPaths,
  ownedBy,
  ProjectAccess,
  ReadingPlaces,
  record,
  toConversation,
  type StoredConversation,
} from '../../conversations/index.ts';
import { keepDeletedMs } from '../../keep-deleted.ts';
import { copyPlan } from './copy-plan.ts';
import { MessageCopies } from './message-copies.ts';

/** Messages that one transaction copies, each with its answer's generation and search keys (ADR 0032). */
const messagesPerBatch = 20;

type Input = InputOf<typeof branchConversation>;
type Plan = ReturnType<typeof copyPlan>;

/**
 * Branches to a new chat: copies messages in small transactions into a conversation that stays hidden until it is
 * complete. A repeated call continues an interrupted copy; Parley erases a copy that no call continues like a deleted
 * chat.
 */
@Injectable()
export class BranchingService {
  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly access: ConversationAccess,
    private readonly paths: MessagePaths,
    private readonly open: OpenPaths,
    private readonly reading: ReadingPlaces,
    private readonly copies: MessageCopies,
    private readonly projects: ProjectAccess,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  async branch(input: Input): Promise<Conversation> {
    const { scope, principal, params, body } = input;
    const source = await this.access.read(input, params.conversationId);
    const plan = await this.plan(input, source);
    const copy = await this.begin(input, { source, plan });
    if (!copy.isCopying) return toConversation(copy);
    for (let from = 0; from < plan.messages.length; from += messagesPerBatch)
      await this.copies.make(input, { source, copy, some: plan.messages.slice(from, from + messagesPerBatch) });
    const finished = await this.work.run(principal, async (tx) => {
      const end = {
        id: copy._id,
        lastAnswerId: await this.paths.lastAnswer(scope, copy, tx),
        lastActivityAt: this.clock.now(),
      };
      const shown = await this.conversations.finishCopy(scope, end, tx);
      if (!shown) return null;
      await this.reading.keep(scope, { conversationId: copy._id, userId: principal.userId, leafId: plan.leafId }, tx);
      record(tx, shown, 'created');
      return shown;
    });
    return toConversation(finished ?? (await this.access.read(input, body.id)));
  }

  private async plan(input: Input, source: StoredConversation): Promise<Plan> {
    const { scope, body } = input;
    const { leaf } = await this.open.find(input, source, { leaf: body.messageId });
    if (!leaf) throw new Problem('chat.message-not-found');
    const runningId = source.running?.answerId ?? null;
    if (runningId === leaf._id) throw new Problem('chat.generation-running', { detail: 'Wait for the answer first.' });
    const deleted = source.deletions ? await this.paths.deletedRoots(scope, source._id) : [];
    const wanted = { to: body.id, leaf, copies: body.copies, deleted, runningId };
    return copyPlan(await this.paths.all(scope, source._id), wanted);
  }

  /** Returns the new hidden conversation, or the one that an earlier call created. */
  private async begin(
    input: Input,
    { source, plan: { messages, lastRun } }: { source: StoredConversation; plan: Plan },
  ): Promise<StoredConversation> {
    const { scope, principal, body } = input;
    const known = await this.access.find(input, body.id);
    if (known) return sameCopy(known, input);
    const now = this.clock.now();
    const copy: StoredConversation = {
      _id: body.id,
      orgId: scope.orgId,
      ...ownedBy(input),
      ...copyOf(source),
      ...(source.chatbotId && { chatbotId: source.chatbotId }),
      sequence: messages.length + 1,
      lastPosition: messages.length,
      lastRun,
      lastAnswerId: null,
      branchedFrom: { conversationId: source._id, messageId: body.messageId },
      isCopying: true,
      running: null,
      isDeleted: true,
      deletedAt: now,
      erasure: 'waiting',
      eraseAt: new Date(now.getTime() + keepDeletedMs),
      createdAt: now,
      lastActivityAt: now,
      version: 1,
    };
    return this.work.run(principal, async (tx) => {
      const projectId = source.projectId && (await this.projects.letInIfThere(input, source.projectId, tx));
      const created = { ...copy, ...(projectId && { projectId }) };
      await this.conversations.create(scope, created, tx);
      return created;
    });
  }
}

/**
 * Returns the conversation that an earlier call created for this request. Throws a conflict if the id is in use for
 * anything else.
 */
function sameCopy(known: StoredConversation, { params, body }: Input): StoredConversation {
  const isSame = (id: ConversationId | undefined) => id === params.conversationId;
  if (isSame(known.branchedFrom?.conversationId) && known.branchedFrom?.messageId === body.messageId) return known;
  throw new Problem('platform.conflict', { detail: 'An id was used for something else.' });
}

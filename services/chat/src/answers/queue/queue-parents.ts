import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { MessageId } from '@parley/contracts';
import { Problem } from '@parley/protocol';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import {
  ConversationsService,
  DraftsService,
  isDeleted,
  isOnPath,
  MessagePaths,
  MessagesRepository,
  QueueMarks,
  recordQueue,
  type Located,
  type StoredConversation,
} from '../../conversations/index.ts';
import { AnswerAgain, type Replacing } from '../generations/index.ts';
import { QueueRepository } from './queue.repository.ts';
import type { QueuedRow } from './queued-question.collection.ts';
import { hangingUnder, type Wish } from './queued-question.ts';

type Adding = { readonly conversation: StoredConversation; readonly behind: readonly QueuedRow[]; readonly wish: Wish };

/** Checks the parents of queued questions. Moves or removes queued questions when their parent is removed. */
@Injectable()
export class QueueParents implements OnModuleInit {
  constructor(
    private readonly queue: QueueRepository,
    private readonly marks: QueueMarks,
    private readonly conversations: ConversationsService,
    private readonly answering: AnswerAgain,
    private readonly drafts: DraftsService,
    private readonly messages: MessagesRepository,
    private readonly paths: MessagePaths,
  ) {}

  onModuleInit(): void {
    this.conversations.whenDeleted({
      record: async (scope, { conversation, root }, tx) => {
        if (conversation.queued) await this.letGo(scope, { conversation, root }, tx);
        return false;
      },
      apply: () => undefined,
    });
    this.answering.whenReplacing((scope, replacing, tx) => this.follow(scope, replacing, tx));
  }

  /**
   * Throws for a request that would be refused on its turn. A question can follow any message, also an answer that runs
   * or waits. A request to answer again, or to continue an answer, needs an existing question or answer.
   */
  async assert(scope: OrganisationScope, { conversation, behind, wish }: Adding, tx: Transaction): Promise<void> {
    const { _id: conversationId, running } = conversation;
    const deleted = conversation.deletions ? await this.paths.deletedRoots(scope, conversationId, tx) : [];
    const there = async (id: MessageId, role?: Located['role']): Promise<Located> => {
      const message = await this.paths.locate(scope, conversationId, id, tx);
      if (message && (!role || message.role === role) && !isDeleted(message, deleted)) return message;
      throw new Problem('chat.message-not-found');
    };
    if (wish.kind === 'question') {
      const { parentId } = wish;
      if (parentId && !behind.some(({ answerId }) => answerId === parentId)) await there(parentId);
      return;
    }
    await there(wish.parentId, 'person');
    if (!wish.continues) return;
    if (wish.continues === running?.answerId)
      throw new Problem('chat.generation-running', { detail: 'It goes on by itself.' });
    const { parentId } = await there(wish.continues, 'assistant');
    if (parentId !== wish.parentId) throw new Problem('chat.message-not-found');
  }

  /** Returns the new parent for questions that follow a withdrawn question. */
  async instead(
    scope: OrganisationScope,
    { kind, conversationId, parentId, continues }: QueuedRow,
    tx: Transaction,
  ): Promise<MessageId | null> {
    if (kind === 'question' || continues) return continues ?? parentId;
    const question = await this.messages.find(scope, { conversationId, id: parentId! }, tx);
    const answers = question ? await this.messages.answersOf(scope, question, tx) : [];
    return answers.findLast(({ deletedAt }) => !deletedAt)?._id ?? question?._id ?? null;
  }

  /** Moves questions that follow the last answer below the answer that replaces it. */
  private async follow(
    scope: OrganisationScope,
    { conversation, question, answerId }: Replacing,
    tx: Transaction,
  ): Promise<void> {
    const { _id: conversationId, lastAnswerId: from } = conversation;
    const last = from ? await this.messages.find(scope, { conversationId, id: from }, tx) : null;
    if (last?.parentId !== question._id) return;
    await this.queue.move(scope, { conversationId, from: last._id, to: answerId }, tx);
    recordQueue(tx, conversation);
  }

  /**
   * Returns questions that follow a deleted message to their person's draft; for a deleted conversation, all questions.
   */
  private async letGo(
    scope: OrganisationScope,
    { conversation, root }: { conversation: StoredConversation; root: Located | null },
    tx: Transaction,
  ): Promise<void> {
    const { _id: conversationId } = conversation;
    const rows = await this.queue.list(scope, conversationId, tx);
    const gone = root ? hangingUnder(rows, await this.isUnder(scope, { root, conversationId, rows }, tx)) : rows;
    const [first] = gone;
    if (!first) return;
    await this.queue.remove(scope, gone, tx);
    await this.marks.remove(scope, { id: conversationId, count: gone.length }, tx);
    recordQueue(tx, conversation);
    const texts = gone.map(({ text }) => text).filter((text) => text !== '');
    const files = gone.flatMap((row) => (row.files ?? []).map(({ id }) => id));
    await this.drafts.giveBack(scope, { userId: first.author.userId, conversationId, texts, files }, tx);
  }

  private async isUnder(
    scope: OrganisationScope,
    { root, conversationId, rows }: Pick<QueuedRow, 'conversationId'> & { root: Located; rows: readonly QueuedRow[] },
    tx: Transaction,
  ): Promise<(id: MessageId) => boolean> {
    const ids = rows.flatMap(({ parentId, continues }) => [parentId, continues]).filter((id) => id !== null);
    const found = await this.paths.locateAll(scope, { conversationId, ids }, tx);
    const under = new Set(found.filter((message) => isOnPath(root, message)).map(({ _id }) => _id));
    return (id) => under.has(id);
  }
}

import { Injectable } from '@nestjs/common';
import {
  messageChanged,
  type ConversationId,
  type discardMessage,
  type Message,
  type MessageId,
} from '@parley/contracts';
import type { Transaction } from '@parley/platform/mongo';
import { Work } from '@parley/platform/work';
import { Problem, type BodyOf } from '@parley/protocol';
import {
  addressOf,
  ConversationAccess,
  ConversationsRepository,
  ConversationsService,
  MessagePaths,
  MessagesRepository,
  searchKeysOf,
  visibleTo,
  type MessageRow,
  type Viewer,
} from '../../../conversations/index.ts';
import { isUnsent } from '../rows/generation.ts';
import { GenerationsRepository } from '../rows/generations.repository.ts';
import { toMessage } from '../rows/message-view.ts';

type Wish = { readonly conversationId: ConversationId; readonly messageId: MessageId } & BodyOf<typeof discardMessage>;

/** Discards a question that was never sent to a model, and restores it. */
@Injectable()
export class DiscardMessage {
  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly access: ConversationAccess,
    private readonly messages: MessagesRepository,
    private readonly generations: GenerationsRepository,
    private readonly keeping: ConversationsService,
    private readonly paths: MessagePaths,
    private readonly work: Work,
  ) {}

  async discard(viewer: Viewer, wish: Wish): Promise<Message> {
    await this.access.read(viewer, wish.conversationId);
    const row = await this.work.run(viewer.principal, (tx) => this.change(viewer, wish, tx));
    return toMessage(row, null);
  }

  private async change(viewer: Viewer, wish: Wish, tx: Transaction): Promise<MessageRow> {
    const { scope } = viewer;
    const { conversationId, messageId, isDiscarded } = wish;
    const question = await this.messages.find(scope, { conversationId, id: messageId }, tx);
    if (question?.role !== 'person') throw new Problem('chat.message-not-found');
    if ((question.isDiscarded ?? false) === isDiscarded) return question;
    const taken = { visible: visibleTo(viewer), id: conversationId, deletions: isDiscarded ? 1 : -1 };
    const conversation = await this.conversations.recordMessage(scope, taken, tx);
    if (!conversation) throw new Problem('chat.generation-running', { detail: 'Wait for the answer first.' });
    await this.assertUnsent(viewer, question, tx);
    const { sequence } = conversation;
    const keys = isDiscarded ? [] : searchKeysOf(question);
    const deletedAt = isDiscarded ? tx.now : null;
    const deletedBy = isDiscarded ? viewer.principal.userId : null;
    const change = { id: messageId, isDiscarded, deletedAt, deletedBy, sequence, searchKeys: keys };
    const changed = await this.messages.setDiscarded(scope, change, tx);
    if (!changed) throw new Problem('chat.message-not-found');
    const hasQueue = isDiscarded && conversation.queued;
    const root = hasQueue ? await this.paths.locate(scope, conversationId, messageId, tx) : null;
    if (root) await this.keeping.end(scope, { conversation, root }, tx);
    const told = { ...addressOf(conversation), messageId } as const;
    tx.record(messageChanged, { ...told, change: isDiscarded ? 'discarded' : 'restored' }, { sequence });
    return changed;
  }

  private async assertUnsent({ scope }: Viewer, question: MessageRow, tx: Transaction): Promise<void> {
    const answers = await this.messages.answersOf(scope, question, tx);
    const ids = answers.flatMap(({ generationId }) => generationId ?? []);
    if (!isUnsent(await this.generations.findMany(scope, ids)))
      throw new Problem('platform.conflict', { detail: 'A model was asked this question: it stays.' });
  }
}

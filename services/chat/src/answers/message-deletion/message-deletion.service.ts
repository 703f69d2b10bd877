import { Injectable } from '@nestjs/common';
import {
  messageDeleted,
  messageRestored,
  type ConversationId,
  type DeletedMessage,
  type deleteMessage,
  type listDeletedMessages,
  type MessageId,
  type restoreMessage,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import {
  addressOf,
  ConversationAccess,
  ConversationsRepository,
  ConversationsService,
  isDeleted,
  MessagePaths,
  MessagesRepository,
  OpenPaths,
  visibleTo,
  type Located,
  type MessageRow,
  type StoredConversation,
  type Viewer,
} from '../../conversations/index.ts';
import { keepDeletedMs } from '../../keep-deleted.ts';

const mostListed = 100;
const shownCharacters = 300;

type Which = { readonly conversationId: ConversationId; readonly messageId: MessageId };

/** Deletes a message with everything below it by marking only that message, and restores it. */
@Injectable()
export class MessageDeletionService {
  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly keeping: ConversationsService,
    private readonly access: ConversationAccess,
    private readonly messages: MessagesRepository,
    private readonly paths: MessagePaths,
    private readonly open: OpenPaths,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  async list(input: InputOf<typeof listDeletedMessages>): Promise<ResponseOf<typeof listDeletedMessages>> {
    const { _id: conversationId, deletions } = await this.access.read(input, input.params.conversationId);
    if (!deletions) return { items: [] };
    const since = new Date(this.clock.now().getTime() - keepDeletedMs);
    const rows = await this.messages.deletedIn(input.scope, { conversationId, since, limit: mostListed });
    return { items: rows.filter(({ isDiscarded }) => !isDiscarded).map(toDeleted) };
  }

  async delete(input: InputOf<typeof deleteMessage>): Promise<ResponseOf<typeof deleteMessage>> {
    const root = await this.find(input, input.params);
    let isMore = false;
    const deleted = await this.work.run(input.principal, async (tx) => {
      const conversation = await this.change(input, { root, deletedAt: this.clock.now() }, tx);
      if (!conversation) return null;
      isMore = await this.keeping.end(input.scope, { conversation, root }, tx);
      return conversation;
    });
    if (deleted) this.keeping.applyEnd();
    // A repeated call for a deleted message finishes the work of an interrupted one.
    const conversation = deleted ?? (await this.access.read(input, input.params.conversationId));
    isMore ||= !deleted;
    while (isMore)
      isMore = await this.work.run(input.principal, (tx) => this.keeping.end(input.scope, { conversation, root }, tx));
    return { leafId: await this.leafOf(input, {}) };
  }

  async restore(input: InputOf<typeof restoreMessage>): Promise<ResponseOf<typeof restoreMessage>> {
    const root = await this.find(input, input.params);
    await this.work.run(input.principal, (tx) => this.change(input, { root, deletedAt: null }, tx));
    return { leafId: await this.leafOf(input, { through: root._id }) };
  }

  /** Throws `chat.message-not-found` also for a message below another deleted one. */
  private async find(viewer: Viewer, { conversationId, messageId }: Which): Promise<Located> {
    const conversation = await this.access.read(viewer, conversationId);
    const message = await this.paths.locate(viewer.scope, conversationId, messageId);
    const roots = conversation.deletions ? await this.paths.deletedRoots(viewer.scope, conversationId) : [];
    const others = roots.filter(({ _id }) => _id !== messageId);
    if (!message || isDeleted(message, others)) throw new Problem('chat.message-not-found');
    return message;
  }

  /** Returns null if the message is already deleted, or already restored. */
  private async change(
    viewer: Viewer & { readonly params: Which },
    { root, deletedAt }: { root: Located; deletedAt: Date | null },
    tx: Transaction,
  ): Promise<StoredConversation | null> {
    const { scope, params } = viewer;
    const wanted = { visible: visibleTo(viewer), id: params.conversationId, by: deletedAt ? 1 : -1 } as const;
    const current = await this.messages.find(scope, { conversationId: params.conversationId, id: root._id }, tx);
    if (!current || Boolean(current.deletedAt) === Boolean(deletedAt)) return null;
    if (current.deletedAt && current.deletedAt.getTime() + keepDeletedMs <= this.clock.now().getTime())
      throw new Problem('chat.message-not-found', { detail: 'It was deleted 7 days ago.' });
    const conversation = await this.conversations.changeDeletions(scope, wanted, tx);
    if (!conversation) throw new Problem('chat.conversation-not-found');
    const { _id: id, sequence } = conversation;
    const deletedBy = deletedAt && viewer.principal.userId;
    if (!(await this.messages.setDeleted(scope, { id: root._id, deletedAt, deletedBy, sequence }, tx)))
      throw new Problem('platform.conflict', { detail: 'It was changed at the same time.' });
    const lastAnswerId = await this.paths.lastAnswer(scope, conversation, tx);
    if (!conversation.running) await this.conversations.setLastAnswer(scope, { id, lastAnswerId }, tx);
    const told = { ...addressOf(conversation), messageId: root._id };
    tx.record(deletedAt ? messageDeleted : messageRestored, told, { sequence });
    return conversation;
  }

  private async leafOf(viewer: Viewer & { readonly params: Which }, wanted: { through?: MessageId }) {
    const conversation = await this.access.read(viewer, viewer.params.conversationId);
    return (await this.open.find(viewer, conversation, wanted)).leaf?._id ?? null;
  }
}

function toDeleted({ _id: id, role, text, deletedAt, createdAt }: MessageRow): DeletedMessage {
  const at = deletedAt ?? createdAt;
  const eraseAt = new Date(at.getTime() + keepDeletedMs);
  return {
    id,
    role,
    text: text.slice(0, shownCharacters),
    deletedAt: at.toISOString(),
    eraseAt: eraseAt.toISOString(),
  };
}

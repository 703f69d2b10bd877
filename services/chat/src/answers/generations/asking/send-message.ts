import { Injectable } from '@nestjs/common';
import {
  clientIdOf,
  messageCreated,
  type Accepted,
  type ConversationId,
  type MessageFile,
  type Model,
  type sendMessage,
} from '@parley/contracts';
import type { Transaction } from '@parley/platform/mongo';
import { Problem, type BodyOf } from '@parley/protocol';
import {
  addressOf,
  ConversationAccess,
  ConversationsRepository,
  endOfLine,
  firstStanding,
  MessagePaths,
  MessagePlaces,
  next,
  ownedBy,
  ProjectAccess,
  record,
  searchKeysOf,
  searchScopeOf,
  titleFrom,
  toConversation,
  visibleTo,
  type NewMessage,
  type StoredConversation,
  type Viewer,
} from '../../../conversations/index.ts';
import { FileUses } from '../../../knowledge/files/index.ts';
import { toMessage } from '../rows/message-view.ts';
import { AskInChat, assertTurn, type Decided, type Taking } from './ask-in-chat.ts';

type Question = { readonly conversationId: ConversationId } & BodyOf<typeof sendMessage> & Taking;

const newConversationId = clientIdOf('conversation');
/** The sequences that a new question takes: one for itself and one for its answer. */
const sequencesTaken = 2;

/** Asks a new question after a message of a conversation. Creates the conversation if it doesn't exist yet. */
@Injectable()
export class SendMessage {
  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly access: ConversationAccess,
    private readonly paths: MessagePaths,
    private readonly places: MessagePlaces,
    private readonly asking: AskInChat,
    private readonly uses: FileUses,
    private readonly projects: ProjectAccess,
  ) {}

  /** Idempotent: repeating the call with the same ids returns the stored rows and stores nothing. */
  async send(viewer: Viewer, question: Question): Promise<Accepted> {
    const { files = [] } = question;
    const asked = await this.asking.ask(viewer, {
      ...question,
      questionId: question.messageId,
      continued: null,
      ...(files.length > 0 && { attach: (model: Model) => this.uses.resolve(viewer, { asked: files, model }) }),
      decide: (tx, given) => this.decide(viewer, { question, ...given }, tx),
    });
    return {
      message: toMessage(asked.question, null),
      answer: toMessage(asked.answer, asked.generation),
      conversation: toConversation(asked.conversation),
    };
  }

  private async decide(
    viewer: Viewer,
    { question: asked, now, files }: { question: Question; now: Date; files: readonly MessageFile[] },
    tx: Transaction,
  ): Promise<Decided> {
    const { scope, principal } = viewer;
    await asked.take?.(tx);
    await this.uses.hold(scope, { userId: principal.userId, ids: files.map(({ id }) => id) }, tx);
    const title = titleFrom(asked.text === '' ? (files[0]?.name ?? '') : asked.text);
    const conversation = await this.begin(viewer, { question: asked, title, now }, tx);
    const { parentId, standing, before } = await this.place(viewer, { asked, conversation }, tx);
    const question: NewMessage = {
      _id: asked.messageId,
      orgId: scope.orgId,
      conversationId: asked.conversationId,
      position: conversation.lastPosition - 1,
      sequence: conversation.sequence - 1,
      role: 'person',
      text: asked.text,
      createdAt: now,
      author: { userId: principal.userId, name: principal.name },
      parentId,
      ...standing,
      generationId: null,
      ...(files.length > 0 && { files: [...files] }),
      searchScope: searchScopeOf(conversation),
      searchKeys: searchKeysOf({ role: 'person', text: asked.text, files: [...files] }),
    };
    const told = { ...addressOf(conversation), messageId: question._id, authorId: principal.userId };
    tx.record(messageCreated, told, { sequence: question.sequence });
    return { conversation, question, added: [question], standing: next(standing), before };
  }

  /**
   * Returns the question's parent, and its position in the tree. Without a named parent, the question follows the end
   * of the conversation, read as having one branch.
   */
  private async place(
    { scope }: Viewer,
    { asked: { parentId: wanted }, conversation }: { asked: Question; conversation: StoredConversation },
    tx: Transaction,
  ) {
    const isNew = conversation.lastPosition === sequencesTaken;
    const end = endOfLine(conversation, sequencesTaken);
    if (end && (wanted === undefined || wanted === end._id))
      return { parentId: end._id, standing: next(end), before: end };
    const parentId =
      wanted === undefined && !isNew ? await this.paths.lineEnd(scope, conversation, tx) : (wanted ?? null);
    if (isNew && parentId === null) return { parentId, standing: firstStanding, before: null };
    const { standing, parent: before } = await this.places.under(scope, { conversation, parentId }, tx);
    return { parentId, standing, before };
  }

  private async begin(
    viewer: Viewer,
    { question, title, now }: { question: Question; title: string; now: Date },
    tx: Transaction,
  ): Promise<StoredConversation> {
    const { scope } = viewer;
    const id = question.conversationId;
    const running = { generationId: question.generationId, answerId: question.answerId };
    const begin = { id, sequences: sequencesTaken, positions: 2, running, now };
    const begun = await this.conversations.beginAnswer(scope, { visible: visibleTo(viewer), begin }, tx);
    if (begun) {
      assertTurn(begun, question);
      return begun;
    }
    const found = await this.access.find(viewer, id, tx);
    if (found?.isDeleted) throw new Problem('chat.conversation-not-found', { detail: 'The conversation was deleted.' });
    if (found) throw new Problem('chat.generation-running', { detail: 'Wait for the answer, or stop it first.' });
    // Ids of imports and trials come from the server, so clients can't create conversations with them.
    if (!newConversationId.safeParse(id).success) throw new Problem('chat.conversation-not-found');
    const { projectId } = question;
    if (projectId) await this.projects.letIn(viewer, projectId, tx);
    const created: StoredConversation = {
      _id: id,
      orgId: scope.orgId,
      ...ownedBy(viewer),
      title,
      titling: 'open',
      sequence: 3,
      lastPosition: 2,
      lastAnswerId: null,
      lastRun: 1,
      ...(projectId && { projectId }),
      running,
      isDeleted: false,
      deletedAt: null,
      createdAt: now,
      lastActivityAt: now,
      version: 1,
    };
    await this.conversations.create(scope, created, tx);
    record(tx, { ...created, sequence: 1 }, 'created');
    return created;
  }
}

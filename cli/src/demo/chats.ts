import type {
  AskedFile,
  ChatbotId,
  Conversation,
  ConversationId,
  MessageId,
  ModelKey,
  ProjectId,
} from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { Browser } from './browser.ts';
import type { DemoChat, DemoRating, DemoTurn } from './content/content.ts';
import type { MovingClock } from './moving-clock.ts';
import { until, type Organisation } from './organisation.ts';
import type { SeededModel } from './seeded-model.ts';

const minuteMs = 60_000;
type Scene = { readonly organisation: Organisation; readonly model: SeededModel; readonly clock: MovingClock };
type Asked = { readonly browser: Browser; readonly conversationId: ConversationId };
type Of = { readonly chatbotId?: ChatbotId; readonly model?: ModelKey };
type AskedAgain = Of & { readonly parentId: MessageId };
type Question = {
  readonly text: string;
  readonly parentId: MessageId | null;
  readonly more: Of & { readonly projectId?: ProjectId; readonly files: AskedFile[] };
};

/** Has people ask and rate, with the answers of the content. */
export class Chats {
  /** Counts the written answers. */
  answers = 0;

  constructor(private readonly scene: Scene) {}

  async play(chat: DemoChat, model?: ModelKey): Promise<void> {
    const browser = await this.scene.organisation.browserOf(chat.by);
    const asked = { browser, conversationId: newId('conversation') };
    let last: MessageId | null = null;
    for (const turn of chat.turns) {
      if (last) this.scene.clock.pass(2 * minuteMs);
      last = await this.turn(asked, { chat, turn, parentId: last, model });
    }
    const { conversationId } = asked;
    const params = { conversationId };
    const { version, sequence } = await this.ended(asked);
    if (!chat.isUnread)
      await browser.call('PUT /api/chat/conversations/:conversationId/read', { params, body: { sequence } });
    if (chat.title !== undefined)
      await browser.call('PATCH /api/chat/conversations/:conversationId', {
        params,
        body: { version, title: chat.title },
      });
    if (chat.isPinned)
      await browser.call('PUT /api/chat/conversation-marks', {
        body: { conversationIds: [conversationId], pinned: true },
      });
  }

  /** The owner tries chatbots in the studio. */
  async tryChatbots(): Promise<void> {
    const { organisation, model } = this.scene;
    const { owner, content } = organisation;
    for (const { name, tried } of content.chatbots) {
      if (!tried) continue;
      const params = { chatbotId: organisation.chatbots.get(name)! };
      for (const [version, answer] of [
        [null, tried.draft],
        [1, tried.published],
      ] as const) {
        const id = newId('trial');
        model.answer = answer;
        const body = { id, question: tried.question, version };
        await owner.call('POST /api/chat/chatbot-drafts/:chatbotId/trials', { params, body });
        await until(async () => {
          const { status } = await owner.call('GET /api/chat/trials/:trialId', { params: { trialId: id } });
          return status === 'done' ? true : null;
        });
      }
    }
  }

  /** Returns the answer that the next question follows. */
  private async turn(
    asked: Asked,
    {
      chat,
      turn,
      parentId,
      model,
    }: { chat: DemoChat; turn: DemoTurn; parentId: MessageId | null; model: ModelKey | undefined },
  ): Promise<MessageId> {
    const { chatbot, project } = chat;
    const of = this.askedOf({ chatbot, model });
    const projectId =
      project === undefined ? {} : { projectId: this.scene.organisation.projects.get(`${chat.by}/${project}`)! };
    const files = turn.file
      ? [{ id: await this.scene.organisation.attach(asked.browser, turn.file), use: 'auto' as const }]
      : [];
    const more = { ...of, ...projectId, files };
    const first = await this.ask(asked, { text: turn.ask, parentId, more }, turn.answer);
    if (turn.rated) await this.rate(asked, first.answerId, turn.rated);
    if (turn.again !== undefined) return this.askAgain(asked, { parentId: first.messageId, ...of }, turn.again);
    if (!turn.edited) return first.answerId;
    this.scene.clock.pass(minuteMs);
    const edited = await this.ask(asked, { text: turn.edited.ask, parentId, more }, turn.edited.answer);
    return edited.answerId;
  }

  /** A chat without a chatbot asks the organisation's default one. */
  private askedOf({ chatbot, model }: { chatbot: string | undefined; model: ModelKey | undefined }) {
    const chatbotId = chatbot === undefined ? undefined : this.scene.organisation.chatbots.get(chatbot);
    return { ...(chatbotId && { chatbotId }), ...(model && { model }) };
  }

  private async ask(asked: Asked, { text, parentId, more }: Question, answer: string) {
    const { browser, conversationId } = asked;
    const [messageId, answerId] = [newId('message'), newId('message')];
    this.scene.model.answer = answer;
    await browser.call('POST /api/chat/conversations/:conversationId/messages', {
      params: { conversationId },
      body: { messageId, answerId, generationId: newId('generation'), text, parentId, ...more },
    });
    await this.ended(asked);
    this.answers += 1;
    return { messageId, answerId };
  }

  private async askAgain(asked: Asked, body: AskedAgain, answer: string): Promise<MessageId> {
    const { browser, conversationId } = asked;
    const answerId = newId('message');
    this.scene.clock.pass(minuteMs / 2);
    this.scene.model.answer = answer;
    await browser.call('POST /api/chat/conversations/:conversationId/answers', {
      params: { conversationId },
      body: { ...body, answerId, generationId: newId('generation') },
    });
    await this.ended(asked);
    this.answers += 1;
    return answerId;
  }

  private async ended({ browser, conversationId }: Asked): Promise<Conversation> {
    const params = { conversationId };
    return until(async () => {
      const conversation = await browser.call('GET /api/chat/conversations/:conversationId', { params });
      return conversation.running ? null : conversation;
    });
  }

  /** The owner reads it later, and answers where the content says what. */
  private async rate({ browser, conversationId }: Asked, messageId: MessageId, rated: DemoRating): Promise<void> {
    const { rating, reasons = [], comment = '', reply } = rated;
    const { id: feedbackId } = await browser.call(
      'PUT /api/chat/conversations/:conversationId/messages/:messageId/feedback',
      { params: { conversationId, messageId }, body: { rating, reasons, comment, messages: 2 } },
    );
    if (reply === undefined) return;
    const { owner } = this.scene.organisation;
    this.scene.clock.pass(40 * minuteMs);
    await owner.wake();
    const { revision } = await owner.call('GET /api/chat/feedback/:feedbackId', { params: { feedbackId } });
    const fixed = await owner.call('PATCH /api/chat/feedback/:feedbackId', {
      params: { feedbackId },
      body: { revision, state: 'fixed' },
    });
    await owner.call('PUT /api/chat/feedback/:feedbackId/reply', {
      params: { feedbackId },
      body: { revision: fixed.revision, text: reply },
    });
  }
}

import type {
  ConversationChangedMessage,
  ConversationId,
  ConversationOpen,
  GenerationFrame,
  Message,
  MessageId,
  OpenAck,
} from '@parley/contracts';
import {
  applyChanges,
  applyChangesAndPath,
  applyFrames,
  applyMessages,
  applyNewestPage,
  applyOlderPage,
  emptyConversation,
  expectAnswer,
  leafOf,
  needsFetch,
  needsReopen,
  runningAnswer,
  streamToFollow,
  visibleText,
  type ConversationStreamState,
} from '@parley/frontend/conversation-stream';
import { isRunning, newAnswer, type PathPage } from '@parley/frontend/conversation-path';
import { RefusedCall, type LiveSocket, type ParleyClient } from '@parley/testing/client';
import type { Evidence } from './evidence.ts';
import { within } from './product.ts';
import { pause, readAnswer } from './world.ts';

const pageSize = 50;
const changesSize = 100;
const ackTimeoutMs = 5_000;
const callTimeoutMs = 10_000;
const animationFrameMs = 16;
const retryDelayMs = 400;
const endFetchDelaysMs = [0, 300, 1_000, 3_000, 8_000];

type PathQuery = Parameters<ParleyClient['path']>[1];

/**
 * One conversation in one tab: the frontend's reducer, driven by socket and HTTP in the way the frontend's hook drives
 * it.
 */
export class FollowedConversation {
  state: ConversationStreamState;
  private readonly parts: {
    readonly client: ParleyClient;
    readonly evidence: Evidence;
    readonly socket: () => LiveSocket | null;
  };
  private frames: GenerationFrame[] = [];
  private flushing: NodeJS.Timeout | null = null;
  private catching: Promise<void> | null = null;
  private isWantedAgain = false;
  private furthest = 0;
  private asked: string | null = null;
  /** Counts reloads: what an earlier page has asked for is not for this one. */
  private page = 0;
  private isLoaded = false;

  constructor(id: ConversationId, parts: FollowedConversation['parts']) {
    this.parts = parts;
    this.state = emptyConversation(id);
  }

  private get isKnown(): boolean {
    return this.state.sequence > 0 || this.state.messages.length > 0;
  }

  /** Names the path that is read: another device may have moved the person's place. */
  private get leaf(): { leaf?: MessageId } {
    const leaf = leafOf(this.state);
    return leaf ? { leaf } : {};
  }

  message(id: MessageId): Message | undefined {
    return this.state.messages.find((message) => message.id === id);
  }

  /** The page is gone; a new one knows nothing. */
  forget(): void {
    this.page += 1;
    if (this.flushing) clearTimeout(this.flushing);
    this.flushing = null;
    this.frames = [];
    this.asked = null;
    this.isLoaded = false;
    this.state = emptyConversation(this.state.conversationId);
  }

  /** After each connect: what is not known is loaded, then the room is joined. */
  async connected(): Promise<void> {
    if (!this.isLoaded || !this.isKnown) await this.load();
    if (this.isKnown) await this.open();
  }

  /** The server said yes to a question or a retry of this tab. */
  async accept(items: readonly Message[]): Promise<void> {
    const wasKnown = this.isKnown;
    this.state = applyMessages(this.state, items);
    if (!wasKnown) await this.openUntilLetIn();
  }

  /** Takes the first token also when it comes before its message. */
  expect(answer: NonNullable<ConversationStreamState['expected']>): void {
    this.state = expectAnswer(this.state, answer);
  }

  changed(message: ConversationChangedMessage): void {
    if (!this.isKnown) return void this.connected().catch(() => undefined);
    if (message.sequence > this.state.sequence)
      void this.catchUp(message.sequence).then(
        () => this.followRunning(),
        () => undefined,
      );
  }

  take(frame: GenerationFrame): void {
    this.frames.push(frame);
    this.flushing ??= setTimeout(() => this.flush(), animationFrameMs);
  }

  async loadAllOlder(): Promise<void> {
    for (let first = this.state.messages[0]; first && this.state.hasOlder; first = this.state.messages[0]) {
      const older = await this.fetch({ ...this.leaf, before: first.depth, limit: pageSize });
      this.state = applyOlderPage(this.state, older);
    }
  }

  /** Calls that come while one is under way share one more run, unless that one brought what they want. */
  private catchUp(wanted = Number.POSITIVE_INFINITY): Promise<void> {
    this.furthest = Math.max(this.furthest, wanted);
    if (this.catching) this.isWantedAgain = true;
    this.catching ??= this.fetchChanges().finally(() => {
      this.catching = null;
    });
    return this.catching;
  }

  /**
   * Tries as long as the page is connected: who gave up would show an answer as running for ever. A connect does the
   * rest.
   */
  private async fetchChanges(): Promise<void> {
    let hasMore: boolean;
    do {
      hasMore = false;
      this.isWantedAgain = false;
      this.furthest = 0;
      const { page } = this;
      const { leaf } = this.leaf;
      const changes = await this.fetchWhileConnected({ ...this.leaf, after: this.state.sequence, limit: changesSize });
      const next = changes && newAnswer(this.state.messages, this.state.versions, changes);
      // Goes on to an answer that another tab requested again.
      const path = next && (await this.fetchWhileConnected({ through: next, limit: pageSize }));
      if (!changes || (next && !path) || page !== this.page) continue;
      // An answer that was accepted meanwhile has made the path longer: of that one they are asked for again.
      const isOfOther = leaf !== this.leaf.leaf;
      hasMore = isOfOther || changes.hasNewer === true;
      if (isOfOther) continue;
      this.state = path ? applyChangesAndPath(this.state, changes, path) : applyChanges(this.state, changes);
    } while (hasMore || (this.isWantedAgain && this.furthest > this.state.sequence));
  }

  private async fetchWhileConnected(query: PathQuery): Promise<PathPage | null> {
    for (;;) {
      try {
        return await this.fetch(query);
      } catch (error) {
        this.parts.evidence.refuse(error instanceof RefusedCall ? `fetch: ${error.problem.code}` : 'fetch: no answer');
        await pause(retryDelayMs);
        if (!this.parts.socket()?.connected) return null;
      }
    }
  }

  private async load(): Promise<void> {
    const { page } = this;
    try {
      const newest = await this.fetch({ limit: pageSize });
      if (page !== this.page) return;
      this.state = applyNewestPage(this.state, newest);
    } catch (error) {
      if (!(error instanceof RefusedCall && error.problem.code === 'chat.conversation-not-found')) throw error;
    }
    this.isLoaded = page === this.page;
  }

  /** Retries to open while the page is connected: right after a start, the server may refuse for a moment. */
  private async openUntilLetIn(): Promise<void> {
    do {
      try {
        return await this.open();
      } catch {
        await pause(retryDelayMs);
      }
    } while (this.parts.socket()?.connected);
  }

  private async open(): Promise<void> {
    const { page } = this;
    const ack = await this.ask({ conversationId: this.state.conversationId, stream: streamToFollow(this.state) });
    if (!ack || page !== this.page) return;
    if (!ack.ok) throw new Error(ack.problem.code);
    if (
      (ack.sequence ?? 0) > this.state.sequence ||
      (this.state.stream && ack.generationId !== this.state.stream.generationId)
    )
      await this.catchUp();
  }

  private async ask(request: ConversationOpen): Promise<OpenAck | null> {
    const socket = this.parts.socket();
    if (!socket?.connected) return null;
    const ack = await (
      socket.timeout(ackTimeoutMs).emitWithAck('conversation.open', request) as Promise<OpenAck>
    ).catch(() => null);
    if (ack && !ack.ok) this.parts.evidence.refuse(`open: ${ack.problem.code}`);
    return ack;
  }

  private followRunning(): void {
    const running = runningAnswer(this.state);
    const generation = running?.generation;
    if (!running || !generation || generation.id === this.asked || this.state.stream?.generationId === generation.id)
      return;
    this.asked = generation.id;
    void this.ask({
      conversationId: this.state.conversationId,
      stream: { generationId: generation.id, epoch: 0, seq: 0 },
    });
  }

  private flush(): void {
    this.flushing = null;
    const frames = this.frames;
    this.frames = [];
    this.state = applyFrames(this.state, frames);
    this.checkVisible();
    if (needsReopen(this.state)) void this.open().catch(() => undefined);
    if (needsFetch(this.state)) void this.fetchEnd();
  }

  /** What a person sees while an answer grows is always a beginning of one call's text. */
  private checkVisible(): void {
    const answer = this.state.stream && this.message(this.state.stream.answerId);
    if (!answer) return;
    const { text } = visibleText(this.state, answer);
    if (text !== '' && readAnswer(text)?.isPiece !== true)
      this.parts.evidence.note('doubled', `${answer.id} shows a text with a hole or a repetition: …${text.slice(-60)}`);
  }

  private async fetchEnd(): Promise<void> {
    const { page } = this;
    for (const delayMs of endFetchDelaysMs) {
      await pause(delayMs);
      if (page !== this.page || !needsFetch(this.state)) return;
      await this.catchUp();
    }
  }

  private fetch(query: PathQuery): Promise<PathPage> {
    const { client } = this.parts;
    return within(callTimeoutMs, 'a page of messages should come', client.path(this.state.conversationId, query));
  }
}

export const isFinal = (message: Message | undefined): boolean =>
  message !== undefined && message.generation !== null && !isRunning(message);

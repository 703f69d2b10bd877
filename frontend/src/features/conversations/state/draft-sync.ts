import type { Draft, MessageId } from '@parley/contracts';
import { isPassing, isProblem } from '../../../lib/http.ts';
import { isOfChat, type Drafts, type LocalDraft, type Where } from './drafts.ts';
import { longestQuestion } from './question-limits.ts';

type Options = {
  readonly drafts: Drafts;
  readonly read: (where: Where) => Promise<Draft>;
  readonly save: (where: Where, draft: LocalDraft) => Promise<Draft>;
  /** The question is still on its way, or was refused and waits for its person. */
  readonly isSending: (messageId: MessageId) => boolean;
  /** The first question of that chat is on its way: until it is accepted, the server can't keep a draft of it. */
  readonly isBeginning: (where: Where) => boolean;
};

const typingPauseMs = 800;
const retryMs = 15_000;

/** Keeps drafts the same here and on the server: one request at a time for each, and none per keystroke. */
export class DraftSync {
  readonly #options: Options;
  readonly #busy = new Set<Where>();
  readonly #timers = new Map<Where, ReturnType<typeof setTimeout>>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** The draft is looked at: brings what other devices wrote, or saves what they don't know yet. */
  async refresh(where: Where): Promise<void> {
    const { drafts, read } = this.#options;
    const { writer, sent } = drafts.read(where);
    if (writer !== null || sent !== null) return this.save(where);
    await this.#alone(where, async () => drafts.found(where, await read(where)));
  }

  /** Saves it after a pause in which nothing else is typed. */
  saveSoon(where: Where, delayMs = typingPauseMs): void {
    clearTimeout(this.#timers.get(where));
    this.#timers.set(
      where,
      setTimeout(() => void this.save(where), delayMs),
    );
  }

  /** Everything that is unsaved, such as after an outage or from an earlier page; asked again it does no harm. */
  saveAll = (): void => {
    for (const where of this.#options.drafts.unsaved()) void this.save(where);
  };

  async save(where: Where): Promise<void> {
    const { drafts, isSending, isBeginning } = this.#options;
    clearTimeout(this.#timers.get(where));
    if (isBeginning(where)) return;
    const { sent } = drafts.read(where);
    if (sent !== null && !isSending(sent)) drafts.settle(where);
    const { writer, text } = drafts.read(where);
    if (writer === null || text.length > longestQuestion) return;
    await this.#alone(where, async () => {
      const draft = drafts.read(where);
      drafts.saved(where, draft, await this.#options.save(where, draft));
    });
  }

  /** What fails for now is tried again later; what is refused waits for the next word, or for the chat to be opened. */
  async #alone(where: Where, step: () => Promise<void>): Promise<void> {
    if (this.#busy.has(where)) return;
    this.#busy.add(where);
    try {
      await step();
      if (this.#options.drafts.read(where).writer !== null) this.saveSoon(where);
    } catch (error) {
      const { drafts } = this.#options;
      if (isOfChat(where) && isProblem(error, 'chat.conversation-not-found')) drafts.drop(where);
      else if (isPassing(error) || isProblem(error, 'platform.rate-limited') || isProblem(error, 'platform.conflict'))
        this.saveSoon(where, retryMs);
      else if (!isProblem(error)) globalThis.reportError?.(error);
    } finally {
      this.#busy.delete(where);
    }
  }
}

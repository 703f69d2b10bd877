import type { Draft, MessageId } from '@parley/contracts';
import { isPassing, isProblem } from '../../../lib/http.ts';
import { isOfChat, type Drafts, type LocalDraft, type Where } from './drafts.ts';
import { longestQuestion } from './question-limits.ts';

type Options = {
  readonly drafts: Drafts;
  readonly read: (where: Where) => Promise<Draft>;
  readonly save: (where: Where, draft: LocalDraft) => Promise<Draft>;
  /** Returns true while this question is being sent, or was refused and waits for the person to retry or edit it. */
  readonly isSending: (messageId: MessageId) => boolean;
  /**
   * Returns true while the chat's first question is being sent: until the server accepts it, the server can't store a
   * draft.
   */
  readonly isBeginning: (where: Where) => boolean;
};

const typingPauseMs = 800;
const retryMs = 15_000;

/** Syncs drafts with the server: one request at a time for each draft, and none per keystroke. */
export class DraftSync {
  readonly #options: Options;
  readonly #busy = new Set<Where>();
  readonly #timers = new Map<Where, ReturnType<typeof setTimeout>>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Call it when a draft is opened. Loads text of other devices, or saves text that the server lacks. */
  async refresh(where: Where): Promise<void> {
    const { drafts, read } = this.#options;
    const { writer, sent } = drafts.read(where);
    if (writer !== null || sent !== null) return this.save(where);
    await this.#alone(where, async () => drafts.found(where, await read(where)));
  }

  /** Saves the draft after a pause without typing. */
  saveSoon(where: Where, delayMs = typingPauseMs): void {
    clearTimeout(this.#timers.get(where));
    this.#timers.set(
      where,
      setTimeout(() => void this.save(where), delayMs),
    );
  }

  /** Saves all drafts with unsaved changes, for example after an outage or from an earlier page. Idempotent. */
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

  /**
   * Runs one step at a time per draft. Retries later after a temporary error; a refused draft is saved again after the
   * next keystroke, or when the chat opens.
   */
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

import type { ConversationId, MessageFile, MessageId } from '@parley/contracts';
import type { ProblemDetails } from '@parley/protocol';
import { NetworkError, ProblemError, type Call } from '../../../lib/http.ts';

type SendRoute = 'POST /api/chat/conversations/:conversationId/messages';
/** A request to ask. The page makes all ids, so that repeating the request is harmless. */
export type Question = { conversationId: ConversationId } & Call<SendRoute>['body'];

/** A question that the server hasn't acknowledged yet. It stays in storage until then, whatever happens to the page. */
export type PendingSend = Question & {
  createdAt: string;
  /** The question's files, shown until the server has reported them. */
  attached?: readonly MessageFile[];
  /** True if the question waits in its chat's queue for its turn. */
  isQueued?: boolean;
  /** Why the question was refused for good; then it waits for the person. */
  refusal?: ProblemDetails;
};

export type SendStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;
type Options = {
  /** One person and organisation, so that other people at this browser never send these questions. */
  owner: string;
  storage: SendStorage;
  /** Sends a question; throws until the server has acknowledged it. */
  post: (send: PendingSend) => Promise<void>;
  onUnauthenticated: () => void;
};

const retryDelaysMs = [1000, 2000, 4000, 8000, 15_000];

/**
 * Sends questions in order per conversation, and repeats each until it is acknowledged. Repeating is harmless, because
 * the page makes the ids.
 */
export class PendingSends {
  readonly #options: Options;
  #items: readonly PendingSend[];
  readonly #inFlight = new Set<ConversationId>();
  readonly #timers = new Map<ConversationId, ReturnType<typeof setTimeout>>();
  readonly #failures = new Map<ConversationId, number>();
  readonly #watchers = new Set<() => void>();
  #isClosed = false;

  constructor(options: Options) {
    this.#options = options;
    this.#items = this.#load();
  }

  get items(): readonly PendingSend[] {
    return this.#items;
  }

  watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /** Tries all waiting questions, after a reload, a reconnect or coming back online. */
  retryAll = (): void => {
    this.#failures.clear();
    for (const id of new Set(this.#items.map((item) => item.conversationId))) void this.#attempt(id);
  };

  add(send: PendingSend): void {
    this.#store(send);
    this.#set([...this.#items, send]);
    void this.#attempt(send.conversationId);
  }

  /** Takes a question back before it was sent, and returns it for the composer. */
  withdraw(messageId: MessageId): PendingSend | undefined {
    const item = this.#items.find((candidate) => candidate.messageId === messageId);
    if (item) this.#forget(item);
    return item;
  }

  /**
   * Sends a refused question again. The question follows `end` if the message before it is gone, and has no project if
   * its project is gone.
   */
  retryRefused(messageId: MessageId, end: MessageId | null): void {
    const item = this.#items.find((candidate) => candidate.messageId === messageId);
    if (!item) return;
    const { refusal, projectId, ...refused } = item;
    const again = {
      ...refused,
      ...(refusal?.code === 'chat.message-not-found' && { parentId: end }),
      ...(projectId && !refusal?.code.startsWith('chat.project-') && { projectId }),
    };
    this.#store(again);
    this.#set(this.#items.map((candidate) => (candidate === item ? again : candidate)));
    void this.#attempt(item.conversationId);
  }

  /** Sends questions that an earlier page left. Works again after `close`. */
  start(): void {
    this.#isClosed = false;
    this.retryAll();
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  async #attempt(conversationId: ConversationId): Promise<void> {
    const item = this.#items.find((candidate) => candidate.conversationId === conversationId);
    if (!item || item.refusal || this.#isClosed || this.#inFlight.has(conversationId)) return;
    clearTimeout(this.#timers.get(conversationId));
    this.#timers.delete(conversationId);
    this.#inFlight.add(conversationId);
    try {
      await this.#options.post(item);
      this.#failures.delete(conversationId);
      this.#forget(item);
    } catch (error) {
      this.#fail(item, error);
    } finally {
      this.#inFlight.delete(conversationId);
    }
    if (!this.#timers.has(conversationId)) void this.#attempt(conversationId);
  }

  #fail(item: PendingSend, error: unknown): void {
    if (error instanceof ProblemError && error.code === 'platform.unauthenticated') this.#options.onUnauthenticated();
    const isLasting =
      error instanceof ProblemError &&
      error.problem.status < 500 &&
      error.problem.status !== 429 &&
      error.problem.status !== 401;
    if (isLasting) {
      const refused = { ...item, refusal: error.problem };
      this.#store(refused);
      this.#set(this.#items.map((candidate) => (candidate.messageId === item.messageId ? refused : candidate)));
      return;
    }
    if (!(error instanceof ProblemError) && !(error instanceof NetworkError)) globalThis.reportError?.(error);
    const count = this.#failures.get(item.conversationId) ?? 0;
    this.#failures.set(item.conversationId, count + 1);
    this.#later(item.conversationId, retryDelaysMs[Math.min(count, retryDelaysMs.length - 1)] ?? 1000);
  }

  #later(conversationId: ConversationId, delayMs: number): void {
    clearTimeout(this.#timers.get(conversationId));
    const timer = setTimeout(() => {
      this.#timers.delete(conversationId);
      void this.#attempt(conversationId);
    }, delayMs);
    this.#timers.set(conversationId, timer);
  }

  #set(items: readonly PendingSend[]): void {
    this.#items = items;
    for (const watcher of this.#watchers) watcher();
  }

  #forget(item: PendingSend): void {
    try {
      this.#options.storage.removeItem(this.#keyOf(item.messageId));
    } catch {
      // Storage is blocked, so it never had the question.
    }
    this.#set(this.#items.filter((candidate) => candidate.messageId !== item.messageId));
  }

  #keyOf(messageId: MessageId): string {
    return `${this.#options.owner}.${messageId}`;
  }

  /** Stores one entry per question, so that two tabs never overwrite each other's questions. */
  #store(send: PendingSend): void {
    try {
      this.#options.storage.setItem(this.#keyOf(send.messageId), JSON.stringify(send));
    } catch {
      // Storage is full or blocked: the question is still sent from memory.
    }
  }

  #load(): PendingSend[] {
    const { storage, owner } = this.#options;
    const found: PendingSend[] = [];
    try {
      for (let index = 0; index < storage.length; index++) {
        const key = storage.key(index);
        const text = key?.startsWith(`${owner}.`) ? storage.getItem(key) : null;
        if (text) found.push(JSON.parse(text) as PendingSend);
      }
    } catch {
      // Storage is blocked or unreadable: start with the questions read so far.
    }
    return found.sort((a, b) => a.messageId.localeCompare(b.messageId));
  }
}

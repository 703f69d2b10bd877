import type { ConversationId, GenerationFrame, ServerToClient } from '@parley/contracts';
import type { useConnection } from '../../../lib/live.tsx';
import {
  applyFrames,
  needsFetch,
  needsReopen,
  runningAnswer,
  streamToFollow,
  type ConversationStreamState,
} from '../../../domain/conversation/conversation-stream-state.ts';

const hiddenFlushMs = 500;
/** Pauses before a refused or lost request is repeated while the conversation is open; the last one repeats. */
const retryDelaysMs = [1000, 2000, 4000, 8000];
/** Pauses before fetches of the stored message, which follows the end of its stream, usually immediately. */
const endFetchDelaysMs = [0, 300, 1000, 3000, 8000];

/** Loads changes, and loads again if the `wanted` sequence isn't among them. */
export type CatchUp = (wanted?: number) => Promise<void>;
/** Reads and changes the state of the conversation in the query cache. */
export type Access = {
  read: () => ConversationStreamState;
  change: (step: (state: ConversationStreamState) => ConversationStreamState) => void;
};

type Following = {
  connection: ReturnType<typeof useConnection>;
  conversationId: ConversationId;
  access: Access;
  catchUp: CatchUp;
  refetch: () => void;
};

/**
 * Joins the conversation's room, and joins again after each reconnect and each gap. Renders at most once per animation
 * frame.
 */
export function follow({ connection, conversationId, access, catchUp, refetch }: Following) {
  let isOpen = true;
  const keepTrying = (step: () => Promise<boolean>) => tryUntilDone(step, () => isOpen);
  /** The generation whose stream was requested last. */
  let asked: string | null = null;
  const open = () =>
    keepTrying(async () => {
      const stream = streamToFollow(access.read());
      asked = stream?.generationId ?? null;
      const ack = await connection.open({ conversationId, stream });
      if (!ack || !isOpen) return true;
      if (!ack.ok) {
        refetch();
        // A request that doesn't match its schema is a bug of this page: report it, because nobody else sees it.
        if (ack.problem.status === 400) globalThis.reportError?.(new Error(`conversation.open: ${ack.problem.code}`));
        return ack.problem.status < 500 && ack.problem.status !== 429;
      }
      const state = access.read();
      if ((ack.sequence ?? 0) > state.sequence || (state.stream && ack.generationId !== state.stream.generationId))
        await catchUp();
      return true;
    });
  /** Requests the stream of the running answer by its id, if it began here or elsewhere, or left the queue. */
  const followRunning = () => {
    const generation = runningAnswer(access.read())?.generation;
    if (generation && generation.id !== asked) void open();
  };
  const buffer = new FrameBuffer((frames) => {
    access.change((state) => applyFrames(state, frames));
    if (needsReopen(access.read())) void open();
    if (needsFetch(access.read())) void fetchEnd({ access, catchUp }, () => isOpen);
  });
  const changed: ServerToClient['conversation.changed'] = (message) => {
    if (message.conversationId !== conversationId) return;
    if (message.kind === 'deleted') return refetch();
    // A title that a model wrote doesn't increase the sequence, so any changes are wanted.
    const wanted = message.kind === 'renamed' ? undefined : message.sequence;
    if (wanted === undefined || wanted > access.read().sequence)
      void keepTrying(async () => {
        await catchUp(wanted);
        return true;
      });
  };
  const stops = [
    connection.on('connected', () => void open()),
    connection.on('generation.frame', (frame) => buffer.add(frame)),
    connection.on('conversation.changed', changed),
  ];
  void open();
  const stop = () => {
    isOpen = false;
    buffer.close();
    for (const each of stops) each();
    connection.leave(conversationId);
  };
  return { followRunning, stop };
}

/** Repeats a step with pauses until it returns true, or `isWanted` returns false. */
async function tryUntilDone(step: () => Promise<boolean>, isWanted: () => boolean): Promise<void> {
  for (let tries = 0; isWanted() && !(await step().catch(() => false)); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, retryDelaysMs[Math.min(tries, retryDelaysMs.length - 1)]));
  }
}

async function fetchEnd({ access, catchUp }: Pick<Following, 'access' | 'catchUp'>, isWanted: () => boolean) {
  for (const delayMs of endFetchDelaysMs) {
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    if (!isWanted() || !needsFetch(access.read())) return;
    await catchUp(access.read().sequence + 1).catch(() => undefined);
  }
}

/**
 * Collects frames of the stream until the next animation frame. A hidden page has no animation frames, so a timer
 * flushes them.
 */
class FrameBuffer {
  readonly #flush: (frames: GenerationFrame[]) => void;
  #frames: GenerationFrame[] = [];
  #cancel: (() => void) | null = null;

  constructor(flush: (frames: GenerationFrame[]) => void) {
    this.#flush = flush;
  }

  add(frame: GenerationFrame): void {
    this.#frames.push(frame);
    if (this.#cancel) return;
    if (document.hidden) {
      const timer = setTimeout(this.#run, hiddenFlushMs);
      this.#cancel = () => clearTimeout(timer);
    } else {
      const handle = requestAnimationFrame(this.#run);
      this.#cancel = () => cancelAnimationFrame(handle);
    }
  }

  close(): void {
    this.#cancel?.();
    this.#frames = [];
  }

  readonly #run = (): void => {
    const frames = this.#frames;
    this.#frames = [];
    this.#cancel = null;
    this.#flush(frames);
  };
}

/**
 * Runs `run`, never twice at the same time. Calls during a run share one more run after it, unless the first run
 * brought the sequence that they want.
 */
export function singleFlight(known: () => number, run: () => Promise<void>): CatchUp {
  let current: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let furthest = 0;
  const start = (): Promise<void> => {
    current = run().finally(() => {
      current = null;
    });
    return current;
  };
  return (wanted = Number.POSITIVE_INFINITY) => {
    furthest = Math.max(furthest, wanted);
    if (!current) {
      furthest = 0;
      return start();
    }
    next ??= current
      .catch(() => undefined)
      .then(() => {
        next = null;
        const isThere = furthest <= known();
        furthest = 0;
        return isThere ? undefined : start();
      });
    return next;
  };
}

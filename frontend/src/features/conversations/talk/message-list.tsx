import type { Message, MessageId, Model } from '@parley/contracts';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { useText } from '../../../lib/text.ts';
import { ListEdge } from '../../../ui/list-edge.tsx';
import { NearProvider } from '../../../ui/near.tsx';
import type { ConversationStreamState } from '../../../domain/conversation/conversation-stream-state.ts';
import { chunksOf, holds, exchangesOf, type Chunk } from '../state/exchanges.ts';
import { useMarkRead } from './use-mark-read.ts';
import { KeepPlace } from './keep-place.tsx';
import type { Editing, MessageActions } from '../state/message-actions.ts';
import { stay, useStickToEnd } from './stick-to-end.ts';
import { ExchangeChunk, type OpenSource } from './exchange-chunk.tsx';
import classes from './message-list.module.css';

const ToNewest = lazyPart(async () => (await import('./to-newest.tsx')).ToNewest);
/** Loaded late, because few chats are branches. */
const BranchedFrom = lazyPart(async () => (await import('./branched-from.tsx')).BranchedFrom);

type Props = {
  state: ConversationStreamState;
  /** The loaded messages of the path. */
  messages: readonly Message[];
  openSource: OpenSource | null;
  models: readonly Model[];
  actions: MessageActions;
  editing: Editing | null;
  loadOlder: () => Promise<void>;
  /** Shows the path through a message. */
  show: (id: MessageId) => Promise<void>;
  /** Unacknowledged questions after the last exchange; a new one scrolls into view. */
  pending: ReactNode;
  pendingCount: number;
  target: MessageId | null;
};

const settlingMs = [0, 100, 300, 600];
/** Chunks that are laid out at first: more than fit on a screen. */
const firstShown = 14;
/**
 * In a longer conversation, messages far from the screen are removed from the page, which never has more than 150. The
 * first one stays, because it keeps the scroll position when older messages are added.
 */
const mostWhole = 100;

export function MessageList({
  state,
  messages,
  openSource,
  models,
  actions,
  editing,
  loadOlder,
  show,
  pending,
  pendingCount,
  target,
}: Props) {
  const { t } = useText();
  const chunks = useMemo(() => chunksOf(exchangesOf(messages)), [messages]);
  const latest = messages.at(-1)?.id ?? null;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { isAway, toEnd, isPinned } = useStickToEnd({
    scroller,
    content,
    pendingCount,
    hasTarget: target !== null,
    isEditing: editing !== null,
  });
  useMarkRead(state, isAway);
  const older = useOlder(state, loadOlder);
  useTarget(target, state, show);
  const staying = useMemo<MessageActions>(() => {
    const showVersion: MessageActions['showVersion'] = (id, shown) =>
      stay({ scroller, isPinned, placeOf: () => bottomOf(shown) ?? bottomOf(id) }, () =>
        actions.showVersion(id, shown),
      );
    return { ...actions, showVersion };
  }, [actions, isPinned]);
  return (
    <div className={classes.frame}>
      <div ref={scroller} className={classes.scroller} tabIndex={-1}>
        <div
          ref={content}
          className={`${classes.column} p-data`}
          role="log"
          aria-live="off"
          aria-label={t({ id: 'chat.list.label', defaultMessage: 'Messages' })}
        >
          <ListEdge key={messages[0]?.id} {...older} />
          {state.branchedFrom && !state.hasOlder ? <BranchedFrom from={state.branchedFrom} /> : null}
          <KeepPlace scroller={scroller} first={messages[0]?.id}>
            <NearProvider>
              {chunks.map((chunk, index) => (
                <ExchangeChunk
                  key={chunk.key}
                  exchanges={chunk.exchanges}
                  live={state.stream && holds(chunk, state.stream.answerId) ? state : null}
                  openSource={openSource && holds(chunk, openSource.messageId) ? openSource : null}
                  latest={latest}
                  versions={state.versions}
                  editing={editing}
                  models={models}
                  actions={staying}
                  startsNear={index >= chunks.length - firstShown}
                  mayBeLeftOut={messages.length > mostWhole && index > 0 && !isOf(chunk, target)}
                />
              ))}
            </NearProvider>
          </KeepPlace>
          {pending}
        </div>
      </div>
      {isAway ? <ToNewest messages={messages} onClick={toEnd} /> : null}
    </div>
  );
}

const bottomOf = (id: MessageId): number | undefined => document.getElementById(id)?.getBoundingClientRect().bottom;

const isOf = (chunk: Chunk, id: MessageId | null): boolean => id !== null && holds(chunk, id);

/** Loads older messages before the reader reaches the top. */
function useOlder(
  { hasOlder }: ConversationStreamState,
  loadOlder: Props['loadOlder'],
): Parameters<typeof ListEdge>[0] {
  const [phase, setPhase] = useState<'idle' | 'loading' | 'failed'>('idle');
  const load = () => {
    setPhase('loading');
    loadOlder().then(
      () => setPhase('idle'),
      () => setPhase('failed'),
    );
  };
  return { onMore: hasOlder ? load : null, isLoading: phase === 'loading', hasFailed: phase === 'failed' };
}

/** Scrolls to the message that a link names and highlights it once; loads its path first. */
function useTarget(target: MessageId | null, state: ConversationStreamState, show: Props['show']): void {
  const shown = useRef<string | null>(null);
  const sought = useRef<string | null>(null);
  const isLoaded = state.messages.some((message) => message.id === target);
  const isKnown = state.sequence > 0;
  useEffect(() => {
    if (!target || shown.current === target || !isKnown) return;
    if (!isLoaded) {
      if (sought.current !== target) void show(target);
      sought.current = target;
      return;
    }
    shown.current = target;
    const element = document.getElementById(target);
    // Scroll to the message several times: messages around it are laid out only now, and can be higher than expected.
    const timers = settlingMs.map((delayMs) => setTimeout(() => element?.scrollIntoView({ block: 'center' }), delayMs));
    for (const name of ['wheel', 'touchmove', 'keydown'])
      window.addEventListener(name, () => timers.forEach(clearTimeout), { once: true, passive: true });
    element?.setAttribute('data-flash', '');
    setTimeout(() => element?.removeAttribute('data-flash'), 1200);
  }, [target, isLoaded, isKnown, show]);
}

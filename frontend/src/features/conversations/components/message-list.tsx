import type { MessageId, Model } from '@parley/contracts';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useText } from '../../../lib/text.ts';
import { ListEdge } from '../../../ui/list-edge.tsx';
import { NearProvider } from '../../../ui/near.tsx';
import type { ConversationStreamState } from '../../../lib/conversation-stream-state.ts';
import { chunksOf, holds, turnsOf, withoutDiscarded } from '../turns.ts';
import type { AnswerActions } from './answer-turn.tsx';
import { KeepPlace } from './keep-place.tsx';
import { useStickToEnd } from './stick-to-end.ts';
import { ToNewest } from './to-newest.tsx';
import { TurnChunk, type OpenSource } from './turn-chunk.tsx';
import classes from './message-list.module.css';

type Props = {
  state: ConversationStreamState;
  openSource: OpenSource | null;
  isBusy: boolean;
  models: readonly Model[];
  actions: Omit<AnswerActions, 'showVersion'>;
  loadOlder: () => Promise<void>;
  /** Waiting questions after the last turn; a new one scrolls into view. */
  pending: ReactNode;
  pendingCount: number;
  target: string | null;
};

const settlingMs = [0, 100, 300, 600];
/** Chunks that are laid out at once: more than fit on a screen. */
const firstShown = 2;

export function MessageList({
  state,
  openSource,
  isBusy,
  models,
  actions,
  loadOlder,
  pending,
  pendingCount,
  target,
}: Props) {
  const { t } = useText();
  const [chosen, setChosen] = useState<Record<string, MessageId>>({});
  const messages = useMemo(() => withoutDiscarded(state.messages), [state.messages]);
  const chunks = useMemo(() => chunksOf(turnsOf(messages)), [messages]);
  const latest = messages.at(-1)?.id ?? null;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { isAway, toEnd } = useStickToEnd({ scroller, content, pendingCount, hasTarget: target !== null });
  const older = useOlder(state, loadOlder);
  useTarget(target, state, loadOlder);
  const allActions = useMemo<AnswerActions>(
    () => ({
      ...actions,
      showVersion: (message) => setChosen((known) => ({ ...known, [message.parentId ?? message.id]: message.id })),
    }),
    [actions],
  );
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
          <ListEdge {...older} />
          <KeepPlace scroller={scroller} first={state.messages[0]?.id}>
            <NearProvider>
              {chunks.map((chunk, index) => (
                <TurnChunk
                  key={chunk.key}
                  turns={chunk.turns}
                  live={state.stream && holds(chunk, state.stream.answerId) ? state : null}
                  openSource={openSource && holds(chunk, openSource.messageId) ? openSource : null}
                  latest={latest}
                  chosen={chosen}
                  models={models}
                  isBusy={isBusy}
                  actions={allActions}
                  startsNear={index >= chunks.length - firstShown}
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

/** Older messages come before the reader reaches the top. */
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

/** From the search: the message scrolls into view and is washed once. */
function useTarget(target: string | null, state: ConversationStreamState, loadOlder: () => Promise<void>): void {
  const shown = useRef<string | null>(null);
  const isLoaded = state.messages.some((message) => message.id === target);
  const { hasOlder } = state;
  const count = state.messages.length;
  useEffect(() => {
    if (!target || shown.current === target || count === 0) return;
    if (!isLoaded) {
      if (hasOlder) void loadOlder().catch(() => undefined);
      return;
    }
    shown.current = target;
    const element = document.getElementById(target);
    // What is around it is laid out only now, and may be higher than it was thought to be: until then it is brought
    // back.
    const timers = settlingMs.map((delayMs) => setTimeout(() => element?.scrollIntoView({ block: 'center' }), delayMs));
    for (const name of ['wheel', 'touchmove', 'keydown'])
      window.addEventListener(name, () => timers.forEach(clearTimeout), { once: true, passive: true });
    element?.setAttribute('data-flash', '');
    setTimeout(() => element?.removeAttribute('data-flash'), 1200);
  }, [target, isLoaded, hasOlder, count, loadOlder]);
}

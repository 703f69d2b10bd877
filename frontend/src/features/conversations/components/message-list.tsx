import type { Message, MessageId, Model } from '@parley/contracts';
import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';
import { useText } from '../../../lib/text.ts';
import { visibleText, type ConversationStreamState } from '../conversation-stream-state.ts';
import { shownAnswer, turnsOf, type Turn } from '../turns.ts';
import { AnswerTurn, type AnswerActions } from './answer-turn.tsx';
import { PersonTurn } from './person-turn.tsx';
import classes from './message-list.module.css';

export type OpenSource = { messageId: MessageId; number: number };
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

const nearEndPx = 80;

export function MessageList({ state, openSource, isBusy, models, actions, loadOlder, pending, pendingCount, target }: Props) {
  const { t } = useText();
  const [chosen, setChosen] = useState<Record<string, MessageId>>({});
  const turns = useMemo(() => turnsOf(state.messages), [state.messages]);
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const top = useRef<HTMLDivElement>(null);
  useStickToEnd({ scroller, content, pendingCount, hasTarget: target !== null });
  useOlder({ scroller, top, state, loadOlder });
  useTarget(target, state, loadOlder);
  const allActions = useMemo<AnswerActions>(
    () => ({ ...actions, showVersion: (message) => setChosen((known) => ({ ...known, [message.answerTo ?? message.id]: message.id })) }),
    [actions],
  );
  return (
    <div ref={scroller} className={classes.scroller} tabIndex={-1}>
      <div ref={content} className={`${classes.column} p-data`} role="log" aria-live="off" aria-label={t({ id: 'chat.list.label', defaultMessage: 'Messages' })}>
        <div ref={top} className={classes.top} />
        {turns.map((turn) => (
          <TurnView key={turn.key} turn={turn} state={state} chosen={chosen[turn.key]} openSource={openSource} isBusy={isBusy} models={models} actions={allActions} />
        ))}
        {pending}
      </div>
    </div>
  );
}

type TurnProps = { turn: Turn; state: ConversationStreamState; chosen: MessageId | undefined; openSource: OpenSource | null; isBusy: boolean; models: readonly Model[]; actions: AnswerActions };

function TurnView({ turn, state, chosen, openSource, isBusy, models, actions }: TurnProps) {
  const index = shownAnswer(turn.answers, chosen);
  const answer = turn.answers[index];
  const versions = useMemo(() => ({ all: turn.answers, index }), [turn.answers, index]);
  return (
    <>
      {turn.question ? <PersonTurn message={turn.question} /> : null}
      {answer ? <AnswerOf key={answer.id} answer={answer} state={state} versions={versions} source={openSource?.messageId === answer.id ? openSource.number : null} isBusy={isBusy} models={models} actions={actions} /> : null}
    </>
  );
}

type AnswerProps = { answer: Message; state: ConversationStreamState; versions: { all: readonly Message[]; index: number }; source: number | null; isBusy: boolean; models: readonly Model[]; actions: AnswerActions };

/** Only the running answer changes with each frame; the others keep their props. */
function AnswerOf({ answer, state, versions, source, isBusy, models, actions }: AnswerProps) {
  const { text, isEarlierAttempt } = visibleText(state, answer);
  const visible = useMemo(() => ({ text, isEarlierAttempt }), [text, isEarlierAttempt]);
  const other = models.find((model) => model.key !== answer.generation?.model.key) ?? null;
  return (
    <>
      <AnswerTurn message={answer} visible={visible} versions={versions} openSource={source} otherModel={other} isBusy={isBusy} actions={actions} />
      <Announcer message={answer} text={text} />
    </>
  );
}

const sentenceEnd = /[.!?؟。]["'”)\]]*\s/g;

/** Screen readers get whole sentences, politely, and only of an answer that is written while one listens. */
const Announcer = memo(function Announcer({ message, text }: { message: Message; text: string }) {
  const status = message.generation?.status;
  const isRunning = status === 'queued' || status === 'running';
  const [wasRunning] = useState(isRunning);
  const told = useRef(0);
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (!wasRunning) return undefined;
    const timer = setTimeout(() => {
      const end = isRunning ? Math.max(0, ...[...text.matchAll(sentenceEnd)].map((match) => match.index + match[0].length)) : text.length;
      if (end <= told.current) return;
      setSaid(text.slice(told.current, end).replace(/[*_`#>|]+/g, ' '));
      told.current = end;
    }, 700);
    return () => clearTimeout(timer);
  }, [wasRunning, isRunning, text]);
  return wasRunning ? <div className="p-hidden" aria-live="polite">{said}</div> : null;
});

type Box = RefObject<HTMLDivElement | null>;

/** Follows the end while the reader is there; a reader who scrolled up is left alone. */
function useStickToEnd({ scroller, content, pendingCount, hasTarget }: { scroller: Box; content: Box; pendingCount: number; hasTarget: boolean }): void {
  const isPinned = useRef(!hasTarget);
  useEffect(() => {
    const element = scroller.current;
    if (!element || !content.current) return undefined;
    const onScroll = () => {
      isPinned.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearEndPx;
    };
    const toEnd = () => {
      if (isPinned.current) element.scrollTo({ top: element.scrollHeight });
    };
    const observer = new ResizeObserver(toEnd);
    observer.observe(content.current);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroller, content]);
  useLayoutEffect(() => {
    if (pendingCount === 0 || !scroller.current) return;
    isPinned.current = true;
    scroller.current.scrollTo({ top: scroller.current.scrollHeight });
  }, [scroller, pendingCount]);
}

/** Older messages come before the reader reaches the top; what is read stays in place. */
function useOlder({ scroller, top, state, loadOlder }: { scroller: Box; top: Box } & Pick<Props, 'state' | 'loadOlder'>): void {
  const { hasOlder } = state;
  const first = state.messages[0]?.id;
  const height = useRef(0);
  useEffect(() => {
    if (!hasOlder || !top.current || !scroller.current || typeof IntersectionObserver === 'undefined') return undefined;
    const element = scroller.current;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        height.current = element.scrollHeight;
        void loadOlder().catch(() => undefined);
      },
      { root: element, rootMargin: '600px 0px 0px' },
    );
    observer.observe(top.current);
    return () => observer.disconnect();
  }, [hasOlder, first, scroller, top, loadOlder]);
  useLayoutEffect(() => {
    const element = scroller.current;
    // Browsers keep the place by themselves, except at the very top.
    if (element && height.current > 0 && element.scrollTop === 0) element.scrollTo({ top: element.scrollHeight - height.current });
    height.current = 0;
  }, [first, scroller]);
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
    element?.scrollIntoView({ block: 'center' });
    element?.setAttribute('data-flash', '');
    setTimeout(() => element?.removeAttribute('data-flash'), 1200);
  }, [target, isLoaded, hasOlder, count, loadOlder]);
}

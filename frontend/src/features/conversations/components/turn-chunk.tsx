import type { Message, MessageId, Model } from '@parley/contracts';
import { Sparkles } from 'lucide-react';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { useText } from '../../../lib/text.ts';
import { useNear } from '../../../ui/near.tsx';
import {
  durableText,
  visibleText,
  visibleThoughts,
  type ConversationStreamState,
} from '../../../lib/conversation-stream-state.ts';
import { holds, isSameTurn, isUnsent, shownAnswer, type Turn } from '../turns.ts';
import { AnswerTurn, type AnswerActions } from './answer-turn.tsx';
import { PersonTurn } from './person-turn.tsx';
import classes from './turn.module.css';

export type OpenSource = { messageId: MessageId; number: number };

type Common = {
  /** Only where the answer is being written: all others stay untouched by its frames. */
  live: ConversationStreamState | null;
  openSource: OpenSource | null;
  latest: MessageId | null;
  isBusy: boolean;
  models: readonly Model[];
  actions: AnswerActions;
};
type ChunkProps = Common & { turns: readonly Turn[]; chosen: Record<string, MessageId>; startsNear: boolean };

/** Some turns that are laid out together, and only while they are near: a talk may have thousands. */
export const TurnChunk = memo(function TurnChunk({ turns, live, chosen, startsNear, ...common }: ChunkProps) {
  const { ref, isNear, style } = useNear<HTMLDivElement>(startsNear);
  const height = useMemo(() => likelyHeight(turns), [turns]);
  return (
    <div ref={ref} className={classes.chunk} style={style ?? { containIntrinsicBlockSize: `auto ${height}px` }}>
      {turns.map((turn) => (
        <TurnView
          key={turn.key}
          {...common}
          turn={turn}
          live={live && holds({ turns: [turn] }, live.stream?.answerId) ? live : null}
          chosen={chosen[turn.key]}
          isNear={isNear}
        />
      ))}
    </div>
  );
});

/** For the scroll bar, until it was laid out once. */
function likelyHeight(turns: readonly Turn[]): number {
  const texts = turns
    .flatMap(({ question, answers }) => [question, answers.at(-1)])
    .map((message) => message?.text.length ?? 0);
  return texts.reduce((sum, length) => sum + 60 + Math.ceil(length / 80) * 24, 0);
}

type TurnProps = Common & { turn: Turn; chosen: MessageId | undefined; isNear: boolean };

const TurnView = memo(function TurnView({
  turn,
  live,
  chosen,
  openSource,
  latest,
  isBusy,
  models,
  actions,
  isNear,
}: TurnProps) {
  const index = shownAnswer(turn.answers, chosen);
  const answer = turn.answers[index];
  const versions = useMemo(() => ({ all: turn.answers, index }), [turn.answers, index]);
  return (
    <>
      {turn.isNewVersion ? <NewVersion answer={turn.answers[0]} /> : null}
      {turn.question ? <PersonTurn message={turn.question} isNear={isNear} isUnsent={isUnsent(turn.answers)} /> : null}
      {answer ? (
        <AnswerOf
          key={answer.id}
          answer={answer}
          live={live}
          versions={versions}
          source={openSource?.messageId === answer.id ? openSource.number : null}
          latest={latest}
          isBusy={isBusy}
          models={models}
          actions={actions}
          isNear={isNear}
        />
      ) : null}
    </>
  );
}, areSameTurns);

/** Says that the chatbot was published anew since the answer before. */
function NewVersion({ answer }: { answer: Message | undefined }) {
  const { rich } = useText();
  const chatbot = answer?.generation?.chatbot;
  if (!chatbot) return null;
  return (
    <div className={classes.restarted}>
      <Sparkles size={12} strokeWidth={1.75} aria-hidden="true" />
      <span>
        {rich(
          { id: 'chat.bot.newVersion', defaultMessage: 'From here on {name} answers in version {version, number}.' },
          { name: <bdi key="name">{chatbot.name}</bdi>, version: chatbot.version },
        )}
      </span>
    </div>
  );
}

function areSameTurns({ turn, ...before }: TurnProps, { turn: nextTurn, ...after }: TurnProps): boolean {
  return (
    isSameTurn(turn, nextTurn) &&
    (Object.keys(after) as (keyof typeof after)[]).every((key) => before[key] === after[key])
  );
}

type AnswerProps = Omit<TurnProps, 'turn' | 'chosen' | 'openSource'> & {
  answer: Message;
  versions: { all: readonly Message[]; index: number };
  source: number | null;
};

function AnswerOf({ answer, live, versions, source, latest, isBusy, models, actions, isNear }: AnswerProps) {
  const { text, isEarlierAttempt } = live ? visibleText(live, answer) : durableText(answer);
  const hasBegun = live?.stream?.answerId === answer.id;
  const thoughts = live ? visibleThoughts(live, answer) : (answer.generation?.thoughts?.text ?? '');
  const visible = useMemo(
    () => ({ text, isEarlierAttempt, hasBegun, thoughts }),
    [text, isEarlierAttempt, hasBegun, thoughts],
  );
  const other = models.find((model) => model.key !== answer.generation?.model.key) ?? null;
  return (
    <>
      <AnswerTurn
        message={answer}
        visible={visible}
        versions={versions}
        openSource={source}
        otherModel={other}
        isBusy={isBusy}
        isLatest={answer.id === latest}
        isNear={isNear}
        actions={actions}
      />
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
  const told = useRef(text.length);
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (!wasRunning) return undefined;
    const timer = setTimeout(() => {
      const end = isRunning
        ? Math.max(0, ...[...text.matchAll(sentenceEnd)].map((match) => match.index + match[0].length))
        : text.length;
      if (end <= told.current) return;
      setSaid(text.slice(told.current, end).replace(/[*_`#>|]+/g, ' '));
      told.current = end;
    }, 700);
    return () => clearTimeout(timer);
  }, [wasRunning, isRunning, text]);
  return wasRunning ? (
    <div className="p-hidden" aria-live="polite">
      {said}
    </div>
  ) : null;
});

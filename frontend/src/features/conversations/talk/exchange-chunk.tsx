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
} from '../../../domain/conversation/conversation-stream-state.ts';
import { holds, isSameExchange, isUnsent, type Exchange } from '../state/exchanges.ts';
import { versionsOf, type Versions } from '../../../domain/conversation/conversation-path.ts';
import { AnswerMessage } from '../message/answer-message.tsx';
import type { Editing, MessageActions } from '../state/message-actions.ts';
import { PersonMessage } from '../message/person-message.tsx';
import classes from '../message/message.module.css';

export type OpenSource = { messageId: MessageId; number: number };

type Common = {
  /**
   * The live state while this chunk's answer is running; otherwise null, so that frames of an answer render no other
   * chunk.
   */
  live: ConversationStreamState | null;
  openSource: OpenSource | null;
  latest: MessageId | null;
  models: readonly Model[];
  actions: MessageActions;
  editing: Editing | null;
};
type ChunkProps = Common & {
  exchanges: readonly Exchange[];
  versions: Versions;
  startsNear: boolean;
  /** True if far exchanges can be left out of a long conversation; their actual or likely height stays. */
  mayBeLeftOut: boolean;
};

/**
 * Shows some exchanges, which are laid out together and only while they are near, because a conversation can have
 * thousands.
 */
export const ExchangeChunk = memo(function ExchangeChunk({
  exchanges,
  live,
  versions,
  editing,
  startsNear,
  mayBeLeftOut,
  ...common
}: ChunkProps) {
  const { ref, isNear, style } = useNear<HTMLDivElement>(startsNear);
  const height = useMemo(() => likelyHeight(exchanges), [exchanges]);
  if (mayBeLeftOut && !isNear) return <div ref={ref} style={style ?? { height }} />;
  return (
    <div ref={ref} className={classes.chunk} style={style ?? { containIntrinsicBlockSize: `auto ${height}px` }}>
      {exchanges.map((exchange) => (
        <ExchangeView
          key={exchange.key}
          {...common}
          exchange={exchange}
          live={live && holds({ exchanges: [exchange] }, live.stream?.answerId) ? live : null}
          editing={editing && exchange.question?.id === editing.id ? editing : null}
          questionVersions={exchange.question && versionsOf(versions, exchange.question)}
          answerVersions={exchange.answer && versionsOf(versions, exchange.answer)}
          isNear={isNear}
        />
      ))}
    </div>
  );
});

/** Estimates the height for the scroll bar, until the chunk was laid out once. */
function likelyHeight(exchanges: readonly Exchange[]): number {
  const texts = exchanges
    .flatMap(({ question, answer }) => [question, answer])
    .map((message) => message?.text.length ?? 0);
  return texts.reduce((sum, length) => sum + 60 + Math.ceil(length / 80) * 24, 0);
}

type Siblings = readonly MessageId[] | null;
type ExchangeProps = Common & {
  exchange: Exchange;
  questionVersions: Siblings;
  answerVersions: Siblings;
  isNear: boolean;
};

const ExchangeView = memo(function ExchangeView({
  exchange: { question, answer, isNewVersion },
  questionVersions,
  answerVersions,
  openSource,
  editing,
  ...common
}: ExchangeProps) {
  return (
    <>
      {isNewVersion ? <NewVersion answer={answer} /> : null}
      {question ? (
        <PersonMessage
          message={question}
          versions={questionVersions}
          isUnsent={isUnsent(answer) && !answerVersions}
          answeredBy={answer?.generation?.model.key ?? null}
          given={answer?.generation?.images}
          leftOut={answer?.generation?.leftOut}
          editing={editing}
          isNear={common.isNear}
          actions={common.actions}
        />
      ) : null}
      {answer ? (
        <AnswerOf
          key={answer.id}
          {...common}
          answer={answer}
          versions={answerVersions}
          source={openSource?.messageId === answer.id ? openSource.number : null}
          isPassing={editing !== null}
        />
      ) : null}
    </>
  );
}, areSameExchanges);

/** Says that the chatbot was published again after the answer before this one. */
function NewVersion({ answer }: { answer: Message | null }) {
  const { rich } = useText();
  const chatbot = answer?.generation?.chatbot;
  if (!chatbot) return null;
  return (
    <div className={`p-meta ${classes.restarted}`}>
      <Sparkles size={12} />
      <span>
        {rich(
          { id: 'chat.bot.newVersion', defaultMessage: 'From here on {name} answers in version {version, number}.' },
          { name: <bdi key="name">{chatbot.name}</bdi>, version: chatbot.version },
        )}
      </span>
    </div>
  );
}

function areSameExchanges(
  { exchange, ...before }: ExchangeProps,
  { exchange: nextExchange, ...after }: ExchangeProps,
): boolean {
  return (
    isSameExchange(exchange, nextExchange) &&
    (Object.keys(after) as (keyof typeof after)[]).every((key) => before[key] === after[key])
  );
}

type AnswerProps = Omit<Common, 'openSource' | 'editing'> & {
  answer: Message;
  versions: Siblings;
  source: number | null;
  isNear: boolean;
  isPassing: boolean;
};

function AnswerOf({ answer, live, source, latest, models, ...rest }: AnswerProps) {
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
      <AnswerMessage
        {...rest}
        message={answer}
        visible={visible}
        openSource={source}
        otherModel={other}
        isLatest={answer.id === latest}
      />
      <Announcer message={answer} text={text} />
    </>
  );
}

const sentenceEnd = /[.!?؟。]["'”)\]]*\s/g;

/** Announces whole sentences of the running answer politely to screen readers. */
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

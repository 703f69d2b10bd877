import type { Message, MessageId, Model } from '@parley/contracts';
import { RefreshCw } from 'lucide-react';
import { memo, useEffect, useState } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { useStaleSince } from '../../../lib/live.tsx';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { whenIdle } from '../../../lib/when-idle.ts';
import { AnswerText } from '../../../domain/message/answer-text.tsx';
import { BotMark } from '../../../domain/picture/avatar.tsx';
import { StatusShape } from '../../../ui/status-shape.tsx';
import { iconOf, iconOfModel, useNameOfAnswer } from '../state/answerer.ts';
import { isUnsent } from '../state/exchanges.ts';
import { needsNote, spineStateOf, type ShownText } from './answer-state.ts';
import { RunLine } from './run-line.tsx';
import { Spine, type SpineState } from './spine/index.tsx';
import { ImportedMark } from './imported-mark.tsx';
import classes from './message.module.css';
import type { MessageActions } from '../state/message-actions.ts';

const loadNote = async () => (await import('./answer-note.tsx')).AnswerNote;
/** Loaded late, because most answers need no note. */
const AnswerNote = lazyPart(loadNote);
/** Loaded late: few models send their reasoning, and even fewer answers come from a chatbot's fallback. */
const Thoughts = lazyPart(async () => (await import('../../../domain/message/answer-thoughts.tsx')).AnswerThoughts);
/** Loaded late, because an answer without a chatbot already shows its model's name. */
const ModelTag = lazyPart(async () => (await import('./model-tag/index.tsx')).ModelTag);
const FellBack = lazyPart(async () => (await import('./fell-back.tsx')).FellBack);
/** Loaded late, because people rate only after the page has loaded. */
const loadRating = async () => {
  await whenIdle();
  return import('../rating/answer-rating/index.tsx');
};
const RatingButtons = lazyPart(async () => (await loadRating()).RatingButtons);
const RatingFoot = lazyPart(async () => (await loadRating()).RatingFoot);

const nobody = { chatbot: null, model: null };

type Props = {
  message: Message;
  visible: ShownText;
  versions: readonly MessageId[] | null;
  openSource: number | null;
  otherModel: Model | null;
  isLatest: boolean;
  /** False for messages far from the screen, which show only their text. */
  isNear: boolean;
  actions: MessageActions;
  /** True while the question is being edited, because another answer will replace this one. */
  isPassing: boolean;
};

export const AnswerMessage = memo(function AnswerMessage({ isNear, isPassing, ...props }: Props) {
  const { message, visible } = props;
  const nameOf = useNameOfAnswer();
  const state = spineStateOf(message, visible);
  const isRunning = state === 'writing' || state === 'queued' || state === 'thinking';
  return (
    <article
      className={classes.message}
      id={message.id}
      aria-label={nameOf(message)}
      aria-busy={isRunning}
      data-passing={isPassing || undefined}
    >
      {isNear || isRunning ? (
        <NearAnswer {...props} state={state} isRunning={isRunning} />
      ) : (
        <div className={classes.far}>{visible.text}</div>
      )}
    </article>
  );
});

function NearAnswer({
  message,
  visible,
  versions,
  openSource,
  otherModel,
  isLatest,
  actions,
  state,
  isRunning,
}: Omit<Props, 'isNear' | 'isPassing'> & { state: SpineState; isRunning: boolean }) {
  const { t } = useText();
  const { clock, exact, moment } = useFormats();
  const nameOf = useNameOfAnswer();
  const { generation } = message;
  const hasText = message.text !== '';
  const mayRate = useRight('chat:update') && hasText && !message.imported;
  const [isRating, setRating] = useState(false);
  const rating = { message, isOpen: isRating, onOpen: setRating };
  // Load the note while the answer runs: if the network fails and ends the answer, it is too late.
  useEffect(() => {
    if (isRunning)
      whenIdle()
        .then(loadNote)
        .catch(() => undefined);
  }, [isRunning]);
  return (
    <>
      <div className={classes.side}>
        <BotMark icon={message.imported ? iconOfModel(undefined) : iconOf(generation ?? nobody)} />
        {state === 'none' ? null : <Spine state={state} />}
      </div>
      <div className={classes.body}>
        <header className={`p-sm ${classes.who}`}>
          <b>
            <bdi>{nameOf(message)}</bdi>
          </b>
          {isRunning ? (
            <RunState state={state} startedAt={generation?.startedAt ?? null} />
          ) : (
            <time className={classes.time} dateTime={message.createdAt} title={exact(message.createdAt)}>
              {moment(message.createdAt)}
            </time>
          )}
          {generation && (generation.chatbot?.version ?? 0) > 0 && !isRunning ? (
            <ModelTag {...generation} imported={message.imported} />
          ) : null}
          {message.imported ? <ImportedMark /> : null}
        </header>
        <div className={classes.full}>
          {generation?.resumedAt ? (
            <div className={`p-meta ${classes.restarted}`}>
              <RefreshCw size={12} />
              {t(
                { id: 'chat.answer.restarted', defaultMessage: 'Started again at {time} after an interruption.' },
                { time: clock(generation.resumedAt) },
              )}
            </div>
          ) : null}
          {generation?.fellBackFrom ? <FellBack from={generation.fellBackFrom} model={generation.model} /> : null}
          {visible.thoughts === '' ? null : (
            <Thoughts
              text={visible.thoughts}
              ms={generation?.thoughts?.ms ?? null}
              isThinking={state === 'thinking' && isRunning}
            />
          )}
          {visible.text === '' ? null : (
            <div className={visible.isEarlierAttempt ? classes.earlier : undefined}>
              <AnswerText
                text={visible.text}
                isWriting={state === 'writing'}
                citations={message.citations}
                openSource={openSource}
                onOpenSource={(number) => actions.openSource(message, number)}
              />
            </div>
          )}
          {(isRunning && state !== 'queued') || !needsNote(message) ? null : (
            <AnswerNote message={message} otherModel={otherModel} isLatest={isLatest} actions={actions} />
          )}
          {isRunning || (isUnsent(message) && !versions) ? null : (
            <RunLine
              message={message}
              versions={versions}
              rating={mayRate ? <RatingButtons {...rating} /> : null}
              actions={actions}
            />
          )}
          {isRunning || !mayRate ? null : <RatingFoot {...rating} />}
        </div>
      </div>
    </>
  );
}

/**
 * Shows queued, thinking or writing, with the seconds. Without a connection the display stands still, because the real
 * state is unknown.
 */
function RunState({ state, startedAt }: { state: SpineState; startedAt: string | null }) {
  const { t } = useText();
  const { seconds, clock } = useFormats();
  const staleSince = useStaleSince();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  if (staleSince !== null)
    return (
      <span className={classes.state}>
        <StatusShape kind="off" />
        {t({ id: 'chat.answer.lost', defaultMessage: 'Followed until {time}' }, { time: clock(staleSince) })}
      </span>
    );
  const words = {
    queued: t({ id: 'chat.answer.queued', defaultMessage: 'Queued' }),
    thinking: t({ id: 'chat.answer.thinking', defaultMessage: 'Thinking' }),
    writing: t({ id: 'chat.answer.writing', defaultMessage: 'Writing' }),
  };
  const passedMs = startedAt ? Math.floor(Math.max(0, now - Date.parse(startedAt)) / 1000) * 1000 : 0;
  return (
    <span className={classes.state}>
      <StatusShape kind={state === 'queued' ? 'waiting' : 'running'} />
      {words[state as keyof typeof words]}
      {passedMs > 0 && state !== 'queued' ? (
        <span className={classes.time} aria-hidden="true">
          {seconds(passedMs)}
        </span>
      ) : null}
    </span>
  );
}

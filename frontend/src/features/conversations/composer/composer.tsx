import { Button } from '@mantine/core';
import type { Message, Model } from '@parley/contracts';
import { ArrowUp, ListOrdered, Square, X } from 'lucide-react';
import { useRef, useState, type ReactNode, type RefObject } from 'react';
import { defineMessages } from 'react-intl';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { useStaleSince } from '../../../lib/live.tsx';
import { useShortcut } from '../../../lib/shortcuts.ts';
import { useText } from '../../../lib/text.ts';
import { whenIdle } from '../../../lib/when-idle.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { offBecause, useActionOff } from '../../../ui/stale.tsx';
import { isBuiltin, useAnswererName } from '../state/answerer.ts';
import type { Where } from '../state/drafts.ts';
import type { Attaching } from '../state/attaching.ts';
import { longestQuestion } from '../state/question-limits.ts';
import { useSendWhenReady } from './use-send-when-ready.ts';
import { useFocusOnMount } from '../../../ui/use-focus-on-mount.ts';
import { AnswererPicker, type AnswererPickerProps } from '../answerer/answerer-picker/index.tsx';
import { QuestionField } from '../parts/question-field/index.tsx';
import classes from './composer.module.css';

/** Loaded late, because typing works without it. */
const AttachFiles = lazyPart(async () => {
  await whenIdle();
  return (await import('./attach-files.tsx')).AttachFiles;
});

/** Loaded late, because sending works without it. */
const BudgetLeft = lazyPart(async () => {
  await whenIdle();
  return (await import('./budget-left.tsx')).BudgetLeft;
});

const FilesHint = lazyPart(async () => (await import('./files-hint.tsx')).FilesHint);

const warnFrom = 30_000;
const { full, loading, nothing, tooLong } = defineMessages({
  full: { id: 'chat.composer.full', defaultMessage: 'The queue is full. Withdraw a message, or wait.' },
  loading: { id: 'chat.composer.loading', defaultMessage: 'Available once the messages are loaded' },
  nothing: { id: 'chat.composer.nothing', defaultMessage: 'Write a message first' },
  tooLong: { id: 'chat.composer.overLong', defaultMessage: 'Shorten the message first' },
});

export type ComposerProps = {
  text: string;
  onText: (text: string) => void;
  onSend: () => void;
  running: Message | null;
  /** Messages are queued. */
  isWaiting?: boolean;
  /** True if the chat's queue is full. */
  isFull?: boolean;
  onStop: () => void;
  picking: AnswererPickerProps;
  /** The chat, project or new chat that the draft's files belong to. */
  where: Where;
  attaching: Attaching;
  onAttaching: (attaching: Attaching) => void;
  tray?: ReactNode;
  isFirst: boolean;
  /** True while messages load: people can type, but not send. */
  isLoading?: boolean;
  /** The text field, for code that adds to its text. */
  input?: RefObject<HTMLTextAreaElement | null>;
};

export function Composer(props: ComposerProps) {
  const {
    text,
    onText,
    onSend,
    running,
    isWaiting = false,
    isFull = false,
    onStop,
    picking,
    where,
    attaching,
    onAttaching,
    tray,
    isFirst,
    isLoading = false,
    input,
  } = props;
  const { t } = useText();
  const off = useActionOff();
  const nameOf = useAnswererName();
  const { answerer } = picking;
  useShortcut('stop', running && !off ? onStop : null);
  const [attachPlace, setAttachPlace] = useState<HTMLElement | null>(null);
  const problem = reasonAgainst({ text, isLoading, isFull, attaching });
  const reason = typeof problem === 'object' && problem !== null ? t(problem) : problem;
  const isSendable = reason === null;
  const whenReady = problem === attaching.reason ? attaching.whenReady : null;
  const { isAsked, ask, takeBack } = useSendWhenReady({
    isSendable,
    canWait: whenReady !== null,
    fileCount: attaching.cards.length,
    onSend,
  });
  const placeholder = isWaiting
    ? t({ id: 'chat.composer.next', defaultMessage: 'Write the next message. It is queued.' })
    : isFirst
      ? t({ id: 'chat.composer.first', defaultMessage: 'Ask a question' })
      : t(
          {
            id: 'chat.composer.reply',
            defaultMessage: '{builtin, select, true {Reply to the built-in assistant} other {Reply to {model}}}',
          },
          { builtin: isBuiltin(answerer), model: nameOf(answerer) },
        );
  return (
    <div className={classes.place}>
      {tray}
      <div className={classes.composer} data-composer>
        <AttachFiles where={where} model={answerer.model} place={attachPlace} onAttaching={onAttaching} />
        <ComposerInput
          input={input}
          text={text}
          placeholder={placeholder}
          onText={onText}
          onEnter={ask}
          onEscape={isAsked ? takeBack : null}
        />
        <div className={classes.bar}>
          <AnswererPicker {...picking} hasImages={attaching.images > 0} />
          <span ref={setAttachPlace} className={classes.attach} />
          <span className={`p-meta p-one-line ${classes.hint}`}>
            <Hint
              text={text}
              isFull={isFull}
              attaching={attaching}
              whenReady={isAsked ? whenReady : null}
              model={answerer.model}
              chatbotId={answerer.chatbot?.id}
            />
          </span>
          {running ? (
            <Button
              variant="default"
              size="sm"
              leftSection={<Square size={10} fill="currentColor" strokeWidth={0} />}
              onClick={onStop}
              className={classes.stop}
              {...off}
            >
              <span className={classes.stopWord}>{t({ id: 'chat.composer.stop', defaultMessage: 'Stop' })}</span>
            </Button>
          ) : null}
          <SendButton
            isWaiting={isWaiting}
            isReady={isSendable && !isWaiting}
            off={whenReady === null ? reason : null}
            onClick={ask}
            onTakeBack={isAsked ? takeBack : null}
          />
        </div>
      </div>
    </div>
  );
}

type SendProps = {
  isWaiting: boolean;
  isReady: boolean;
  /** Why nothing can be sent now; null: sending works. */
  off: string | null;
  onClick: () => void;
  /** Stops the automatic sending; null if the message won't be sent automatically. */
  onTakeBack: (() => void) | null;
};

function SendButton({ isWaiting, isReady, off, onClick, onTakeBack }: SendProps) {
  const { t } = useText();
  return (
    <IconButton
      icon={onTakeBack ? X : isWaiting ? ListOrdered : ArrowUp}
      iconSize={18}
      size={32}
      variant="filled"
      className={classes.send}
      data-ready={isReady || undefined}
      label={
        onTakeBack
          ? t({ id: 'chat.composer.takeBack', defaultMessage: 'Cancel sending' })
          : isWaiting
            ? t({ id: 'chat.composer.queue', defaultMessage: 'Queue message' })
            : t({ id: 'chat.composer.send', defaultMessage: 'Send message' })
      }
      onClick={onTakeBack ?? onClick}
      {...(off !== null && offBecause(off))}
    />
  );
}

type Reasons = Pick<ComposerProps, 'text' | 'isLoading' | 'isFull' | 'attaching'>;

function reasonAgainst({ text, isLoading, isFull, attaching: { asked, isKnown, reason } }: Reasons) {
  if (isLoading || !isKnown) return loading;
  if (isFull) return full;
  if (text.length > longestQuestion) return tooLong;
  return reason ?? (text.trim() === '' && asked.length === 0 ? nothing : null);
}

type HintProps = {
  text: string;
  isFull: boolean;
  attaching: Attaching;
  /** The hint while the message waits to be sent automatically. */
  whenReady: string | null;
  model: Model | null;
  chatbotId: string | undefined;
};

function Hint({ text, isFull, attaching, whenReady, model, chatbotId }: HintProps) {
  const { t } = useText();
  const { length } = text;
  const isStale = useStaleSince() !== null;
  if (whenReady !== null) return <output className={classes.asked}>{whenReady}</output>;
  if (length > longestQuestion)
    return (
      <b className={classes.over} role="alert">
        {t(
          { id: 'chat.composer.tooLong', defaultMessage: '{count, number} characters too long' },
          { count: length - longestQuestion },
        )}
      </b>
    );
  if (isFull && length > 0)
    return (
      <b className={classes.over} role="alert">
        {t(full)}
      </b>
    );
  if (length > warnFrom)
    return t(
      { id: 'chat.composer.left', defaultMessage: '{count, number} characters left' },
      { count: longestQuestion - length },
    );
  if (isStale) return t({ id: 'chat.composer.later', defaultMessage: 'Sent when the connection is back' });
  const { hint, isFlawed, tokens } = attaching;
  if (isFlawed)
    return (
      <b className={classes.over} role="alert">
        {hint}
      </b>
    );
  if (tokens > 0)
    return (
      <>
        {hint}
        <FilesHint model={model} tokens={tokens} text={text} isSecond={hint !== null} />
      </>
    );
  if (hint !== null) return hint;
  if (!model) return null;
  const where =
    model.providerName === null
      ? t({ id: 'chat.composer.stays', defaultMessage: 'Messages stay on this server' })
      : t({ id: 'chat.composer.goes', defaultMessage: 'Answered by {provider}' }, { provider: model.providerName });
  const otherwise = <span className={classes.where}>{where}</span>;
  return <BudgetLeft model={model} chatbotId={chatbotId} otherwise={otherwise} />;
}

function ComposerInput({
  input: given,
  text,
  placeholder,
  onText,
  onEnter,
  onEscape,
}: {
  input: ComposerProps['input'];
  text: string;
  placeholder: string;
  onText: (text: string) => void;
  onEnter: () => void;
  /** Called on Escape. Null: Escape moves the focus out of the field, so that single keys are shortcuts again. */
  onEscape: (() => void) | null;
}) {
  const { t } = useText();
  const own = useRef<HTMLTextAreaElement>(null);
  const input = given ?? own;
  useFocusOnMount(input);
  useShortcut('compose', () => input.current?.focus());
  return (
    <QuestionField
      ref={input}
      text={text}
      label={t({ id: 'chat.composer.label', defaultMessage: 'Message' })}
      placeholder={placeholder}
      onText={onText}
      onEnter={onEnter}
      onEscape={onEscape ?? (() => input.current?.blur())}
    />
  );
}

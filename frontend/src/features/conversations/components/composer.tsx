import { Button } from '@mantine/core';
import type { Message, Model } from '@parley/contracts';
import { ArrowUp, ListOrdered, Square } from 'lucide-react';
import { useLayoutEffect, useRef, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { defineMessages } from 'react-intl';
import { useStaleSince } from '../../../lib/live.tsx';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { offBecause, useActionOff } from '../../../ui/stale.tsx';
import { useAnswererName } from '../answerer.ts';
import { useFocusOnMount } from '../../../ui/use-focus-on-mount.ts';
import { BudgetLeft } from './budget-left.tsx';
import { AnswererPicker, type AnswererPickerProps } from './answerer-picker.tsx';
import classes from './composer.module.css';

const longest = 32_000;
const warnFrom = 30_000;
const { loading, nothing, tooLong } = defineMessages({
  loading: { id: 'chat.composer.loading', defaultMessage: 'Off until the messages are there' },
  nothing: { id: 'chat.composer.nothing', defaultMessage: 'Off until there is a message' },
  tooLong: { id: 'chat.composer.overLong', defaultMessage: 'Off while the message is too long' },
});

export type ComposerProps = {
  text: string;
  onText: (text: string) => void;
  onSend: () => void;
  running: Message | null;
  onStop: () => void;
  picking: AnswererPickerProps;
  tray?: ReactNode;
  isFirst: boolean;
  /** One can write already, and send once the messages are there. */
  isLoading?: boolean;
  /** The field, for what adds to its text. */
  input?: RefObject<HTMLTextAreaElement | null>;
};

export function Composer(props: ComposerProps) {
  const { text, onText, onSend, running, onStop, picking, tray, isFirst, isLoading = false, input } = props;
  const { t } = useText();
  const off = useActionOff();
  const nameOf = useAnswererName();
  const { answerer } = picking;
  const reason = reasonAgainst(text, isLoading);
  const isSendable = reason === null;
  const placeholder = running
    ? t({ id: 'chat.composer.next', defaultMessage: 'Write the next message. It is sent when this answer ends.' })
    : isFirst
      ? t({ id: 'chat.composer.first', defaultMessage: 'Ask a question' })
      : t({ id: 'chat.composer.reply', defaultMessage: 'Reply to {model}' }, { model: nameOf(answerer) });
  return (
    <div className={classes.place}>
      {tray}
      <div className={classes.composer}>
        <ComposerInput
          input={input}
          text={text}
          placeholder={placeholder}
          onText={onText}
          onEnter={() => isSendable && onSend()}
        />
        <div className={classes.bar}>
          <AnswererPicker {...picking} />
          <span className={classes.hint}>
            <Hint length={text.length} model={answerer.model} chatbotId={answerer.chatbot?.id} />
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
          <IconButton
            icon={running ? ListOrdered : ArrowUp}
            iconSize={18}
            size={32}
            variant="filled"
            className={classes.send}
            data-ready={(isSendable && !running) || undefined}
            label={
              running
                ? t({ id: 'chat.composer.queue', defaultMessage: 'Send after this answer' })
                : t({ id: 'chat.composer.send', defaultMessage: 'Send message' })
            }
            onClick={onSend}
            {...(reason && offBecause(t(reason)))}
          />
        </div>
      </div>
    </div>
  );
}

function reasonAgainst(text: string, isLoading: boolean) {
  if (isLoading) return loading;
  if (text.length > longest) return tooLong;
  return text.trim() === '' ? nothing : null;
}

function Hint({ length, model, chatbotId }: { length: number; model: Model | null; chatbotId: string | undefined }) {
  const { t } = useText();
  const isStale = useStaleSince() !== null;
  if (length > longest)
    return (
      <b className={classes.over} role="alert">
        {t(
          { id: 'chat.composer.tooLong', defaultMessage: '{count, number} characters too long' },
          { count: length - longest },
        )}
      </b>
    );
  if (length > warnFrom)
    return t(
      { id: 'chat.composer.left', defaultMessage: '{count, number} characters left' },
      { count: longest - length },
    );
  if (isStale) return t({ id: 'chat.composer.later', defaultMessage: 'Sent when the connection is back' });
  if (!model) return null;
  const where =
    model.providerName === null
      ? t({ id: 'chat.composer.stays', defaultMessage: 'Messages stay on this server' })
      : t({ id: 'chat.composer.goes', defaultMessage: 'Answered by {provider}' }, { provider: model.providerName });
  const otherwise = <span className={classes.where}>{where}</span>;
  return <BudgetLeft model={model.key} chatbotId={chatbotId} otherwise={otherwise} />;
}

function ComposerInput({
  input: given,
  text,
  placeholder,
  onText,
  onEnter,
}: {
  input: ComposerProps['input'];
  text: string;
  placeholder: string;
  onText: (text: string) => void;
  onEnter: () => void;
}) {
  const { t } = useText();
  const own = useRef<HTMLTextAreaElement>(null);
  const input = given ?? own;
  useLayoutEffect(() => {
    const element = input.current;
    // Where CSS cannot size the field by its content.
    if (!element || CSS.supports?.('field-sizing', 'content')) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [input, text]);
  useFocusOnMount(input);
  const press = (event: KeyboardEvent) => {
    // Enter also confirms a word in an input method: that is not sending.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onEnter();
  };
  return (
    <textarea
      ref={input}
      className={classes.input}
      rows={1}
      // Without a word "auto" is left to right, and so would be what stands in its place.
      dir={text === '' ? undefined : 'auto'}
      value={text}
      placeholder={placeholder}
      aria-label={t({ id: 'chat.composer.label', defaultMessage: 'Message' })}
      onChange={(event) => onText(event.currentTarget.value)}
      onKeyDown={press}
      enterKeyHint="send"
    />
  );
}

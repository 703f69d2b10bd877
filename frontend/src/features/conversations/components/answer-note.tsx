import { Button } from '@mantine/core';
import type { Message, Model, ModelKey } from '@parley/contracts';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { Note } from '../../../ui/note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { useModelName } from '../model-name.ts';
import { failureReasons } from './answer-state.ts';
import classes from './turn.module.css';

type Props = {
  message: Message;
  otherModel: Model | null;
  isBusy: boolean;
  /** The talk goes on from here. */ isLatest: boolean;
  onAskAgain: (model?: ModelKey) => void;
};

/** What ended the answer early, whether its text is kept, and what to do; nothing for a finished answer. */
export function AnswerNote({ message, otherModel, isBusy, isLatest, onAskAgain }: Props) {
  const { t } = useText();
  const nameOf = useModelName();
  const mayAsk = useRight('chat:create') && !isBusy;
  const off = useActionOff();
  const { generation } = message;
  if (!generation || !['stopped', 'failed', 'interrupted'].includes(generation.status)) return null;
  const kept = message.text === '' ? '' : t({ id: 'chat.note.kept', defaultMessage: 'The text above is kept.' });
  if (generation.status === 'stopped') {
    return (
      <p className={`${classes.note} p-sm p-quiet`}>
        {t({ id: 'chat.note.stopped', defaultMessage: 'Stopped by you.' })} {kept}
      </p>
    );
  }
  const isFailure = generation.status === 'failed';
  const title = !isFailure
    ? t({ id: 'chat.note.interrupted', defaultMessage: 'The answer was interrupted.' })
    : message.text === ''
      ? t({ id: 'chat.note.noAnswer', defaultMessage: 'There is no answer.' })
      : t({ id: 'chat.note.early', defaultMessage: 'The answer stopped early.' });
  const reason = isFailure
    ? t(failureReasons[generation.failure ?? 'internal'])
    : t({ id: 'chat.note.interruptedWhy', defaultMessage: 'The server was restarted while it wrote.' });
  const actions = mayAsk ? (
    <>
      <Button
        size="xs"
        variant={isLatest ? 'filled' : 'default'}
        onClick={() => onAskAgain(generation.model.key)}
        {...off}
      >
        {isFailure
          ? t({ id: 'chat.note.askAgain', defaultMessage: 'Ask again' })
          : t({ id: 'chat.note.retry', defaultMessage: 'Retry answer' })}
      </Button>
      {otherModel ? (
        <Button size="xs" variant="subtle" onClick={() => onAskAgain(otherModel.key)} {...off}>
          {t({ id: 'chat.note.askOther', defaultMessage: 'Ask {model}' }, { model: nameOf(otherModel) })}
        </Button>
      ) : null}
    </>
  ) : null;
  return (
    <div className={classes.note}>
      <Note kind={isFailure ? 'danger' : 'warning'} actions={actions}>
        <b>{title}</b> {reason} {kept}
        {generation.failureDetail ? (
          <details>
            <summary>{t({ id: 'chat.note.details', defaultMessage: 'What the server said' })}</summary>
            <span className="p-mono" dir="auto">
              {generation.failureDetail}
            </span>
          </details>
        ) : null}
      </Note>
    </div>
  );
}

import { Button } from '@mantine/core';
import { useLayoutEffect, useRef, useState } from 'react';
import { useText } from '../../../../lib/text.ts';
import { offBecause } from '../../../../ui/stale.tsx';
import { longestQuestion } from '../../state/question-limits.ts';
import { QuestionField } from '../question-field/index.tsx';
import classes from './question-edit.module.css';

type Props = {
  /** To begin with. */
  text: string;
  /** True if the question has files: then it needs no text. */
  hasFiles: boolean;
  hint: string;
  /** The label of the save button. */
  action: string;
  onText?: (text: string) => void;
  onSave: (text: string) => void;
  onCancel: () => void;
};

/** Replaces a question with a field that has its text. */
export function QuestionEdit({ text: begin, hasFiles, hint, action, onText, onSave, onCancel }: Props) {
  const { t } = useText();
  const [text, setText] = useState(begin);
  const input = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const field = input.current;
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }, []);
  // Scrolls the field into view with its buttons, also after it has grown.
  useLayoutEffect(() => {
    input.current?.parentElement?.scrollIntoView({ block: 'nearest' });
  }, [text]);
  const over = text.length - longestQuestion;
  const isSendable = (text.trim() !== '' || hasFiles) && over <= 0;
  return (
    <div className={classes.edit}>
      <QuestionField
        ref={input}
        text={text}
        label={t({ id: 'chat.edit.label', defaultMessage: 'Your question' })}
        onText={(next) => {
          setText(next);
          onText?.(next);
        }}
        onEnter={() => isSendable && onSave(text)}
        onEscape={onCancel}
      />
      <div className={classes.bar}>
        {over > 0 ? (
          <b className={`p-meta ${classes.over}`} role="alert">
            {t({ id: 'chat.composer.tooLong', defaultMessage: '{count, number} characters too long' }, { count: over })}
          </b>
        ) : (
          <span className={`p-meta ${classes.hint}`}>{hint}</span>
        )}
        <Button size="sm" variant="subtle" className={classes.cancel} onClick={onCancel}>
          {t({ id: 'dialog.confirm.cancel', defaultMessage: 'Cancel' })}
        </Button>
        <Button
          size="sm"
          onClick={() => onSave(text)}
          {...(isSendable
            ? undefined
            : offBecause(t({ id: 'chat.composer.nothing', defaultMessage: 'Write a message first' })))}
        >
          {action}
        </Button>
      </div>
    </div>
  );
}

import { Button } from '@mantine/core';
import { Check } from 'lucide-react';
import { useFormats } from '../../../lib/formats.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { useText } from '../../../lib/text.ts';
import { Note } from '../../../ui/note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import type { Saving } from './unsaved-field.ts';
import classes from './projects.module.css';

type Props<Value> = {
  saving: Saving<Value>;
  /** Returns a value in words. */
  shown: (value: Value) => string;
  onMine: () => void;
  onTheirs: () => void;
  onAgain: () => void;
  isTooLong?: boolean;
};

/** Says below a field that its value was saved, or why not. */
export function SavingNote<Value>({ saving, shown, onMine, onTheirs, onAgain, isTooLong = false }: Props<Value>) {
  const { t } = useText();
  const { clock } = useFormats();
  const describe = useProblemText();
  const off = useActionOff();
  const theirs = (
    <Button variant="default" size="xs" onClick={onTheirs}>
      {t({ id: 'project.conflict.theirs', defaultMessage: 'Use the saved version' })}
    </Button>
  );
  if (saving.kind === 'conflict') {
    const actions = (
      <>
        {theirs}
        <Button variant="default" size="xs" onClick={onMine} {...off}>
          {t({ id: 'project.conflict.mine', defaultMessage: 'Save mine' })}
        </Button>
      </>
    );
    return (
      <Note kind="warning" isAlert actions={actions}>
        {t({
          id: 'project.conflict.text',
          defaultMessage: 'Not saved: it was changed on another device. What you typed is kept. Saved there:',
        })}
        <span className={classes.theirs} dir="auto">
          {shown(saving.now) || t({ id: 'project.conflict.empty', defaultMessage: 'Empty' })}
        </span>
      </Note>
    );
  }
  if (isTooLong) return <div>{theirs}</div>;
  if (saving.kind === 'failed')
    return (
      <Note
        kind="danger"
        isAlert
        actions={
          <>
            {theirs}
            <Button variant="default" size="xs" onClick={onAgain} {...off}>
              {t({ id: 'project.field.again', defaultMessage: 'Save again' })}
            </Button>
          </>
        }
      >
        {t({ id: 'project.field.failed', defaultMessage: 'Not saved.' })} {describe(saving.error).text}
      </Note>
    );
  return (
    <output className={`p-meta ${classes.outcome}`}>
      {off ? (
        off.title
      ) : saving.kind === 'saved' ? (
        <>
          <Check size={14} />
          {t({ id: 'project.field.saved', defaultMessage: 'Saved {time}' }, { time: clock(saving.at) })}
        </>
      ) : saving.kind === 'saving' ? (
        t({ id: 'project.field.saving', defaultMessage: 'Saving…' })
      ) : null}
    </output>
  );
}

import { Textarea, TextInput } from '@mantine/core';
import type { Project } from '@parley/contracts';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { charactersOf } from '../../../lib/characters.ts';
import { useText } from '../../../lib/text.ts';
import { useActionOff } from '../../../ui/stale.tsx';
import { SavingNote } from './saving-note.tsx';
import { useSavedField } from './use-saved-field.ts';
import classes from './projects.module.css';

const pauseMs = 1_500;

type Props = {
  project: Project;
  field: 'name' | 'instructions';
  label: string;
  about?: ReactNode;
  longest: number;
  /** The error message if the field is empty; missing: the field can be empty. */
  missing?: string;
  isLong?: boolean;
};

/** Edits a text of a project, and saves it after a pause, on leaving the field, and when its panel closes. */
export function WordsField({ project, field, label, about, longest, missing, isLong = false }: Props) {
  const { t } = useText();
  const off = useActionOff();
  const isGood = (text: string) => charactersOf(text) <= longest && (missing === undefined || text.trim() !== '');
  const { value, isAhead, saving, change, drop, save } = useSavedField(project, field, isGood);
  const count = charactersOf(value);
  const over = count - longest;
  const isMissing = missing !== undefined && value.trim() === '';
  const isSendable = isAhead && isGood(value) && off === null && saving.kind !== 'conflict';
  const isWaiting = isSendable && saving.kind !== 'failed' && saving.kind !== 'saving';
  const flush = () => {
    if (isSendable) save();
  };
  const later = useEffectEvent(flush);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => later(), pauseMs);
    return () => clearTimeout(timer);
  }, [value, isWaiting]);
  const error = isMissing
    ? missing
    : over > 0
      ? t(
          {
            id: 'project.field.over',
            defaultMessage: 'Shorten it by {count, plural, one {# character} other {# characters}} to save it.',
          },
          { count: over },
        )
      : undefined;
  const shared = {
    label: (
      <span className={classes.label}>
        {label}
        {isLong ? <Count count={count} most={longest} /> : null}
      </span>
    ),
    description: about,
    'aria-label': label,
    value,
    dir: 'auto',
    readOnly: off !== null,
    error,
    onBlur: flush,
  };
  return (
    <div className={classes.field}>
      {isLong ? (
        <Textarea {...shared} rows={8} onChange={(event) => change(event.currentTarget.value)} />
      ) : (
        <TextInput
          {...shared}
          maxLength={longest}
          onChange={(event) => change(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.nativeEvent.isComposing) flush();
          }}
        />
      )}
      <SavingNote
        saving={saving}
        shown={(now) => now}
        onMine={save}
        onTheirs={drop}
        onAgain={flush}
        isTooLong={over > 0 && isAhead}
      />
    </div>
  );
}

function Count({ count, most }: { count: number; most: number }) {
  const { t } = useText();
  return (
    <span className={classes.counter} data-over={count > most || undefined}>
      {t(
        { id: 'project.field.count', defaultMessage: '{count, number} of {most, number} characters' },
        { count, most },
      )}
    </span>
  );
}

import { Textarea, TextInput } from '@mantine/core';
import type { Project } from '@parley/contracts';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
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
  const { value, draft, latest, saving, change, drop, save } = useSavedField(project, field);
  const over = value.length - longest;
  const isMissing = missing !== undefined && value.trim() === '';
  const isSendable = over <= 0 && !isMissing && off === null && saving.kind !== 'conflict' && saving.kind !== 'saving';
  const flush = () => {
    if (draft && isSendable) void save(draft.value, draft.base);
  };
  const later = useEffectEvent(flush);
  useEffect(() => {
    if (!isSendable || saving.kind === 'failed') return undefined;
    const timer = setTimeout(() => later(), pauseMs);
    return () => clearTimeout(timer);
  }, [value, isSendable, saving.kind]);
  const leave = useEffectEvent(() => {
    const left = latest.current;
    const isGood = left && left.value.length <= longest && (missing === undefined || left.value.trim() !== '');
    if (left && isGood && left.value !== left.base[field] && saving.kind !== 'conflict')
      void save(left.value, left.base);
  });
  // Save when a key closes the panel: the field gets no blur event.
  useEffect(() => () => leave(), []);
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
        {isLong ? <Count count={value.length} most={longest} /> : null}
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
        onMine={() => draft && void save(draft.value, draft.base)}
        onTheirs={drop}
        onAgain={flush}
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

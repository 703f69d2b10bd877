import { Button } from '@mantine/core';
import { X } from 'lucide-react';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import type { PeopleAct } from '../people-act.ts';
import { useActs } from '../use-acts.ts';
import type { Selection } from '../use-selection.ts';
import classes from './active-users.module.css';

type Props = { selection: Selection; onAct: (act: PeopleAct) => void };

/** Floats over the end of the list while somebody is chosen. */
export function SelectionBar({ selection: { people, clear }, onAct }: Props) {
  const { t } = useText();
  const acts = useActs(people);
  const off = useActionOff();
  return (
    <div
      className={classes.selection}
      role="toolbar"
      aria-label={t({ id: 'active.selection.label', defaultMessage: 'Chosen people' })}
    >
      <strong className={classes.chosen}>
        {t(
          { id: 'active.selection.count', defaultMessage: '{count, plural, one {# chosen} other {# chosen}}' },
          { count: people.length },
        )}
      </strong>
      {acts.map(({ kind, label, icon: Icon, isRed }) => (
        <Button
          key={kind}
          size="xs"
          variant="subtle"
          {...(isRed ? { color: 'red' } : { color: 'gray' })}
          leftSection={<Icon />}
          onClick={() => onAct({ kind, people })}
          {...off}
        >
          {label}
        </Button>
      ))}
      <IconButton
        icon={X}
        variant="subtle"
        label={t({ id: 'active.selection.clear', defaultMessage: 'Choose nobody' })}
        onClick={clear}
      />
    </div>
  );
}

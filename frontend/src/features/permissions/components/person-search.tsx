import { TextInput } from '@mantine/core';
import type { Member } from '@parley/contracts';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { useText } from '../../../lib/text.ts';
import { useSettled } from '../../../lib/use-settled.ts';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { useMembers } from '../queries.ts';
import { Person } from './people-of.tsx';
import classes from './people.module.css';

const mostShown = 6;

/** Finds members by the start of any word of the name; `without` leaves out those who are there already. */
export function PersonSearch({
  label,
  isFirst = false,
  without,
  onChoose,
}: {
  label: string;
  /** Takes the focus when its panel opens. */
  isFirst?: boolean;
  without?: (member: Member) => boolean;
  onChoose: (member: Member) => void;
}) {
  const { t } = useText();
  const [typed, setTyped] = useState('');
  const text = useSettled(typed.trim());
  const { items, error } = useMembers({ text });
  const isAsked = text !== '' && typed.trim() !== '';
  const found = isAsked ? items?.filter((member) => !without?.(member)).slice(0, mostShown) : undefined;
  return (
    <div className={classes.search}>
      <TextInput
        label={label}
        leftSection={<Search />}
        value={typed}
        maxLength={100}
        dir="auto"
        autoComplete="off"
        data-first={isFirst || undefined}
        placeholder={t({ id: 'permissions.person.placeholder', defaultMessage: 'Start of a name' })}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {error && isAsked ? <ErrorNote error={error} /> : null}
      {found ? (
        <ul className={`p-sm ${classes.people}`}>
          {found.map((member) => (
            <li key={member.userId}>
              <button
                type="button"
                className={classes.found}
                onClick={() => {
                  setTyped('');
                  onChoose(member);
                }}
              >
                <Person member={member} />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <output className="p-meta">
        {found?.length === 0
          ? t({ id: 'permissions.person.none', defaultMessage: 'Nobody else has a name that begins like this.' })
          : null}
      </output>
    </div>
  );
}

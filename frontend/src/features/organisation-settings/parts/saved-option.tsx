import type { ReactNode } from 'react';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { Note } from '../../../ui/note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import classes from './organisation-settings.module.css';

type Props = {
  readonly isOn: boolean;
  /** Disables the option, for instance while a change is being saved. */
  readonly isOff: boolean;
  readonly label: ReactNode;
  readonly about: ReactNode;
  readonly error: Error | null;
  readonly onChange: (isOn: boolean) => void;
};

/** An option with what it does. Each change is saved at once; why the last one was not is shown below. */
export function SavedOption({ isOn, isOff, label, about, error, onChange }: Props) {
  const describe = useProblemText();
  const off = useActionOff();
  return (
    <>
      <label className={classes.check}>
        <input
          type="checkbox"
          checked={isOn}
          disabled={off !== null || isOff}
          onChange={({ currentTarget: { checked } }) => onChange(checked)}
        />
        <span>
          {label}
          <span className="p-meta" style={{ display: 'block' }}>
            {about}
          </span>
        </span>
      </label>
      {error ? (
        <Note kind="danger" isAlert>
          {describe(error).text}
        </Note>
      ) : null}
    </>
  );
}

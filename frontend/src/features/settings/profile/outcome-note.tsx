import { Button } from '@mantine/core';
import { Check } from 'lucide-react';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { useText } from '../../../lib/text.ts';
import { Note } from '../../../ui/note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import type { Outcome, ProfileChange } from './use-profile-changes.ts';
import classes from '../parts/settings.module.css';

type Props = {
  field: ProfileChange['field'];
  outcome: Outcome | null;
  save: (change: ProfileChange, isUndo?: boolean) => void;
  forget: () => void;
  /** A value in the words that the field has for it. */
  nameOf: (value: string | null) => string;
};

/** Below the field that was left last: saved with its undo, or why not. */
export function OutcomeNote({ field, outcome, save, forget, nameOf }: Props) {
  const off = useActionOff();
  const of = outcome?.change.field === field ? outcome : null;
  if (of?.kind === 'conflict') return <Conflict outcome={of} save={save} forget={forget} nameOf={nameOf} />;
  if (of?.kind === 'failed') return <Failed outcome={of} save={save} />;
  return (
    <output className={`p-meta ${classes.outcome}`}>
      {off ? off.title : of?.kind === 'saved' ? <Saved outcome={of} save={save} /> : null}
    </output>
  );
}

type Of<Kind extends Outcome['kind']> = Extract<Outcome, { kind: Kind }>;

function Saved({ outcome: { before, isUndo }, save }: { outcome: Of<'saved'> } & Pick<Props, 'save'>) {
  const { t } = useText();
  return (
    <>
      <Check size={14} />
      {isUndo
        ? t({ id: 'settings.outcome.undone', defaultMessage: 'Taken back' })
        : t({ id: 'settings.outcome.saved', defaultMessage: 'Saved' })}
      {isUndo ? null : (
        <>
          <span aria-hidden="true">·</span>
          <button type="button" className="p-link" onClick={() => save(before, true)}>
            {t({ id: 'settings.outcome.undo', defaultMessage: 'Undo' })}
          </button>
        </>
      )}
    </>
  );
}

function Conflict({
  outcome: { change, now },
  save,
  forget,
  nameOf,
}: { outcome: Of<'conflict'> } & Omit<Props, 'outcome' | 'field'>) {
  const { t, rich } = useText();
  const off = useActionOff();
  const actions = (
    <>
      <Button variant="default" size="xs" onClick={forget}>
        {t({ id: 'settings.conflict.keep', defaultMessage: 'Keep it as it is' })}
      </Button>
      <Button variant="default" size="xs" onClick={() => save(change)} {...off}>
        {t({ id: 'settings.conflict.mine', defaultMessage: 'Save mine' })}
      </Button>
    </>
  );
  return (
    <Note kind="warning" isAlert actions={actions}>
      {rich(
        {
          id: 'settings.conflict.text',
          defaultMessage: 'Changed on another device meanwhile. Now it is {now}; yours was {mine}.',
        },
        { now: <bdi key="now">{nameOf(now)}</bdi>, mine: <bdi key="mine">{nameOf(change.value)}</bdi> },
      )}
    </Note>
  );
}

function Failed({ outcome: { change, error }, save }: { outcome: Of<'failed'> } & Pick<Props, 'save'>) {
  const { t } = useText();
  const describe = useProblemText();
  const off = useActionOff();
  const again = (
    <Button variant="default" size="xs" onClick={() => save(change)} {...off}>
      {t({ id: 'settings.outcome.again', defaultMessage: 'Save again' })}
    </Button>
  );
  return (
    <Note kind="danger" isAlert actions={again}>
      {t({ id: 'settings.outcome.failed', defaultMessage: 'Not saved.' })} {describe(error).text}
    </Note>
  );
}

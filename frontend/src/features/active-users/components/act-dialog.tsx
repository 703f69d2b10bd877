import { Button, NativeSelect, TextInput } from '@mantine/core';
import type { RoleKey } from '@parley/contracts';
import { useState, type FormEvent } from 'react';
import { useText } from '../../../lib/text.ts';
import { useRoles } from '../../../domain/role/use-roles.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { offBecause, useActionOff } from '../../../ui/stale.tsx';
import type { PeopleAct } from '../people-act.ts';
import { useActWords } from '../use-act-words.ts';
import { useManyMembers } from '../use-many-members.ts';
import form from '../../../ui/form.module.css';
import { ActOutcomes } from './act-outcomes.tsx';

const longestReason = 300;
type Props = { act: PeopleAct; onClose: () => void; onDone: () => void };

/** Asks before something is done to people: what comes of it for each, and why. Whoever could not be changed stays in it. */
export function ActDialog({ act, onClose, onDone }: Props) {
  const { t } = useText();
  const { mine } = useRoles();
  const [role, setRole] = useState<RoleKey>(() => act.people[0]?.role ?? 'member');
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  const { preview, able, change } = useManyMembers(act, role);
  const words = useActWords(act, able.length);
  const error = change.error ?? preview.error;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reason.trim() === '') return setMissing(true);
    if (able.length === 0 || change.isPending) return;
    change.mutate(reason.trim(), {
      onSuccess: (outcomes) => [...outcomes.values()].every((code) => code === null) && onDone(),
    });
  };
  if (change.data)
    return (
      <Dialog
        title={t({ id: 'active.partly.title', defaultMessage: 'Not everybody could be changed' })}
        onClose={onDone}
      >
        <div className={form.form}>
          <ActOutcomes act={{ ...act, people: able }} role={role} outcomes={change.data} isDone />
          <div className={form.endsAtEnd}>
            <Button onClick={onDone}>{t({ id: 'active.partly.close', defaultMessage: 'Close' })}</Button>
          </div>
        </div>
      </Dialog>
    );
  return (
    <Dialog title={words.title} onClose={onClose}>
      <form className={form.form} noValidate onSubmit={submit}>
        <p className="p-quiet">{words.about}</p>
        {act.kind === 'role' ? <RoleField role={role} offered={mine.map(({ id }) => id)} onChange={setRole} /> : null}
        {preview.data ? <ActOutcomes act={act} role={role} outcomes={preview.data} isDone={false} /> : null}
        <TextInput
          name="reason"
          label={t({ id: 'active.reason.label', defaultMessage: 'Reason' })}
          description={t({
            id: 'active.reason.about',
            defaultMessage: 'It’s recorded in the audit log, and the person can read it.',
          })}
          {...(act.kind !== 'role' && { 'data-autofocus': true })}
          dir="auto"
          value={reason}
          maxLength={longestReason}
          error={
            isMissing && reason.trim() === ''
              ? t({ id: 'active.reason.missing', defaultMessage: 'Say why, in a few words.' })
              : undefined
          }
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <ErrorNote error={error} />
        <Actions
          act={act}
          isReady={preview.data !== undefined}
          able={able.length}
          isBusy={change.isPending}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}

type FieldProps = { role: RoleKey; offered: readonly RoleKey[]; onChange: (role: RoleKey) => void };

function RoleField({ role, offered, onChange }: FieldProps) {
  const { t } = useText();
  const { nameOf } = useRoles();
  const ids = offered.includes(role) ? offered : [role, ...offered];
  return (
    <NativeSelect
      name="role"
      label={t({ id: 'active.column.role', defaultMessage: 'Role' })}
      description={t({ id: 'active.role.limit', defaultMessage: 'You can only grant permissions you have.' })}
      value={role}
      data-autofocus
      data={ids.map((id) => ({ value: id, label: nameOf(id) }))}
      onChange={(event) => onChange(event.currentTarget.value as RoleKey)}
    />
  );
}

type ActionsProps = { act: PeopleAct; isReady: boolean; able: number; isBusy: boolean; onClose: () => void };

function Actions({ act, isReady, able, isBusy, onClose }: ActionsProps) {
  const { t } = useText();
  const words = useActWords(act, able || act.people.length);
  const stale = useActionOff();
  const nobody =
    isReady && able === 0 ? offBecause(t({ id: 'active.off.nobody', defaultMessage: 'Nobody would change' })) : null;
  const takes = act.kind === 'suspend' || act.kind === 'end';
  return (
    <div className={form.endsAtEnd}>
      {nobody ? <span className="p-sm p-quiet">{nobody.title}</span> : null}
      <Button variant="subtle" onClick={onClose}>
        {t({ id: 'active.dialog.cancel', defaultMessage: 'Cancel' })}
      </Button>
      <Button type="submit" {...(takes && { color: 'red' })} loading={isBusy || !isReady} {...(stale ?? nobody)}>
        {words.confirm}
      </Button>
    </div>
  );
}

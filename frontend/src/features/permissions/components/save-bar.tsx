import { Button } from '@mantine/core';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { useRoleName } from '../../../domain/role/role-names.ts';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { cutName } from '../../../ui/cut-name.tsx';
import { Note } from '../../../ui/note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { useCatalogue } from '../../../domain/permission/permission-catalogue.ts';
import { effectOf, type Meanwhile } from '../role-edits.ts';
import type { RoleEditing } from '../use-role-edits.ts';
import classes from './save-bar.module.css';

/** Below the matrix while cells are changed and not saved: who gains, who loses, and what others changed meanwhile. */
export function SaveBar({ editing, onSeeWho }: { editing: RoleEditing; onSeeWho: () => void }) {
  const { t, rich } = useText();
  const off = useActionOff();
  const maySeePeople = useRight('member:read');
  const { changes, meanwhile, refused, isSaving } = editing;
  if (changes.length === 0 && meanwhile.length === 0) return null;
  return (
    <div className={classes.place}>
      {meanwhile.map((one) => (
        <MeanwhileNote key={one.base.id} meanwhile={one} onDone={() => editing.catchUp(one)} />
      ))}
      {refused.map(({ role, error }) => (
        <RefusedNote key={role.id} name={role.name ?? ''} error={error} />
      ))}
      {changes.length > 0 ? (
        <div className={classes.bar}>
          <output className={`p-sm ${classes.text}`}>
            <i className={classes.dot} aria-hidden="true" />
            <span>
              {rich(
                {
                  id: 'permissions.save.effect',
                  defaultMessage:
                    '<b>{cells, plural, one {# change} other {# changes}} not saved.</b> {gain, plural, =0 {Nobody gains} one {# person gains} other {# people gain}}, {lose, plural, =0 {nobody loses} one {# person loses} other {# people lose}}.',
                },
                { ...effectOf(changes), b: (parts) => <b key="b">{parts}</b> },
              )}
            </span>
          </output>
          <div className={classes.actions}>
            <Button variant="subtle" onClick={editing.discard}>
              {t({ id: 'permissions.save.discard', defaultMessage: 'Discard' })}
            </Button>
            {maySeePeople ? (
              <Button variant="default" onClick={onSeeWho}>
                {t({ id: 'permissions.save.who', defaultMessage: 'See who' })}
              </Button>
            ) : null}
            <Button loading={isSaving} onClick={editing.save} {...off}>
              {t({ id: 'permissions.save.save', defaultMessage: 'Save' })}
            </Button>
          </div>
        </div>
      ) : null}
    </div>
  );
}

/** What became of the role while one was at it. The own cells stay unsaved over the new state. */
function MeanwhileNote({ meanwhile, onDone }: { meanwhile: Meanwhile; onDone: () => void }) {
  const { t, rich, intl } = useText();
  const roleName = useRoleName();
  const { nameOf } = useCatalogue();
  const { base, current, added, taken } = meanwhile;
  const values = {
    role: roleName(current ?? base),
    added: intl.formatList(added.map(nameOf)),
    taken: intl.formatList(taken.map(nameOf)),
    addedCount: added.length,
    takenCount: taken.length,
    name: cutName,
  };
  const done = (
    <Button variant="default" size="xs" onClick={onDone}>
      {current
        ? t({ id: 'permissions.meanwhile.seen', defaultMessage: 'Go on with the new state' })
        : t({ id: 'permissions.meanwhile.drop', defaultMessage: 'Drop these changes' })}
    </Button>
  );
  return (
    <Note kind="warning" isAlert actions={done}>
      {current
        ? rich(
            {
              id: 'permissions.meanwhile.changed',
              defaultMessage:
                'Somebody else changed <name>{role}</name> meanwhile{addedCount, plural, =0 {} other {; given: {added}}}{takenCount, plural, =0 {} other {; taken: {taken}}}. Your own changes are still here and not saved.',
            },
            values,
          )
        : rich(
            {
              id: 'permissions.meanwhile.deleted',
              defaultMessage: 'Somebody else deleted <name>{role}</name> meanwhile, so it cannot be changed any more.',
            },
            values,
          )}
    </Note>
  );
}

function RefusedNote({ name, error }: { name: string; error: Error }) {
  const { rich } = useText();
  const describe = useProblemText();
  return (
    <Note kind="danger" isAlert>
      {rich(
        { id: 'permissions.save.refused', defaultMessage: '<name>{role}</name> is not saved.' },
        { role: name, name: cutName },
      )}{' '}
      {describe(error).text}
    </Note>
  );
}

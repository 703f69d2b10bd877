import type { AuditAct, AuditEntry, UserId } from '@parley/contracts';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { PersonAvatar } from '../../../ui/avatar.tsx';
import table from '../../../ui/table.module.css';
import { changesOf } from '../audit-changes.ts';
import classes from '../organisation-settings.module.css';

type Props = {
  entry: AuditEntry;
  acts: Record<AuditAct, string>;
  onActor: (userId: UserId) => void;
  onTarget: (target: string) => void;
};

/** Who and whom it was done to show all that there is of them. */
export function AuditCells({ entry, acts, onActor, onTarget }: Props) {
  const { t } = useText();
  const { ago, exact, number } = useFormats();
  const { act, actor, target, reason, at, count } = entry;
  return (
    <>
      <td className={classes.what}>
        <span className={table.name}>
          {acts[act]}
          {count > 1 ? <span className={classes.times}> {`× ${number(count)}`}</span> : null}
        </span>
        <Only
          label={t({ id: 'organisation.audit.onlyTarget', defaultMessage: 'Only {name}' }, { name: target.name })}
          onClick={() => onTarget(target.id)}
        >
          {act === 'access.denied' ? (
            <code className={table.second} dir="ltr">
              {target.name}
            </code>
          ) : (
            <bdi className={table.second}>{target.name}</bdi>
          )}
        </Only>
      </td>
      <td>
        <span className={table.named}>
          <PersonAvatar id={actor.userId} name={actor.name} size={24} />
          <span>
            <Only
              label={t(
                { id: 'organisation.audit.onlyActor', defaultMessage: 'Only acts of {name}' },
                { name: actor.name },
              )}
              onClick={() => onActor(actor.userId)}
            >
              <bdi>{actor.name}</bdi>
            </Only>
            {actor.isPlatformAdmin ? (
              <span className={table.second}>
                {t({ id: 'organisation.audit.platformAdmin', defaultMessage: 'Platform admin' })}
              </span>
            ) : null}
          </span>
        </span>
      </td>
      <td className={classes.change}>
        {changesOf(entry).map((line) => (
          <code key={line} className={table.second} dir="ltr">
            {line}
          </code>
        ))}
        {reason === null ? null : <bdi className={table.second}>{reason}</bdi>}
      </td>
      <td className={table.quiet} title={exact(at)}>
        {ago(at)}
      </td>
    </>
  );
}

function Only({ label, onClick, children }: { label: string; onClick: () => void; children: React.ReactNode }) {
  return (
    <button type="button" className={classes.only} title={label} onClick={onClick}>
      {children}
    </button>
  );
}

import type { AuditAct, AuditEntry } from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import { ChevronDown } from 'lucide-react';
import { clockTime, useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { PersonAvatar } from '../../../domain/picture/avatar.tsx';
import table from '../../../ui/table.module.css';
import { useAuditLines } from './use-audit-lines.ts';
import classes from './audit.module.css';
import { Status } from '../../../ui/list-table.tsx';

type Props = {
  entry: AuditEntry;
  acts: Record<AuditAct, string>;
  isOpen: boolean;
  onToggle: () => void;
  onActor: (userId: UserId) => void;
  onTarget: (target: string) => void;
};

/** Who and whom it was done to show all that there is of them; the act opens what it changed. */
export function AuditCells({ entry, acts, isOpen, onToggle, onActor, onTarget }: Props) {
  const { t } = useText();
  const { exact } = useFormats();
  const when = useWhen();
  const { act, actor, at, count } = entry;
  return (
    <>
      <td className={classes.when} title={exact(at)}>
        {when(at)}
      </td>
      <td className={classes.who} data-label={t({ id: 'organisation.audit.who', defaultMessage: 'Who' })}>
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
      <td className={classes.did}>
        <button type="button" className={`p-plain ${classes.open}`} aria-expanded={isOpen} onClick={onToggle}>
          {acts[act]}
          <ChevronDown size={14} />
        </button>
      </td>
      <td className={classes.to} data-label={t({ id: 'organisation.audit.to', defaultMessage: 'To' })}>
        <Target entry={entry} onTarget={onTarget} />
      </td>
      <td className={classes.result}>
        <Result act={act} count={count} />
      </td>
    </>
  );
}

function Result({ act, count }: Pick<AuditEntry, 'act' | 'count'>) {
  const { t } = useText();
  const kind = act === 'access.denied' ? 'off' : act === 'import.failed' ? 'bad' : 'ok';
  return (
    <Status kind={kind}>
      {kind === 'off'
        ? t(
            {
              id: 'organisation.audit.refused',
              defaultMessage: '{count, plural, one {Refused} other {Refused # times}}',
            },
            { count },
          )
        : kind === 'bad'
          ? t({ id: 'organisation.audit.failedResult', defaultMessage: 'Failed' })
          : t({ id: 'organisation.audit.done', defaultMessage: 'Done' })}
    </Status>
  );
}

const isOfDocuments = (act: AuditAct): boolean => act.startsWith('documents.');
const isCode = ({ of }: AuditEntry['target']): boolean => of === 'route' || of === 'address';

/** Shows the target of the act, with a count or the first change. */
function Target({ entry: { act, target, changes, count }, onTarget }: Pick<Props, 'entry' | 'onTarget'>) {
  const { t } = useText();
  const { number } = useFormats();
  const { lineOf, targetOf } = useAuditLines();
  const name = targetOf(target);
  const [first, ...others] = changes;
  const line = isOfDocuments(act)
    ? t(
        { id: 'organisation.audit.documents', defaultMessage: '{count, plural, one {# document} other {# documents}}' },
        { count },
      )
    : first && lineOf(first);
  return (
    <span className={table.named}>
      {target.of === 'person' && target.name !== null ? (
        <PersonAvatar id={target.id} name={target.name} size={24} />
      ) : null}
      <span>
        <Only
          label={t({ id: 'organisation.audit.onlyTarget', defaultMessage: 'Only {name}' }, { name })}
          onClick={() => onTarget(target.id)}
        >
          {isCode(target) ? <code dir="ltr">{name}</code> : <bdi>{name}</bdi>}
        </Only>
        {line === undefined ? null : (
          <span className={table.second}>
            {others.length === 0
              ? line
              : t(
                  { id: 'organisation.audit.line.more', defaultMessage: '{line}, {count} more' },
                  { line, count: number(others.length) },
                )}
          </span>
        )}
      </span>
    </span>
  );
}

/** The time of day of today's entries, day and time of earlier ones. */
function useWhen(): (at: string) => string {
  const { intl } = useText();
  const { minute } = useFormats();
  const isToday = (at: string) => new Date(at).toDateString() === new Date().toDateString();
  return (at) => (isToday(at) ? intl.formatDate(at, { ...clockTime, second: '2-digit' }) : minute(at));
}

function Only({ label, onClick, children }: { label: string; onClick: () => void; children: React.ReactNode }) {
  return (
    <button type="button" className={`p-plain ${classes.only}`} title={label} onClick={onClick}>
      {children}
    </button>
  );
}

import type { AuditEntry } from '@parley/contracts';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { useAuditLines } from './use-audit-lines.ts';
import classes from './audit.module.css';

/** All that an act changed, line by line, and why. */
export function AuditDetails({ entry: { id, at, changes, reason } }: { entry: AuditEntry }) {
  const { t } = useText();
  const { exact } = useFormats();
  const { differenceOf } = useAuditLines();
  return (
    <div className={classes.details}>
      <div className={classes.changed}>
        {changes.length === 0 ? null : (
          <ul className={classes.lines}>
            {changes
              .map(differenceOf)
              .flatMap(({ field, label, removed, added }) => [
                ...removed.map((text) => <Line key={`${field} - ${text}`} kind="removed" label={label} text={text} />),
                ...added.map((text) => <Line key={`${field} + ${text}`} kind="added" label={label} text={text} />),
              ])}
          </ul>
        )}
        {reason === null ? null : (
          <p className={classes.reason}>
            {t({ id: 'organisation.audit.reason', defaultMessage: 'Reason: “{reason}”' }, { reason })}
          </p>
        )}
      </div>
      <dl className={`p-facts ${classes.facts}`}>
        <dt>{t({ id: 'organisation.audit.time', defaultMessage: 'Time' })}</dt>
        <dd>{exact(at)}</dd>
        <dt>{t({ id: 'organisation.audit.entry', defaultMessage: 'Entry' })}</dt>
        <dd>
          <code dir="ltr">{id}</code>
        </dd>
      </dl>
    </div>
  );
}

function Line({ kind, label, text }: { kind: 'removed' | 'added'; label: string; text: string }) {
  const { t } = useText();
  return (
    <li data-kind={kind}>
      <span aria-hidden="true" className={classes.sign}>
        {kind === 'removed' ? '−' : '+'}
      </span>
      <span className={classes.label}>{label}</span>
      <span className="p-hidden">
        {kind === 'removed'
          ? t({ id: 'organisation.audit.removed', defaultMessage: 'Before: {text}' }, { text })
          : t({ id: 'organisation.audit.added', defaultMessage: 'After: {text}' }, { text })}
      </span>
      <bdi aria-hidden="true" className={classes.value}>
        {text}
      </bdi>
    </li>
  );
}

import { Check } from 'lucide-react';
import { useText } from '../../../lib/text.ts';
import { isOwnOnly } from '../../../domain/permission/permission-catalogue.ts';
import type { Permission } from '@parley/contracts/permissions';
import classes from './mark.module.css';

export type MarkKind = 'allowed' | 'own' | 'none';

export const markOf = (permission: Permission, isGiven: boolean): MarkKind =>
  isGiven ? (isOwnOnly(permission) ? 'own' : 'allowed') : 'none';

/** Shape first: check, half disc, dot. */
export function Mark({ kind }: { kind: MarkKind }) {
  if (kind === 'allowed') return <Check strokeWidth={2} className={classes.mark} data-kind={kind} />;
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" className={classes.mark} data-kind={kind}>
      {kind === 'own' ? (
        <>
          <circle cx="8" cy="8" r="5.25" className={classes.ring} />
          <path d="M8 2.75a5.25 5.25 0 0 1 0 10.5z" className={classes.fill} />
        </>
      ) : (
        <circle cx="8" cy="8" r="2.25" className={classes.fill} />
      )}
    </svg>
  );
}

export function useMarkNames(): Record<MarkKind, string> {
  const { t } = useText();
  return {
    allowed: t({ id: 'permissions.mark.allowed', defaultMessage: 'allowed' }),
    own: t({ id: 'permissions.mark.own', defaultMessage: 'allowed for one’s own' }),
    none: t({ id: 'permissions.mark.none', defaultMessage: 'not given' }),
  };
}

/** Below the matrix: what its shapes say. */
export function Legend() {
  const { t } = useText();
  const entries: [MarkKind, string][] = [
    ['allowed', t({ id: 'permissions.legend.allowed', defaultMessage: 'Allowed' })],
    ['own', t({ id: 'permissions.legend.own', defaultMessage: 'Allowed for one’s own chats only' })],
    ['none', t({ id: 'permissions.legend.none', defaultMessage: 'Not given' })],
  ];
  return (
    <ul className={`p-meta ${classes.legend}`}>
      {entries.map(([kind, label]) => (
        <li key={kind}>
          <Mark kind={kind} />
          {label}
        </li>
      ))}
    </ul>
  );
}

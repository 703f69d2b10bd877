import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { auditFields } from '../state/audit-words.ts';
import type { ShownLimit } from './use-organisation-limits.ts';

/** Returns the names of limits, as the audit log has them. */
export function useLimitName(): (quota: ShownLimit['quota']) => string {
  const { t } = useText();
  return (quota) => {
    if (quota === 'groups') return t(auditFields.groupCount);
    if (quota === 'roles') return t(auditFields.roleCount);
    return t(auditFields[quota]);
  };
}

/** Returns a writer of amounts: storage as a size, all else as a number. */
export function useLimitAmount(): (quota: ShownLimit['quota'], amount: number) => string {
  const { number, size } = useFormats();
  return (quota, amount) => (quota === 'storage' ? size(amount) : number(amount));
}

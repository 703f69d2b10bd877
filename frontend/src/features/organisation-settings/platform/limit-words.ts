import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { auditFields } from '../state/audit-words.ts';
import type { ShownLimit } from './use-organisation-limits.ts';

/** Returns the names of limits, as the audit log has them. */
export function useLimitName(): (stock: ShownLimit['stock']) => string {
  const { t } = useText();
  return (stock) => {
    if (stock === 'groups') return t(auditFields.groupCount);
    if (stock === 'roles') return t(auditFields.roleCount);
    return t(auditFields[stock]);
  };
}

/** Returns a writer of amounts: storage as a size, all else as a number. */
export function useLimitAmount(): (stock: ShownLimit['stock'], amount: number) => string {
  const { number, size } = useFormats();
  return (stock, amount) => (stock === 'storage' ? size(amount) : number(amount));
}

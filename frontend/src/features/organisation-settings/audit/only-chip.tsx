import { X } from 'lucide-react';
import { useText } from '../../../lib/text.ts';
import table from '../../../ui/table.module.css';

/** A filter by one person or thing, by its name. */
export function OnlyChip({ children, onRemove }: { children: string; onRemove: () => void }) {
  const { t } = useText();
  const label = t(
    { id: 'organisation.audit.notOnly', defaultMessage: '{name}, remove this filter' },
    { name: children },
  );
  return (
    <button type="button" className={table.chip} aria-pressed="true" aria-label={label} onClick={onRemove}>
      <bdi>{children}</bdi>
      <X size={14} />
    </button>
  );
}

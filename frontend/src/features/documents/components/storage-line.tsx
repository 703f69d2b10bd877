import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import table from '../../../ui/table.module.css';

/** How much of the storage quota the organisation uses. */
export function StorageLine({ usedBytes, quotaBytes }: { usedBytes: number; quotaBytes: number }) {
  const { t } = useText();
  const { size } = useFormats();
  const values = { used: size(usedBytes), quota: size(quotaBytes) };
  return (
    <p className={table.foot}>
      {usedBytes < quotaBytes
        ? t({ id: 'documents.storage.used', defaultMessage: '{used} of {quota} storage used' }, values)
        : t(
            {
              id: 'documents.storage.full',
              defaultMessage: '{used} of {quota} storage used. Delete documents to upload again.',
            },
            values,
          )}
    </p>
  );
}

import { Button, NativeSelect, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { useText } from '../../../../lib/text.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { useDocuments } from '../../state/use-document-names.ts';
import classes from './passage-rows.module.css';

/** An empty document is not chosen yet. */
export type PassageRow = { readonly documentId: string; readonly words: string };
const mostRows = 10;

/** Documents of which a passage has to be found, each with words that stand in it, if one likes. */
export function PassageRows({
  rows,
  onChange,
}: {
  rows: readonly PassageRow[];
  onChange: (rows: PassageRow[]) => void;
}) {
  const { t } = useText();
  const { data } = useDocuments();
  const documents = data?.items ?? [];
  const set = (at: number, part: Partial<PassageRow>) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...part } : row)));
  const optionsOf = (chosen: string) => [
    { value: '', label: t({ id: 'studio.test.choose', defaultMessage: 'Choose a document' }) },
    ...documents.map(({ id, name }) => ({ value: id as string, label: name })),
    ...(chosen !== '' && data && !documents.some(({ id }) => id === chosen)
      ? [{ value: chosen, label: t({ id: 'studio.test.otherDocument', defaultMessage: 'Another document' }) }]
      : []),
  ];
  return (
    <fieldset className={classes.rows}>
      <legend>{t({ id: 'studio.test.passages', defaultMessage: 'A passage is found in' })}</legend>
      {rows.map((row, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a row is its place: it has no other identity
        <div key={at} className={classes.row}>
          <NativeSelect
            aria-label={t(
              { id: 'studio.test.document', defaultMessage: 'Document {number}' },
              { number: String(at + 1) },
            )}
            value={row.documentId}
            data={optionsOf(row.documentId)}
            onChange={(event) => set(at, { documentId: event.currentTarget.value })}
          />
          <TextInput
            aria-label={t(
              { id: 'studio.test.passageWords', defaultMessage: 'Words of the passage {number}' },
              { number: String(at + 1) },
            )}
            placeholder={t({ id: 'studio.test.anyWords', defaultMessage: 'with these words (optional)' })}
            value={row.words}
            maxLength={200}
            dir="auto"
            onChange={(event) => set(at, { words: event.currentTarget.value })}
          />
          <IconButton
            icon={X}
            label={t(
              { id: 'studio.test.removePassage', defaultMessage: 'Remove document {number}' },
              { number: String(at + 1) },
            )}
            onClick={() => onChange(rows.filter((_row, index) => index !== at))}
          />
        </div>
      ))}
      {rows.length < mostRows ? (
        <div>
          <Button
            variant="default"
            size="xs"
            leftSection={<Plus size={14} />}
            onClick={() => onChange([...rows, { documentId: '', words: '' }])}
          >
            {t({ id: 'studio.test.addPassage', defaultMessage: 'Add document' })}
          </Button>
        </div>
      ) : null}
    </fieldset>
  );
}

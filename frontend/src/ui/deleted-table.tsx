import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormats } from '../lib/formats.ts';
import { useText } from '../lib/text.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { cutName } from './cut-name.tsx';
import classes from './deleted-table.module.css';
import { ListTable } from './list-table.tsx';
import { useActionOff } from './stale.tsx';
import table from './table.module.css';
import { useErrorToast } from './error-toast.ts';
import { useToast } from './toast.tsx';

type DeletedItem = { readonly id: string; readonly deletedAt: string; readonly eraseAt: string };
type Acts<Item> = {
  readonly restore: (item: Item) => Promise<unknown>;
  /** Absent: nothing is erased before its day. */
  readonly erase?: (item: Item) => Promise<unknown>;
  /** After either, done or refused. */
  readonly refresh: () => Promise<unknown>;
};
type Props<Item> = Acts<Item> & {
  readonly items: readonly Item[];
  readonly nameOf: (item: Item) => string;
  /** A second line below the name. */
  readonly aboutOf?: (item: Item) => string;
  /** Where it does not come back by other means; all unless given. */
  readonly isRestorable?: (item: Item) => boolean;
  /** What the first column names. */
  readonly label: string;
  /** What is lost, in the dialog that asks. */
  readonly loss?: string;
};

/** What was deleted, with the day on which it is erased: restored, or erased at once to free its space. */
export function DeletedTable<Item extends DeletedItem>(props: Props<Item>) {
  const { items, nameOf, aboutOf, isRestorable, label, loss, ...acts } = props;
  const { t } = useText();
  const { ago, date, exact } = useFormats();
  const [erased, setErased] = useState<Item | null>(null);
  const erasedOn = t({ id: 'deleted.column.eraseAt', defaultMessage: 'Erased for good' });
  const columns = [
    { key: 'name', label },
    { key: 'deletedAt', label: t({ id: 'deleted.column.deletedAt', defaultMessage: 'Deleted' }) },
    { key: 'eraseAt', label: erasedOn },
    { key: 'actions', label: t({ id: 'deleted.column.actions', defaultMessage: 'Actions' }), isHidden: true },
  ];
  return (
    <>
      <ListTable
        columns={columns}
        items={items}
        cells={(item) => (
          <>
            <td>
              <bdi className={table.name}>{nameOf(item)}</bdi>
              {aboutOf ? <span className={table.second}>{aboutOf(item)}</span> : null}
            </td>
            <td
              className={table.quiet}
              data-label={t({ id: 'deleted.column.deletedAt', defaultMessage: 'Deleted' })}
              title={exact(item.deletedAt)}
            >
              {ago(item.deletedAt)}
            </td>
            <td className={table.quiet} data-label={erasedOn} title={exact(item.eraseAt)}>
              {date(item.eraseAt)}
            </td>
            <td className={`${table.actions} ${classes.actions}`}>
              <RowActions
                item={item}
                name={nameOf(item)}
                acts={acts}
                isRestorable={isRestorable?.(item) ?? true}
                onErase={() => setErased(item)}
              />
            </td>
          </>
        )}
      />
      {erased ? (
        <EraseDialog item={erased} name={nameOf(erased)} acts={acts} loss={loss} onClose={() => setErased(null)} />
      ) : null}
    </>
  );
}

type OfItem<Item> = { readonly item: Item; readonly name: string; readonly acts: Acts<Item> };

type RowProps<Item> = OfItem<Item> & { readonly isRestorable: boolean; readonly onErase: () => void };

function RowActions<Item>({ item, name, acts, isRestorable, onErase }: RowProps<Item>) {
  const { t, rich } = useText();
  const off = useActionOff();
  const toast = useToast();
  const showError = useErrorToast();
  const { restore, refresh } = acts;
  const restoring = useMutation({
    mutationFn: () => restore(item),
    onSuccess: () =>
      toast({
        text: rich(
          { id: 'deleted.restore.done', defaultMessage: '“<name>{title}</name>” was restored.' },
          { title: name, name: cutName },
        ),
      }),
    onError: showError,
    onSettled: refresh,
  });
  return (
    <div className={table.rowActions}>
      {isRestorable ? (
        <Button
          variant="default"
          size="xs"
          loading={restoring.isPending}
          aria-label={t({ id: 'deleted.restore.name', defaultMessage: 'Restore {name}' }, { name })}
          onClick={() => restoring.mutate()}
          {...off}
        >
          {t({ id: 'deleted.restore.label', defaultMessage: 'Restore' })}
        </Button>
      ) : null}
      {acts.erase ? (
        <Button
          variant="subtle"
          size="xs"
          aria-label={t({ id: 'deleted.erase.name', defaultMessage: 'Delete permanently: {name}' }, { name })}
          onClick={onErase}
          {...off}
        >
          {t({ id: 'deleted.erase.label', defaultMessage: 'Delete permanently' })}
        </Button>
      ) : null}
    </div>
  );
}

function EraseDialog<Item>({
  item,
  name,
  acts,
  loss,
  onClose,
}: OfItem<Item> & { loss: string | undefined; onClose: () => void }) {
  const { t } = useText();
  const erasing = useMutation({
    mutationFn: async () => acts.erase?.(item),
    onSuccess: onClose,
    onSettled: acts.refresh,
  });
  return (
    <ConfirmDialog
      title={t({ id: 'deleted.erase.title', defaultMessage: 'Delete “{name}” permanently?' }, { name })}
      confirm={t({ id: 'deleted.erase.label', defaultMessage: 'Delete permanently' })}
      act={erasing}
      onConfirm={() => erasing.mutate()}
      onClose={onClose}
    >
      {loss}
    </ConfirmDialog>
  );
}

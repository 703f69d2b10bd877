import { Button } from '@mantine/core';
import type { ChatExport } from '@parley/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../../lib/http.ts';
import { newId } from '../../../lib/new-id.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { ListView } from '../../../ui/list-view.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { DeleteExportDialog } from './delete-export-dialog.tsx';
import { DownloadExportDialog } from './download-export-dialog.tsx';
import { ExportRow } from './export-row.tsx';
import classes from './exports.module.css';
import { isPending, saveExport } from './exports.ts';

/** No event tells how far an export is. */
const refetchMs = 2_000;

/** Begins an export, and lists those there are. */
export function ExportList() {
  const { t } = useText();
  const list = useList('GET /api/chat/exports', { refetchMs: (items) => (items.some(isPending) ? refetchMs : null) });
  return (
    <>
      <CreateExport isRunning={list.items?.some(isPending) ?? false} />
      <ListView
        list={list}
        loading={t({ id: 'settings.data.export.loading', defaultMessage: 'Loading exports…' })}
        failed={t({ id: 'settings.data.export.failed', defaultMessage: 'Exports could not be loaded' })}
        empty={
          <p className="p-sm p-quiet">
            {t({
              id: 'settings.data.export.empty',
              defaultMessage: 'No exports yet. You can download an export for 7 days.',
            })}
          </p>
        }
      >
        {(items) => <Rows items={items} />}
      </ListView>
    </>
  );
}

type Open = { readonly kind: 'delete' | 'download'; readonly item: ChatExport };

function Rows({ items }: { items: readonly ChatExport[] }) {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <ul aria-label={t({ id: 'settings.data.export.list', defaultMessage: 'Your exports' })}>
        {items.map((item) => (
          <ExportRow
            key={item.id}
            item={item}
            onPassword={() => setOpen({ kind: 'download', item })}
            onDelete={() => setOpen({ kind: 'delete', item })}
          />
        ))}
      </ul>
      {open?.kind === 'delete' ? <DeleteExportDialog item={open.item} onClose={close} /> : null}
      {open?.kind === 'download' ? (
        <DownloadExportDialog
          onClose={close}
          onConfirmed={() => {
            saveExport(orgId, open.item.id);
            close();
          }}
        />
      ) : null}
    </>
  );
}

function CreateExport({ isRunning }: { isRunning: boolean }) {
  const { t } = useText();
  const client = useQueryClient();
  const off = useActionOff();
  const orgId = useTab().organisation.id;
  const create = useMutation({
    mutationFn: () => api('POST /api/chat/exports', { orgId, body: { id: newId('export') }, retries: 2 }),
    onSettled: () => client.invalidateQueries({ queryKey: resourceKey('exports', orgId) }),
  });
  return (
    <>
      <div className={classes.create}>
        <Button
          variant="default"
          leftSection={<Download />}
          loading={create.isPending}
          disabled={isRunning}
          onClick={() => create.mutate()}
          {...off}
        >
          {t({ id: 'settings.data.export.create', defaultMessage: 'Export my data' })}
        </Button>
        <span className="p-meta">
          {isRunning
            ? t({ id: 'settings.data.export.one', defaultMessage: 'One export at a time' })
            : t({
                id: 'settings.data.export.takes',
                defaultMessage: 'Takes a few minutes and continues when you close this page.',
              })}
        </span>
      </div>
      <ErrorNote error={create.error} />
    </>
  );
}

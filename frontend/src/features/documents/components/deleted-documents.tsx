import { Button, Modal } from '@mantine/core';
import type { Connection } from '@parley/contracts';
import { keepDeletedDays } from '@parley/contracts/names';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { api, isProblem } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useRight, useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { useQueryClient } from '@tanstack/react-query';
import { DeletedTable } from '../../../ui/deleted-table.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import classes from './documents.module.css';

type Props = { connection: Pick<Connection, 'id'> };

/** Below the documents of a connection, for those who manage it. */
export function DeletedDocuments({ connection }: Props) {
  const { t } = useText();
  const [isOpen, setOpen] = useState(false);
  if (!useRight('data_connection:manage')) return null;
  const title = t({ id: 'documents.deleted.title', defaultMessage: 'Deleted documents' });
  return (
    <div className={classes.deleted}>
      <Button variant="subtle" size="xs" leftSection={<Trash2 size={14} />} onClick={() => setOpen(true)}>
        {title}
      </Button>
      {isOpen ? (
        <Modal
          opened
          onClose={() => setOpen(false)}
          size="52rem"
          padding="lg"
          closeButtonProps={{ 'aria-label': t({ id: 'documents.deleted.close', defaultMessage: 'Close' }) }}
          title={<span className="p-h2">{title}</span>}
        >
          <DeletedList connection={connection} />
        </Modal>
      ) : null}
    </div>
  );
}

function DeletedList({ connection }: Props) {
  const { t } = useText();
  const { size } = useFormats();
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  const list = useList('GET /api/chat/deleted-documents', { within: { connectionId: connection.id } });
  const refresh = async () => {
    for (const resource of ['deleted-documents', 'documents', 'connections'] as const)
      await client.invalidateQueries({ queryKey: resourceKey(resource, orgId) });
  };
  const rule = t(
    {
      id: 'documents.deleted.rule',
      defaultMessage:
        'You can restore a deleted document for {days, plural, one {# day} other {# days}}. Until then it counts towards the storage of your organisation. Then it’s erased for good and its space is free.',
    },
    { days: keepDeletedDays },
  );
  return (
    <ListView
      list={list}
      loading={t({ id: 'documents.deleted.loading', defaultMessage: 'Loading deleted documents…' })}
      failed={t({ id: 'documents.deleted.failed', defaultMessage: 'Deleted documents could not be loaded' })}
      empty={
        <StateView icon={Trash2} title={t({ id: 'documents.deleted.empty', defaultMessage: 'No deleted documents' })}>
          {rule}
        </StateView>
      }
    >
      {(items) => (
        <>
          <p className="p-sm p-quiet">{rule}</p>
          <div className={classes.deletedTable}>
            <DeletedTable
              items={items}
              nameOf={({ name }) => name}
              aboutOf={({ bytes }) => size(bytes)}
              isRestorable={({ isOfSource }) => !isOfSource}
              label={t({ id: 'documents.column.name', defaultMessage: 'Document' })}
              loss={t({
                id: 'documents.deleted.loss',
                defaultMessage:
                  'The file and all its passages are erased for good. You can’t restore the document after that.',
              })}
              restore={({ id: documentId }) =>
                api('POST /api/chat/documents/:documentId/restore', { orgId, params: { documentId }, retries: 2 })
              }
              erase={({ id: documentId }) =>
                api('POST /api/chat/documents/:documentId/erase', { orgId, params: { documentId }, retries: 2 }).catch(
                  unlessGone,
                )
              }
              refresh={refresh}
            />
          </div>
        </>
      )}
    </ListView>
  );
}

/** The request was repeated, or another person made it first. */
function unlessGone(error: unknown): void {
  if (!isProblem(error, 'chat.document-not-found')) throw error;
}

import { useQueryClient } from '@tanstack/react-query';
import type { ServerToClient } from '@parley/contracts';
import { keepDeletedDays } from '@parley/contracts/names';
import { Trash2 } from 'lucide-react';
import { useCallback } from 'react';
import { api } from '../../../lib/http.ts';
import { useLiveEvent } from '../../../lib/live.tsx';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { DeletedTable } from '../../../ui/deleted-table.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import table from '../../../ui/table.module.css';
import { DeletedProjects } from './deleted-projects.tsx';

/** Own projects and chats of the tab's organisation that can still be restored. */
export const DeletedTab = () => (
  <>
    <DeletedProjects />
    <DeletedChats />
  </>
);

function DeletedChats() {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const list = useList('GET /api/chat/deleted-conversations');
  const refresh = useRefresh();
  const rule = t(
    {
      id: 'settings.deleted.rule',
      defaultMessage:
        'You can restore a deleted chat for {days, plural, one {# day} other {# days}}. Then it’s erased for good and its space is free.',
    },
    { days: keepDeletedDays },
  );
  return (
    <ListView
      list={list}
      loading={t({ id: 'settings.deleted.loading', defaultMessage: 'Loading deleted chats…' })}
      failed={t({ id: 'settings.deleted.failed', defaultMessage: 'Deleted chats could not be loaded' })}
      empty={
        <StateView icon={Trash2} title={t({ id: 'settings.deleted.empty', defaultMessage: 'No deleted chats' })}>
          {rule}
        </StateView>
      }
    >
      {(items) => (
        <>
          <div className={table.bar}>
            <p className="p-sm p-quiet">{rule}</p>
          </div>
          <DeletedTable
            items={items}
            nameOf={({ title }) => title}
            label={t({ id: 'settings.deleted.chat', defaultMessage: 'Chat' })}
            loss={t({
              id: 'settings.deleted.loss',
              defaultMessage:
                'All messages of this chat are erased for good. You can’t restore it after that. Its usage stays in your statistics.',
            })}
            restore={({ id: conversationId }) =>
              api('POST /api/chat/conversations/:conversationId/restore', {
                orgId,
                params: { conversationId },
                retries: 2,
              })
            }
            erase={({ id: conversationId }) =>
              api('POST /api/chat/conversations/:conversationId/erase', {
                orgId,
                params: { conversationId },
                retries: 2,
              })
            }
            refresh={refresh}
          />
        </>
      )}
    </ListView>
  );
}

/** Reads again what a deletion or its end changes, also those of other tabs and devices. */
function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  const refresh = useCallback(async () => {
    for (const resource of ['deleted-conversations', 'conversations', 'messages'] as const)
      await client.invalidateQueries({ queryKey: resourceKey(resource, orgId) });
  }, [client, orgId]);
  const changed = useCallback<ServerToClient['conversation.changed']>(
    ({ kind }) => {
      if (kind === 'deleted' || kind === 'restored') void refresh();
    },
    [refresh],
  );
  useLiveEvent('conversation.changed', changed);
  return refresh;
}

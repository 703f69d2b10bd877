import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Conversation, ServerToClient } from '@parley/contracts';
import { Archive } from 'lucide-react';
import { useCallback } from 'react';
import { Link } from 'react-router-dom';
import { useFormats } from '../../../lib/formats.ts';
import { api } from '../../../lib/http.ts';
import { useLiveEvent } from '../../../lib/live.tsx';
import { usePaths } from '../../../lib/paths.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { cutName } from '../../../ui/cut-name.tsx';
import { ListTable } from '../../../ui/list-table.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import table from '../../../ui/table.module.css';
import { useErrorToast } from '../../../ui/error-toast.ts';
import { useToast } from '../../../ui/toast.tsx';

/** Own chats of the tab's organisation that are archived. */
export function ArchivedTab() {
  const { t } = useText();
  const { ago, exact } = useFormats();
  const paths = usePaths();
  const list = useList('GET /api/chat/conversations', { within: { only: 'archived' } });
  const refresh = useRefresh();
  const rule = t({
    id: 'settings.archived.rule',
    defaultMessage:
      'Archived chats aren’t in the list of your chats. Search finds them. A new question brings a chat back.',
  });
  const lastActivity = t({ id: 'settings.archived.activity', defaultMessage: 'Last activity' });
  return (
    <ListView
      list={list}
      loading={t({ id: 'settings.archived.loading', defaultMessage: 'Loading archived chats…' })}
      failed={t({ id: 'settings.archived.failed', defaultMessage: 'Archived chats could not be loaded' })}
      empty={
        <StateView icon={Archive} title={t({ id: 'settings.archived.empty', defaultMessage: 'No archived chats' })}>
          {rule}
        </StateView>
      }
    >
      {(items) => (
        <>
          <div className={table.bar}>
            <p className="p-sm p-quiet">{rule}</p>
          </div>
          <ListTable
            columns={[
              { key: 'name', label: t({ id: 'settings.archived.chat', defaultMessage: 'Chat' }) },
              { key: 'lastActivityAt', label: lastActivity },
              {
                key: 'actions',
                label: t({ id: 'settings.archived.actions', defaultMessage: 'Actions' }),
                isHidden: true,
              },
            ]}
            items={items}
            cells={(item) => (
              <>
                <td>
                  <Link dir="auto" className="p-link" to={paths.to('chat/:id', { id: item.id })}>
                    {item.title}
                  </Link>
                </td>
                <td className={table.quiet} data-label={lastActivity} title={exact(item.lastActivityAt)}>
                  {ago(item.lastActivityAt)}
                </td>
                <td className={table.actions}>
                  <Unarchive item={item} refresh={refresh} />
                </td>
              </>
            )}
          />
        </>
      )}
    </ListView>
  );
}

function Unarchive({ item, refresh }: { item: Conversation; refresh: () => Promise<void> }) {
  const { t, rich } = useText();
  const off = useActionOff();
  const toast = useToast();
  const showError = useErrorToast();
  const orgId = useTab().organisation.id;
  const mark = (archived: boolean) =>
    api('PUT /api/chat/conversation-marks', { orgId, body: { conversationIds: [item.id], archived }, retries: 2 });
  const undo = () => {
    mark(true).then(refresh, showError);
  };
  const unarchiving = useMutation({
    mutationFn: () => mark(false),
    onSuccess: () =>
      toast({
        text: rich(
          { id: 'settings.archived.done', defaultMessage: '“<name>{title}</name>” is in your chats again.' },
          { title: item.title, name: cutName },
        ),
        undo,
      }),
    onError: showError,
    onSettled: refresh,
  });
  return (
    <div className={table.rowActions}>
      <Button
        variant="default"
        size="xs"
        loading={unarchiving.isPending}
        aria-label={t(
          { id: 'settings.archived.unarchive.name', defaultMessage: 'Unarchive {name}' },
          { name: item.title },
        )}
        onClick={() => unarchiving.mutate()}
        {...off}
      >
        {t({ id: 'settings.archived.unarchive', defaultMessage: 'Unarchive' })}
      </Button>
    </div>
  );
}

/** Reads again what another tab or device has archived or taken out. */
function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  const refresh = useCallback(
    () => client.invalidateQueries({ queryKey: resourceKey('conversations', orgId) }),
    [client, orgId],
  );
  const changed = useCallback<ServerToClient['conversation.changed']>(
    ({ kind }) => {
      if (kind === 'marked' || kind === 'deleted' || kind === 'restored') void refresh();
    },
    [refresh],
  );
  useLiveEvent('conversation.changed', changed);
  return refresh;
}

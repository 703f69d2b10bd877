import { useQueryClient } from '@tanstack/react-query';
import type { Project } from '@parley/contracts';
import { keepDeletedDays } from '@parley/contracts/names';
import { api, type Answer } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { DeletedTable } from '../../../ui/deleted-table.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import table from '../../../ui/table.module.css';

type Listed = Answer<'GET /api/chat/projects'>['items'][number];
type Deleted = Pick<Project, 'id' | 'name'> & { readonly deletedAt: string; readonly eraseAt: string };

const deletedOf = ({ id, name, deleted }: Listed): Deleted[] =>
  deleted ? [{ id, name, deletedAt: deleted.at, eraseAt: deleted.eraseAt }] : [];

/** Own projects that can still be restored; nothing where there are none. */
export function DeletedProjects() {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  const list = useList('GET /api/chat/projects', { within: { only: 'deleted' } });
  const refresh = async () => {
    for (const resource of ['projects', 'conversations', 'deleted-conversations'] as const)
      await client.invalidateQueries({ queryKey: resourceKey(resource, orgId) });
  };
  if (list.items?.length === 0) return null;
  return (
    <ListView
      list={list}
      loading={t({ id: 'settings.deletedProjects.loading', defaultMessage: 'Loading deleted projects…' })}
      failed={t({ id: 'settings.deletedProjects.failed', defaultMessage: 'Deleted projects could not be loaded' })}
      empty={null}
    >
      {(items) => (
        <>
          <div className={table.bar}>
            <p className="p-sm p-quiet">
              {t(
                {
                  id: 'settings.deletedProjects.rule',
                  defaultMessage:
                    'You can restore a deleted project for {days, plural, one {# day} other {# days}}, with the chats that left it or were deleted with it.',
                },
                { days: keepDeletedDays },
              )}
            </p>
          </div>
          <DeletedTable
            items={items.flatMap(deletedOf)}
            nameOf={({ name }) => name}
            label={t({ id: 'settings.deletedProjects.project', defaultMessage: 'Project' })}
            restore={({ id: projectId }) =>
              api('POST /api/chat/projects/:projectId/restore', { orgId, params: { projectId }, retries: 2 })
            }
            refresh={refresh}
          />
        </>
      )}
    </ListView>
  );
}

import type { ChatImport } from '@parley/contracts';
import { ArrowLeft, MessageSquare } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useFormats } from '../../../lib/formats.ts';
import { usePaths } from '../../../lib/paths.ts';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { ListTable } from '../../../ui/list-table.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import table from '../../../ui/table.module.css';
import { DeleteAllChats } from './all-chats.tsx';
import { useImportName } from './import-words.ts';
import { useOneImport } from './use-imported-chats.ts';
import classes from './imports.module.css';

/** All chats that one import brought, archived ones too, whatever became of them since. */
export function ImportedChats({ importId }: { readonly importId: ChatImport['id'] }) {
  const { t } = useText();
  const { ago, exact } = useFormats();
  const paths = usePaths();
  const list = useList('GET /api/chat/conversations', { within: { import: importId } });
  const lastActivity = t({ id: 'settings.import.chats.activity', defaultMessage: 'Last activity' });
  return (
    <>
      <Head importId={importId} />
      <ListView
        list={list}
        loading={t({ id: 'settings.import.chats.loading', defaultMessage: 'Loading chats of this import…' })}
        failed={t({ id: 'settings.import.chats.failed', defaultMessage: 'Chats of this import could not be loaded' })}
        empty={
          <StateView
            icon={MessageSquare}
            title={t({ id: 'settings.import.chats.none', defaultMessage: 'No chats of this import' })}
          >
            {t({
              id: 'settings.import.chats.noneAbout',
              defaultMessage: 'They were deleted. You can restore a deleted chat for 7 days.',
            })}
          </StateView>
        }
      >
        {(items) => (
          <ListTable
            columns={[
              { key: 'name', label: t({ id: 'settings.import.chats.chat', defaultMessage: 'Chat' }) },
              { key: 'lastActivityAt', label: lastActivity },
            ]}
            items={items}
            cells={(item) => (
              <>
                <td>
                  <Link dir="auto" className="p-link" to={paths.to('chat/:id', { id: item.id })}>
                    {item.title}
                  </Link>
                  {item.archived ? (
                    <span className="p-sm p-quiet">
                      {' '}
                      · {t({ id: 'settings.import.chats.archived', defaultMessage: 'archived' })}
                    </span>
                  ) : null}
                </td>
                <td className={table.quiet} data-label={lastActivity} title={exact(item.lastActivityAt)}>
                  {ago(item.lastActivityAt)}
                </td>
              </>
            )}
          />
        )}
      </ListView>
    </>
  );
}

/** Names the import, as long as it is in the list of imports. */
function Head({ importId }: { readonly importId: ChatImport['id'] }) {
  const { t, rich } = useText();
  const paths = usePaths();
  const nameOf = useImportName();
  const { data } = useOneImport(importId);
  return (
    <div className={`${table.bar} ${classes.titled}`}>
      <Link className={`p-link ${classes.back}`} to={paths.within(paths.to('settings'), { tab: 'data' })}>
        <ArrowLeft className="p-mirror" />
        {t({ id: 'settings.import.chats.back', defaultMessage: 'Imports' })}
      </Link>
      <h2 className="p-h3">
        {data
          ? rich(
              { id: 'settings.import.chats.of', defaultMessage: 'Chats of {name}' },
              { name: <bdi key="name">{nameOf(data)}</bdi> },
            )
          : t({ id: 'settings.import.chats.title', defaultMessage: 'Imported chats' })}
      </h2>
      <span className={classes.gap} />
      {data ? <DeleteAllChats item={data} /> : null}
    </div>
  );
}

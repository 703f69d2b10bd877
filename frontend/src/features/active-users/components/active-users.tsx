import { Button } from '@mantine/core';
import { UserPlus } from 'lucide-react';
import { useCallback, useState } from 'react';
import { Link } from 'react-router-dom';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { useText } from '../../../lib/text.ts';
import { ListView, OldNote } from '../../../ui/list-view.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import type { PeopleAct } from '../people-act.ts';
import { useActiveUsers } from '../use-active-users.ts';
import { useSelection } from '../use-selection.ts';
import { ActiveUserTable } from './active-user-table.tsx';
import { FilterBar } from './filter-bar.tsx';
import { PresenceStrip } from './presence-strip.tsx';
import { SelectionBar } from './selection-bar.tsx';

const ActDialog = lazyPart(async () => (await import('./act-dialog.tsx')).ActDialog);
const noFilters = { text: null, presence: null, role: null, groupId: null };

export function ActiveUsers({ invite }: { invite: string | null }) {
  const { t } = useText();
  const list = useActiveUsers();
  const selection = useSelection(list.items ?? []);
  const { clear } = selection;
  const [act, setAct] = useState<PeopleAct | null>(null);
  const done = useCallback(() => {
    setAct(null);
    clear();
  }, [clear]);
  return (
    <>
      {list.first ? <PresenceStrip counts={list.first.counts} /> : null}
      <OldNote
        since={list.oldSince}
        text={(time) =>
          t(
            {
              id: 'active.old.text',
              defaultMessage:
                'Who is active could not be read again. This is how it was at {time}; it goes on by itself.',
            },
            { time },
          )
        }
      />
      <ListView
        list={list}
        loading={t({ id: 'active.list.loading', defaultMessage: 'The people are loading' })}
        failed={t({ id: 'active.list.failed', defaultMessage: 'Who is active could not be loaded' })}
        empty={null}
        filtering={{
          bar: <FilterBar filter={list.filters} onChange={list.setFilters} />,
          none: t({ id: 'active.list.none', defaultMessage: 'Nobody matches' }),
          about: t({
            id: 'active.list.noneText',
            defaultMessage: 'The search looks at the beginnings of words in names and addresses.',
          }),
          clear: () => list.setFilters(noFilters),
        }}
      >
        {(rows) => (
          <>
            <ActiveUserTable rows={rows} selection={selection} onAct={setAct} />
            {rows.length === 1 && !list.isFiltered ? <OnlyMe invite={invite} /> : null}
          </>
        )}
      </ListView>
      {selection.people.length > 0 ? <SelectionBar selection={selection} onAct={setAct} /> : null}
      {act ? <ActDialog act={act} onClose={() => setAct(null)} onDone={done} /> : null}
    </>
  );
}

function OnlyMe({ invite }: { invite: string | null }) {
  const { t } = useText();
  const button = invite ? (
    <Button size="xs" variant="default" component={Link} to={invite}>
      {t({ id: 'active.page.invite', defaultMessage: 'Invite people' })}
    </Button>
  ) : null;
  return (
    <StateView
      icon={UserPlus}
      title={t({ id: 'active.empty.title', defaultMessage: 'Only you are here so far' })}
      actions={button}
    >
      {t({ id: 'active.empty.text', defaultMessage: 'People you invite appear here once they join.' })}
    </StateView>
  );
}

import { Button } from '@mantine/core';
import { Plus, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { ListView } from '../../../ui/list-view.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import { usePeople } from '../people/use-people.ts';
import type { PeopleAct } from '../people/people-act.ts';
import { ConsoleFrame } from '../parts/console-frame.tsx';
import { PeopleFilterBar } from './people-filter-bar.tsx';
import { PeopleTable } from './people-table.tsx';

const PeopleDialog = lazyPart(async () => (await import('./people-dialog.tsx')).PeopleDialog);
const InviteDialog = lazyPart(async () => (await import('../invitations/invite-dialog/index.tsx')).InviteDialog);

/** Who is in the organisation and who is invited, and what may be done about each. */
export function MembersTab() {
  const { t } = useText();
  const off = useActionOff();
  const mayMail = useRight('member:invite');
  const mayLink = useRight('invite_link:manage');
  const [search, setSearch] = useSearchParams();
  const isInviting = search.has('invite');
  const [act, setAct] = useState<PeopleAct | null>(null);
  const people = usePeople();
  const { list } = people;
  const setInviting = (isOpen: boolean) =>
    setSearch(
      (now) => {
        if (isOpen) now.set('invite', 'people');
        else now.delete('invite');
        return now;
      },
      { replace: true },
    );
  const invite = () => setInviting(true);
  const mayInvite = mayMail || mayLink;
  const label = t({ id: 'organisation.members.invite', defaultMessage: 'Invite people' });
  const button = (
    <Button leftSection={<Plus />} onClick={invite} {...off}>
      {label}
    </Button>
  );
  return (
    <ConsoleFrame actions={mayInvite ? button : null}>
      <ListView
        list={list}
        loading={t({ id: 'organisation.members.loading', defaultMessage: 'The members are loading' })}
        failed={t({ id: 'organisation.members.failed', defaultMessage: 'The members could not be loaded' })}
        empty={null}
        filtering={{
          bar: <PeopleFilterBar filter={list.filters} onChange={list.setFilters} seats={people.seats} />,
          none: t({ id: 'organisation.members.none', defaultMessage: 'Nobody matches' }),
          about: t({
            id: 'organisation.members.noneText',
            defaultMessage: 'The search looks at the beginnings of words in names and addresses.',
          }),
          clear: () => list.setFilters({ text: null, role: null, groupId: null, status: null }),
        }}
      >
        {(rows) => (
          <>
            <PeopleTable rows={rows} invitations={people.invitations} onAct={setAct} />
            {people.isAlone && mayInvite ? <OnlyMe label={label} onInvite={invite} /> : null}
          </>
        )}
      </ListView>
      {act ? <PeopleDialog key={`${act.kind} ${act.id}`} act={act} onClose={() => setAct(null)} /> : null}
      {isInviting && mayInvite ? (
        <InviteDialog mayMail={mayMail} mayLink={mayLink} onClose={() => setInviting(false)} />
      ) : null}
    </ConsoleFrame>
  );
}

function OnlyMe({ label, onInvite }: { label: string; onInvite: () => void }) {
  const { t } = useText();
  const off = useActionOff();
  return (
    <StateView
      icon={UserPlus}
      title={t({ id: 'organisation.members.alone', defaultMessage: 'Only you are here so far' })}
      actions={
        <Button size="xs" variant="default" onClick={onInvite} {...off}>
          {label}
        </Button>
      }
    >
      {t({
        id: 'organisation.members.aloneText',
        defaultMessage:
          'Invite people by email, or create a link that lets several join. You choose what each of them can do.',
      })}
    </StateView>
  );
}

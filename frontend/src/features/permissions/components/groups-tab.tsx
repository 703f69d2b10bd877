import { Button } from '@mantine/core';
import { Users } from 'lucide-react';
import { useState } from 'react';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useUrlFilters } from '../../../lib/url-filters.ts';
import { FailureView } from '../../../ui/failure-view.tsx';
import { SideBySide } from '../../../ui/side-panel.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { SkeletonRows, StateView } from '../../../ui/state-view.tsx';
import { useGroups } from '../queries.ts';
import { AddGroup } from './add-group.tsx';
import { GroupPanel } from './group-panel.tsx';
import { GroupTable } from './group-table.tsx';
import classes from './groups-tab.module.css';

/** The groups of the organisation. The one that is open stands in the address. */
export function GroupsTab() {
  const { t } = useText();
  const { data, error, refetch } = useGroups();
  const mayManage = useRight('group:manage');
  const maySeePeople = useRight('member:read');
  const [{ group: openId }, setOpen] = useUrlFilters({ group: 'text' });
  if (error && !data)
    return (
      <FailureView
        title={t({ id: 'permissions.groups.failed', defaultMessage: 'The groups could not be loaded' })}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  if (!data)
    return <SkeletonRows label={t({ id: 'permissions.groups.loading', defaultMessage: 'The groups are loading' })} />;
  const open = maySeePeople ? data.items.find(({ id }) => id === openId) : undefined;
  const show = (id: string) => setOpen({ group: id });
  return (
    <SideBySide
      panel={open ? <GroupPanel key={open.id} group={open} onClose={() => setOpen({ group: null })} /> : null}
    >
      <div className={classes.scroll}>
        {data.items.length === 0 ? (
          <NoGroups mayManage={mayManage} onAdded={show} />
        ) : (
          <>
            {mayManage ? (
              <div className={classes.add}>
                <AddGroup onAdded={show} />
              </div>
            ) : null}
            <GroupTable groups={data.items} openId={open?.id} onOpen={maySeePeople ? show : null} />
          </>
        )}
      </div>
    </SideBySide>
  );
}

/** What groups are for, and the first one. */
function NoGroups({ mayManage, onAdded }: { mayManage: boolean; onAdded: (id: string) => void }) {
  const { t } = useText();
  const off = useActionOff();
  const [isAdding, setAdding] = useState(false);
  return (
    <StateView
      icon={Users}
      title={t({ id: 'permissions.groups.none', defaultMessage: 'No groups yet' })}
      actions={
        !mayManage ? null : isAdding ? (
          <AddGroup isFirst onAdded={onAdded} />
        ) : (
          <Button size="xs" onClick={() => setAdding(true)} {...off}>
            {t({ id: 'permissions.groups.add', defaultMessage: 'Add group' })}
          </Button>
        )
      }
    >
      {mayManage
        ? t({
            id: 'permissions.groups.about',
            defaultMessage:
              'A group holds people under a name, such as a team or a site, so that they are found together. It gives no rights: those come from each person’s role.',
          })
        : t({
            id: 'permissions.groups.aboutReadOnly',
            defaultMessage: 'A group holds people under a name. An owner or admin can add some; they give no rights.',
          })}
    </StateView>
  );
}

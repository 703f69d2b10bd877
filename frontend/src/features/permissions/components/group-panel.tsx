import type { Group, Member } from '@parley/contracts';
import { X } from 'lucide-react';
import { Link } from 'react-router-dom';
import { usePaths } from '../../../lib/paths.ts';
import { useRight, useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useMoveMember } from '../group-commands.ts';
import { PeopleOf } from './people-of.tsx';
import { PersonSearch } from './person-search.tsx';
import panel from './panel.module.css';

/** Who is in a group; with the right to it, people are added and taken out here. */
export function GroupPanel({ group, onClose }: { group: Group; onClose: () => void }) {
  const { t } = useText();
  const mayManage = useRight('group:manage');
  const off = useActionOff();
  const toast = useToast();
  const move = useMoveMember(group);
  const remove = (member: Member) =>
    move.mutate(
      { member, isIn: false },
      {
        onSuccess: (changed) =>
          toast({
            text: t(
              { id: 'permissions.group.removed', defaultMessage: '{name} is not in {group} any more' },
              { name: member.name, group: group.name },
            ),
            undo: () => move.mutate({ member: changed, isIn: true }),
          }),
      },
    );
  return (
    <SidePanel title={group.name} onClose={onClose}>
      <div className={panel.about}>
        <span className="p-sm p-quiet">
          {t(
            {
              id: 'permissions.group.count',
              defaultMessage: '{count, plural, =0 {Nobody is in it} one {# member} other {# members}}',
            },
            { count: group.memberCount },
          )}
        </span>
        <MembersLink groupId={group.id} />
      </div>
      {mayManage && !off ? (
        <PersonSearch
          label={t({ id: 'permissions.group.add', defaultMessage: 'Add a person' })}
          without={({ groupIds }) => groupIds.includes(group.id)}
          onChoose={(member) => move.mutate({ member, isIn: true })}
        />
      ) : null}
      <ErrorNote error={move.error} />
      <PeopleOf
        of={{ groupId: group.id }}
        none={t({ id: 'permissions.group.none', defaultMessage: 'Nobody is in this group yet.' })}
        action={(member) =>
          mayManage ? (
            <IconButton
              icon={X}
              label={t(
                { id: 'permissions.group.remove', defaultMessage: 'Take {name} out of the group' },
                { name: member.name },
              )}
              onClick={() => remove(member)}
              {...off}
            />
          ) : null
        }
      />
    </SidePanel>
  );
}

/** To the list of members with this filter, for whoever may open that page. */
function MembersLink({ groupId }: { groupId: string }) {
  const { t } = useText();
  const paths = usePaths();
  const { organisation } = useTab();
  const mayOpen = useRight('org:update');
  if (!mayOpen) return null;
  const [path, query] = paths.to('settings/org_admin/:orgId', { orgId: organisation.id }).split('?');
  const search = new URLSearchParams(query);
  search.set('tab', 'members');
  search.set('group', groupId);
  return (
    <Link className="p-link p-sm" to={`${path}?${search.toString()}`}>
      {t({ id: 'permissions.group.list', defaultMessage: 'Show in the list of members' })}
    </Link>
  );
}

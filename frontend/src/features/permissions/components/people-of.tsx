import type { Member } from '@parley/contracts';
import type { ReactNode } from 'react';
import { useText } from '../../../lib/text.ts';
import { PersonAvatar } from '../../../domain/picture/avatar.tsx';
import { FailureView } from '../../../ui/failure-view.tsx';
import { ListEdge } from '../../../ui/list-edge.tsx';
import { SkeletonRows } from '../../../ui/state-view.tsx';
import { useMembers } from '../queries.ts';
import classes from './people.module.css';

type Props = {
  of: { readonly role: string } | { readonly groupId: string };
  none: string;
  action?: (member: Member) => ReactNode;
};

/** Who has a role or is in a group, page after page. */
export function PeopleOf({ of, none, action }: Props) {
  const { t } = useText();
  const { items, error, retry, edge } = useMembers(of);
  if (error)
    return (
      <FailureView
        title={t({ id: 'permissions.people.failed', defaultMessage: 'The people could not be loaded' })}
        error={error}
        onRetry={retry}
      />
    );
  if (!items)
    return (
      <SkeletonRows
        count={3}
        label={t({ id: 'permissions.people.loading', defaultMessage: 'The people are loading' })}
      />
    );
  if (items.length === 0) return <p className="p-sm p-quiet">{none}</p>;
  return (
    <div>
      <ul className={`p-sm ${classes.people} p-data`}>
        {items.map((member) => (
          <li key={member.userId}>
            <Person member={member} />
            {action?.(member)}
          </li>
        ))}
      </ul>
      {edge.onMore || edge.isLoading ? <ListEdge {...edge} /> : null}
    </div>
  );
}

/** Circle and name; what keeps the person from using any right stands beside it. */
export function Person({ member }: { member: Pick<Member, 'userId' | 'name' | 'picture' | 'email' | 'status'> }) {
  const { t } = useText();
  return (
    <span className={classes.person}>
      <PersonAvatar id={member.userId} name={member.name} picture={member.picture} size={24} />
      <span>
        <bdi>{member.name}</bdi>
        {member.email ? (
          <bdi className={`p-meta ${classes.second}`} dir="ltr">
            {member.email}
          </bdi>
        ) : null}
        {member.status === 'suspended' ? (
          <span className={`p-meta ${classes.second}`}>
            {t({ id: 'permissions.people.suspended', defaultMessage: 'suspended' })}
          </span>
        ) : null}
      </span>
    </span>
  );
}

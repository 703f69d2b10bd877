import { Button } from '@mantine/core';
import { Plus } from 'lucide-react';
import { Link } from 'react-router-dom';
import { usePaths } from '../../lib/paths.ts';
import { useRight, useTab } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { LivePage } from '../../ui/page.tsx';
import { ActiveUsers } from './components/active-users.tsx';

/** Who is here now, and what may be done about their access. */
export function ActiveUsersPage() {
  const { t } = useText();
  const title = t({ id: 'active.page.title', defaultMessage: 'Active users' });
  const invite = useInviteLink();
  const label = t({ id: 'active.page.invite', defaultMessage: 'Invite people' });
  return (
    <LivePage
      title={title}
      actions={
        invite ? (
          <Button component={Link} to={invite} leftSection={<Plus />}>
            {label}
          </Button>
        ) : null
      }
    >
      <ActiveUsers invite={invite} />
    </LivePage>
  );
}

/** People are invited in the organisation's console: null for whoever may not open it, or may invite nobody. */
function useInviteLink(): string | null {
  const paths = usePaths();
  const { organisation } = useTab();
  const mayMail = useRight('member:invite');
  const mayLink = useRight('invite_link:manage');
  return useRight('org:update') && (mayMail || mayLink) ? paths.invite(organisation.id) : null;
}

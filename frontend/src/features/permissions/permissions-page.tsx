import { Button } from '@mantine/core';
import { Plus, ShieldCheck } from 'lucide-react';
import type { Role } from '@parley/contracts';
import type { Permission } from '@parley/contracts/permissions';
import { useCallback, useState } from 'react';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { useMaySeeTab } from '../../lib/page-tab.ts';
import { useRight } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { PageTabs, useCurrentTab } from '../../ui/page-tabs.tsx';
import { LivePage } from '../../ui/page.tsx';
import { SideBySide } from '../../ui/side-panel.tsx';
import { useActionOff } from '../../ui/stale.tsx';
import { useToast } from '../../ui/toast.tsx';
import { GroupsTab } from './components/groups-tab.tsx';
import { RolesPanel, type Opened } from './components/roles-panel.tsx';
import { RolesTab } from './components/roles-tab.tsx';
import { permissionTabs } from './permission-tabs.ts';
import { useRoles } from './queries.ts';
import { useRoleEdits } from './use-role-edits.ts';

const AddRoleDialog = lazyPart(async () => (await import('./components/add-role-dialog.tsx')).AddRoleDialog);
const noRoles: readonly Role[] = [];

/** What each role of the organisation allows, and its groups. Unsaved cells stay while one looks at the other tab. */
export function PermissionsPage() {
  const { t } = useText();
  const tabs = permissionTabs.filter(useMaySeeTab()).map(({ key, name }) => ({ key, label: t(name) }));
  const current = useCurrentTab(tabs);
  const query = useRoles();
  const roles = query.data?.items ?? noRoles;
  const toast = useToast();
  const editing = useRoleEdits(roles, (count) =>
    toast({
      text: t(
        { id: 'permissions.save.done', defaultMessage: '{count, plural, one {# change} other {# changes}} saved' },
        { count },
      ),
    }),
  );
  const [opened, setOpened] = useState<Opened | null>(null);
  const [added, setAdded] = useState<{ readonly like: Role | null } | null>(null);
  const close = useCallback(() => setOpened(null), []);
  const explain = useCallback(
    ({ id: roleId }: Role, permission: Permission) => setOpened({ kind: 'why', roleId, permission }),
    [],
  );
  const title = t({ id: 'permissions.page.title', defaultMessage: 'Permissions' });
  return (
    <LivePage
      title={title}
      actions={
        current === 'roles' ? (
          <RoleActions onCheck={() => setOpened({ kind: 'access' })} onAdd={() => setAdded({ like: null })} />
        ) : null
      }
    >
      <PageTabs label={title} tabs={tabs} current={current ?? 'roles'} />
      {current === 'groups' ? (
        <GroupsTab />
      ) : (
        <SideBySide
          panel={
            opened ? (
              <RolesPanel
                opened={opened}
                roles={roles}
                editing={editing}
                onCopy={(like) => setAdded({ like })}
                onClose={close}
              />
            ) : null
          }
        >
          <RolesTab
            query={query}
            editing={editing}
            selected={opened?.kind === 'why' ? opened : null}
            onWhy={explain}
            onRole={({ id: roleId }) => setOpened({ kind: 'role', roleId })}
            onSeeWho={() => setOpened({ kind: 'who' })}
          />
        </SideBySide>
      )}
      {added ? (
        <AddRoleDialog
          roles={roles}
          like={added.like}
          onAdded={({ id: roleId }) => {
            setAdded(null);
            setOpened({ kind: 'role', roleId });
          }}
          onClose={() => setAdded(null)}
        />
      ) : null}
    </LivePage>
  );
}

function RoleActions({ onCheck, onAdd }: { onCheck: () => void; onAdd: () => void }) {
  const { t } = useText();
  const off = useActionOff();
  const mayCheck = useRight('member:read');
  const mayCreate = useRight('role:create');
  return (
    <>
      {mayCheck ? (
        <Button variant="default" leftSection={<ShieldCheck />} onClick={onCheck}>
          {t({ id: 'permissions.access.title', defaultMessage: 'Check access' })}
        </Button>
      ) : null}
      {mayCreate ? (
        <Button variant="default" leftSection={<Plus />} onClick={onAdd} {...off}>
          {t({ id: 'permissions.add.title', defaultMessage: 'Add role' })}
        </Button>
      ) : null}
    </>
  );
}

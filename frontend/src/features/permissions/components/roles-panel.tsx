import type { Role } from '@parley/contracts';
import type { Permission } from '@parley/contracts/permissions';
import type { RoleEditing } from '../use-role-edits.ts';
import { AccessPanel } from './access-panel.tsx';
import { RolePanel } from './role-panel.tsx';
import { WhoPanel } from './who-panel.tsx';
import { WhyPanel } from './why-panel.tsx';

/** What stands beside the matrix. */
export type Opened =
  | { readonly kind: 'why'; readonly roleId: string; readonly permission: Permission }
  | { readonly kind: 'role'; readonly roleId: string }
  | { readonly kind: 'who' }
  | { readonly kind: 'access' };

type Props = {
  opened: Opened;
  roles: readonly Role[];
  editing: RoleEditing;
  onCopy: (role: Role) => void;
  onClose: () => void;
};

/** Nothing where the role is gone, or nothing is unsaved any more. */
export function RolesPanel({ opened, roles, editing, onCopy, onClose }: Props) {
  if (opened.kind === 'access') return <AccessPanel roles={roles} onClose={onClose} />;
  if (opened.kind === 'who')
    return editing.changes.length > 0 ? <WhoPanel changes={editing.changes} onClose={onClose} /> : null;
  const role = roles.find(({ id }) => id === opened.roleId);
  if (!role) return null;
  if (opened.kind === 'role')
    return <RolePanel key={role.id} role={role} roles={roles} onCopy={onCopy} onClose={onClose} />;
  return (
    <WhyPanel
      role={role}
      permission={opened.permission}
      edits={editing.edits}
      onToggle={editing.toggle}
      onClose={onClose}
    />
  );
}

import type { PeopleAct } from '../people/people-act.ts';
import { GroupsDialog } from './groups-dialog.tsx';
import { ReasonDialog } from './reason-dialog.tsx';
import { ReplaceLinkDialog } from '../invitations/replace-link-dialog.tsx';
import { RevokeDialog } from '../invitations/revoke-dialog.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { TransferDialog } from './transfer-dialog.tsx';

/** What is asked before something is done about a member or an invitation; a part of the program of its own. */
export function PeopleDialog({ act, onClose }: { act: PeopleAct; onClose: () => void }) {
  switch (act.kind) {
    case 'role':
      return <RoleDialog member={act.member} onClose={onClose} />;
    case 'groups':
      return <GroupsDialog member={act.member} onClose={onClose} />;
    case 'suspend':
    case 'remove':
      return <ReasonDialog kind={act.kind} member={act.member} onClose={onClose} />;
    case 'transfer':
      return <TransferDialog member={act.member} onClose={onClose} />;
    case 'revoke':
      return <RevokeDialog invitation={act.invitation} onClose={onClose} />;
    case 'replace':
      return <ReplaceLinkDialog invitation={act.invitation} onClose={onClose} />;
  }
}

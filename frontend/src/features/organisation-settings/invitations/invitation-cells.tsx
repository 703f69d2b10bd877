import { Button } from '@mantine/core';
import type { Invitation } from '@parley/contracts';
import { Ban, Ellipsis, Link as LinkIcon, Mail, KeyRound, Send } from 'lucide-react';
import { memo } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { useRight, useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useSendsMail } from '../../../domain/mail/use-sends-mail.ts';
import { Menu } from '../../../ui/menu.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { offBecause, useActionOff } from '../../../ui/stale.tsx';
import table from '../../../ui/table.module.css';
import type { PeopleAct } from '../people/people-act.ts';
import { usePeopleCommands } from '../people/use-people-commands.ts';
import { useRoles } from '../../../domain/role/use-roles.ts';
import { PeopleCells } from '../people/people-cells.tsx';
import classes from '../people/people.module.css';
import { useInvitationState } from './invitation-state.ts';

type Props = { invitation: Invitation; onAct: (act: PeopleAct) => void };

/** Not a person yet: a ring with a letter, or with a link that several may use. */
export const InvitationCells = memo(function InvitationCells({ invitation, onAct }: Props) {
  const { kind, email, label, role, groupIds, createdAt } = invitation;
  const state = useInvitationState(invitation);
  const Icon = kind === 'mail' ? Mail : LinkIcon;
  return (
    <PeopleCells
      mark={
        <span className={classes.ring} aria-hidden="true">
          <Icon size={14} />
        </span>
      }
      name={<bdi className={table.name}>{email ?? label}</bdi>}
      second={<InvitedBy invitation={invitation} />}
      role={role}
      groupIds={groupIds}
      state={state}
      since={createdAt}
      actions={<InvitationActions invitation={invitation} isUrgent={state.kind === 'warning'} onAct={onAct} />}
    />
  );
});

function InvitedBy({ invitation: { kind, domain, invitedBy } }: { invitation: Invitation }) {
  const { t } = useText();
  const { me } = useTab();
  if (kind === 'link')
    return domain
      ? t({ id: 'organisation.invited.domain', defaultMessage: 'for addresses at {domain}' }, { domain })
      : t({ id: 'organisation.invited.anybody', defaultMessage: 'for everybody who has the link' });
  return invitedBy.userId === me.id
    ? t({ id: 'organisation.invited.byYou', defaultMessage: 'from you' })
    : t({ id: 'organisation.invited.by', defaultMessage: 'from {name}' }, { name: invitedBy.name });
}

function InvitationActions({ invitation, isUrgent, onAct }: Props & { isUrgent: boolean }) {
  const { t } = useText();
  const { date } = useFormats();
  const stale = useActionOff();
  const { resend } = usePeopleCommands();
  const sendsMail = useSendsMail();
  const mayMail = useRight('member:invite');
  const mayLink = useRight('invite_link:manage');
  const beyond = useRoles().isBeyond(invitation.role)
    ? offBecause(
        t({ id: 'organisation.off.roleBeyond', defaultMessage: 'Its role has permissions that you don’t have' }),
      )
    : null;
  const off = stale ?? beyond;
  const isMail = invitation.kind === 'mail';
  const name = invitation.email ?? invitation.label ?? '';
  const ask = (kind: 'revoke' | 'replace') => () => onAct({ kind, id: invitation.id, invitation });
  const isSent = isMail && sendsMail !== false;
  const again = isSent
    ? { label: t({ id: 'organisation.act.resend', defaultMessage: 'Send again' }), act: () => resend(invitation) }
    : {
        label: isMail
          ? t({ id: 'organisation.act.newLink', defaultMessage: 'New link' })
          : t({ id: 'organisation.act.replace', defaultMessage: 'Replace link' }),
        act: ask('replace'),
      };
  const mayAgain = isMail ? mayMail : mayLink;
  const Icon = isSent ? Send : KeyRound;
  return (
    <div className={table.rowActions}>
      {mayAgain ? (
        <Button
          variant={isUrgent ? 'default' : 'subtle'}
          size="xs"
          className={classes.again}
          onClick={again.act}
          {...off}
        >
          {again.label}
        </Button>
      ) : null}
      <Menu position="bottom-end" width={230} returnFocus>
        <Menu.Target>
          <IconButton
            icon={Ellipsis}
            label={t({ id: 'organisation.people.actions', defaultMessage: 'Actions for {name}' }, { name })}
          />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            {off?.title ??
              t(
                { id: 'organisation.invited.until', defaultMessage: 'Open until {date}' },
                { date: date(invitation.endsAt) },
              )}
          </Menu.Label>
          {mayAgain ? (
            <Menu.Item leftSection={<Icon />} onClick={again.act} {...off}>
              {again.label}
            </Menu.Item>
          ) : null}
          <Menu.Item leftSection={<Ban />} color="var(--p-danger)" onClick={ask('revoke')} {...stale}>
            {t({ id: 'organisation.act.revoke', defaultMessage: 'Revoke' })}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

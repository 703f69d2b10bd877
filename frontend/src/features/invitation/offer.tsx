import type { InvitationView, Me } from '@parley/contracts';
import type { ReactNode } from 'react';
import { useFormats } from '../../lib/formats.ts';
import { useRoleName } from '../../domain/role/role-names.ts';
import { useText } from '../../lib/text.ts';
import { OrganisationMark, PersonAvatar } from '../../domain/picture/avatar.tsx';
import form from '../../ui/form.module.css';
import { VisitorAside } from '../../ui/visitor-aside.tsx';
import { VisitorHeading } from '../../ui/visitor-heading.tsx';
import { Beside } from './beside.tsx';
import classes from './invitation.module.css';

type Props = {
  view: Extract<InvitationView, { state: 'open' }>;
  title: string;
  /** Who is signed in and would join. */
  as?: Me;
  children: ReactNode;
};

/** Who invites to what, as what, until when; beside it what they say, and what the admins will see. */
export function Offer({ view, title, as, children }: Props) {
  const { t, rich } = useText();
  const { minute } = useFormats();
  const roleName = useRoleName();
  const { organisation, inviter, email, role, groups, domain, endsAt } = view;
  const bold = { inviter: <bdi key="inviter">{inviter}</bdi>, email: <b key="email">{email}</b> };
  return (
    <div className={form.form}>
      <VisitorHeading title={title} mark={<OrganisationMark name={organisation} size={40} />}>
        {email === null
          ? rich({ id: 'invitation.offer.byLink', defaultMessage: '{inviter} made this link.' }, bold)
          : rich({ id: 'invitation.offer.byMail', defaultMessage: '{inviter} invited {email}' }, bold)}
      </VisitorHeading>
      <dl className={classes.facts}>
        <dt>{t({ id: 'invitation.offer.role', defaultMessage: 'You will be' })}</dt>
        <dd>{roleName({ id: role, name: view.roleName })}</dd>
        {groups.length > 0 ? (
          <>
            <dt>
              {t(
                {
                  id: 'invitation.offer.groups',
                  defaultMessage: '{count, plural, one {In the group} other {In the groups}}',
                },
                { count: groups.length },
              )}
            </dt>
            <dd>
              <bdi>{groups.join(', ')}</bdi>
            </dd>
          </>
        ) : null}
        {domain === null ? null : (
          <>
            <dt>{t({ id: 'invitation.offer.domain', defaultMessage: 'For addresses at' })}</dt>
            <dd>
              <bdi>{domain}</bdi>
            </dd>
          </>
        )}
        <dt>{t({ id: 'invitation.offer.until', defaultMessage: 'Open until' })}</dt>
        <dd>{minute(endsAt)}</dd>
      </dl>
      {as ? (
        <p className={classes.person}>
          <PersonAvatar id={as.id} name={as.name} />
          <span>
            <bdi>{as.name}</bdi>
            <bdi className="p-sm p-quiet" dir="ltr">
              {as.email}
            </bdi>
          </span>
        </p>
      ) : null}
      {children}
      <VisitorAside>
        <Beside view={view} />
      </VisitorAside>
    </div>
  );
}

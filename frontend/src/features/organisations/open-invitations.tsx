import { Button } from '@mantine/core';
import type { Organisation } from '@parley/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { useFormats } from '../../lib/formats.ts';
import { api } from '../../lib/http.ts';
import { usePaths } from '../../lib/paths.ts';
import { useProblemText } from '../../lib/problem-texts.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useRoleName } from '../../domain/role/role-names.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { useSendsMail } from '../../domain/mail/use-sends-mail.ts';
import { MailServerLink } from '../../domain/mail/mail-server-link.tsx';
import { Note } from '../../ui/note.tsx';
import { useActionOff } from '../../ui/stale.tsx';
import classes from './organisations-page.module.css';

type Props = { onJoined: (organisation: Organisation) => void };

/** Invitations that wait for one's proven address, or what one has to do before they are listed. */
export function OpenInvitations({ onJoined }: Props) {
  const { t } = useText();
  const { me } = useTab();
  const { data } = useQuery({
    queryKey: resourceKey('my-invitations', null),
    queryFn: ({ signal }) => api('GET /api/org/my-invitations', { signal }),
    refetchInterval: 30_000,
    enabled: me.isProven,
  });
  if (!me.isProven) return <ConfirmFirst />;
  if (!data || data.items.length === 0) return null;
  return (
    <ul
      className={classes.invitations}
      aria-label={t({ id: 'organisations.invited.label', defaultMessage: 'Open invitations' })}
    >
      {data.items.map((item) => (
        <li key={item.id}>
          <OpenInvitation invitation={item} onJoined={onJoined} />
        </li>
      ))}
    </ul>
  );
}

function ConfirmFirst() {
  const { rich } = useText();
  const { me } = useTab();
  const paths = usePaths();
  if (useSendsMail() === false)
    return (
      <p className={`p-sm p-quiet ${classes.unproven}`}>
        {rich(
          {
            id: 'organisations.invited.noMail',
            defaultMessage:
              'Invitations to {address} aren’t listed here: without an email server Parley can’t verify addresses. To join, open the link you were given.',
          },
          { address: <bdi key="address">{me.email}</bdi> },
        )}{' '}
        <MailServerLink />
      </p>
    );
  return (
    <p className={`p-sm p-quiet ${classes.unproven}`}>
      {rich(
        {
          id: 'organisations.invited.unproven',
          defaultMessage:
            'Invitations to {address} are listed here once the address is verified. <link>Verify it in your profile</link>',
        },
        {
          address: <bdi key="address">{me.email}</bdi>,
          link: (text) => (
            <Link key="link" className="p-link" to={paths.to('settings')}>
              {text}
            </Link>
          ),
        },
      )}
    </p>
  );
}

type Item = Awaited<ReturnType<typeof api<'GET /api/org/my-invitations'>>>['items'][number];

function OpenInvitation({ invitation, onJoined }: Props & { invitation: Item }) {
  const { t, rich } = useText();
  const { date } = useFormats();
  const roleName = useRoleName();
  const describe = useProblemText();
  const off = useActionOff();
  const client = useQueryClient();
  const { id, organisation, inviter, role, endsAt } = invitation;
  const join = useMutation({
    mutationFn: () =>
      api('POST /api/org/my-invitations/:invitationId/accept', { params: { invitationId: id }, retries: 2 }),
    onSuccess: async (joined) => {
      await client.invalidateQueries({ queryKey: resourceKey('organisations', null) });
      void client.invalidateQueries({ queryKey: resourceKey('my-invitations', null) });
      onJoined(joined);
    },
  });
  const values = {
    organisation: <bdi key="organisation">{organisation}</bdi>,
    inviter: <bdi key="inviter">{inviter}</bdi>,
    role: roleName({ id: role, name: invitation.roleName }),
    date: date(endsAt),
    b: (text: React.ReactNode[]) => <b key="b">{text}</b>,
  };
  return (
    <Note
      kind="info"
      actions={
        <Button size="xs" loading={join.isPending} onClick={() => join.mutate()} {...off}>
          {t({ id: 'organisations.invited.join', defaultMessage: 'Join {organisation}' }, { organisation })}
        </Button>
      }
    >
      {rich(
        {
          id: 'organisations.invited.text',
          defaultMessage: '<b>{inviter} invites you to {organisation}</b>, role {role}. Open until {date}.',
        },
        values,
      )}{' '}
      {join.error ? describe(join.error).text : null}
    </Note>
  );
}

import { Button } from '@mantine/core';
import type { InvitationView } from '@parley/contracts';
import { Ban, Check, CircleCheck, CirclePause, Clock, Link2Off, UserX, Users, type LucideIcon } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useFormats } from '../../lib/formats.ts';
import { useText } from '../../lib/text.ts';
import { PersonAvatar } from '../../ui/avatar.tsx';
import form from '../../ui/form.module.css';
import { VisitorHeading } from '../../ui/visitor-heading.tsx';
import type { InvitationPageProps } from './invitation-page.tsx';
import classes from './invitation.module.css';

type Over = Exclude<InvitationView, { state: 'open' }> | { state: 'declined' } | { state: 'none' };
type Props = Over & Pick<InvitationPageProps, 'me' | 'signInPath' | 'onOpen' | 'onSwitch'>;

const icons: Record<Over['state'], LucideIcon> = {
  expired: Clock,
  revoked: Ban,
  used: Check,
  declined: CircleCheck,
  none: Link2Off,
  joined: CircleCheck,
  'other-account': UserX,
  'seats-full': Users,
  'inviter-lost-right': UserX,
  suspended: CirclePause,
};

/** An invitation by which nobody joins now: why, and what to do. Those that are over name nobody. */
export function InvitationOver(props: Props) {
  const { me, state, onOpen, onSwitch, signInPath } = props;
  const { t } = useText();
  const { title, text } = useWords(props);
  return (
    <div className={form.form}>
      <VisitorHeading icon={icons[state]} tone={state === 'joined' ? 'success' : 'quiet'} title={title}>
        {text}
      </VisitorHeading>
      {state === 'other-account' && me ? (
        <p className={classes.person}>
          <PersonAvatar id={me.id} name={me.name} />
          <span>
            <bdi>{me.name}</bdi>
            <bdi className="p-sm p-quiet" dir="ltr">
              {me.email}
            </bdi>
          </span>
        </p>
      ) : null}
      <div className={form.actions}>
        {state === 'other-account' ? (
          <Button size="md" onClick={onSwitch}>
            {t({ id: 'invitation.over.switch', defaultMessage: 'Switch account' })}
          </Button>
        ) : null}
        {me ? (
          <Button
            size="md"
            variant={state === 'other-account' ? 'subtle' : 'filled'}
            onClick={() => onOpen(state === 'joined' ? props.orgId : null)}
          >
            {state === 'other-account'
              ? t({ id: 'invitation.over.stay', defaultMessage: 'Stay signed in' })
              : t({ id: 'invitation.over.open', defaultMessage: 'Open Parley' })}
          </Button>
        ) : (
          <Button size="md" variant="default" component={Link} to={signInPath}>
            {t({ id: 'invitation.over.signIn', defaultMessage: 'Go to sign-in' })}
          </Button>
        )}
      </div>
    </div>
  );
}

function useWords(over: Over): { title: string; text: string } {
  const { t } = useText();
  const { exact, date } = useFormats();
  switch (over.state) {
    case 'expired':
      return {
        title: t(
          { id: 'invitation.expired.title', defaultMessage: 'This invitation ended on {day}' },
          { day: date(over.at) },
        ),
        text: t({
          id: 'invitation.expired.text',
          defaultMessage: 'Whoever sent it can send a new one, to the same address. This link stays closed.',
        }),
      };
    case 'revoked':
      return {
        title: t({ id: 'invitation.revoked.title', defaultMessage: 'This invitation was withdrawn' }),
        text: t(
          {
            id: 'invitation.revoked.text',
            defaultMessage: 'It was taken back on {day}. Ask the person who wrote to you.',
          },
          { day: date(over.at) },
        ),
      };
    case 'used':
      return {
        title: t({ id: 'invitation.used.title', defaultMessage: 'This invitation was used' }),
        text: t(
          {
            id: 'invitation.used.text',
            defaultMessage:
              'Its places were taken, or it was declined, on {time}. Was it not you? Tell the person who wrote to you.',
          },
          { time: exact(over.at) },
        ),
      };
    case 'declined':
      return {
        title: t({ id: 'invitation.declined.title', defaultMessage: 'You have declined' }),
        text: t({ id: 'invitation.declined.text', defaultMessage: 'Nobody joins by this link any more.' }),
      };
    case 'joined':
      return {
        title: t(
          { id: 'invitation.joined.title', defaultMessage: 'You belong to {organisation}' },
          { organisation: over.organisation },
        ),
        text: t({ id: 'invitation.joined.text', defaultMessage: 'This link adds nothing.' }),
      };
    case 'other-account':
      return {
        title: t({ id: 'invitation.other.title', defaultMessage: 'This invitation is for another address' }),
        text: t({
          id: 'invitation.other.text',
          defaultMessage: 'Use the account whose address got the mail. You are signed in as:',
        }),
      };
    case 'seats-full':
    case 'inviter-lost-right':
    case 'suspended':
      return hinderedWords(over, { t, date });
    default:
      return {
        title: t({ id: 'invitation.none.title', defaultMessage: 'This link is no invitation' }),
        text: t({
          id: 'invitation.none.text',
          defaultMessage:
            'Copy it whole from the mail, or ask whoever sent it for a new one. Only the newest link works.',
        }),
      };
  }
}

type Hindered = Extract<Over, { state: 'seats-full' | 'inviter-lost-right' | 'suspended' }>;
type Write = Pick<ReturnType<typeof useText>, 't'> & Pick<ReturnType<typeof useFormats>, 'date'>;

/** It is good still, only not now. */
function hinderedWords(over: Hindered, { t, date }: Write): { title: string; text: string } {
  switch (over.state) {
    case 'seats-full':
      return {
        title: t(
          { id: 'invitation.full.title', defaultMessage: 'All {count, number} seats of {organisation} are taken' },
          { count: over.seats, organisation: over.organisation },
        ),
        text: t(
          {
            id: 'invitation.full.text',
            defaultMessage:
              'Your invitation stays good until {day}. An owner can free a seat; then this page lets you in.',
          },
          { day: date(over.endsAt) },
        ),
      };
    case 'inviter-lost-right':
      return {
        title: t({ id: 'invitation.lost.title', defaultMessage: 'This invitation cannot be used now' }),
        text: t(
          {
            id: 'invitation.lost.text',
            defaultMessage:
              'The person who sent it may no longer invite people to {organisation}. Another admin can send you a new one.',
          },
          { organisation: over.organisation },
        ),
      };
    case 'suspended':
      return {
        title: t(
          { id: 'invitation.suspended.title', defaultMessage: '{organisation} is suspended' },
          { organisation: over.organisation },
        ),
        text: t({
          id: 'invitation.suspended.text',
          defaultMessage: 'Nobody can join it now. Your invitation is kept: open this page again later.',
        }),
      };
  }
}

import { Button } from '@mantine/core';
import type { InvitationView } from '@parley/contracts';
import { Ban, Check, CircleCheck, CirclePause, Clock, Link2Off, UserX, Users, type LucideIcon } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useFormats } from '../../lib/formats.ts';
import { useText } from '../../lib/text.ts';
import { OrganisationMark, PersonAvatar } from '../../domain/picture/avatar.tsx';
import form from '../../ui/form.module.css';
import { VisitorHeading } from '../../ui/visitor-heading.tsx';
import type { InvitationPageProps } from './invitation-page-props.ts';
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
      {'organisation' in props ? <OrganisationMark name={props.organisation} size={28} /> : null}
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
  const { minute, date } = useFormats();
  switch (over.state) {
    case 'expired':
      return {
        title: t(
          { id: 'invitation.expired.title', defaultMessage: 'This invitation ended on {day}' },
          { day: date(over.at) },
        ),
        text: t({
          id: 'invitation.expired.text',
          defaultMessage: 'The person who sent it can send a new one to the same address. This link no longer works.',
        }),
      };
    case 'revoked':
      return {
        title: t({ id: 'invitation.revoked.title', defaultMessage: 'This invitation was withdrawn' }),
        text: t(
          {
            id: 'invitation.revoked.text',
            defaultMessage: 'It was withdrawn on {day}. Ask the person who invited you.',
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
              'It was accepted or declined on {time}. If that wasn’t you, tell the person who invited you.',
          },
          { time: minute(over.at) },
        ),
      };
    case 'declined':
      return {
        title: t({ id: 'invitation.declined.title', defaultMessage: 'Invitation declined' }),
        text: t({ id: 'invitation.declined.text', defaultMessage: 'This link no longer works.' }),
      };
    case 'joined':
      return {
        title: t(
          { id: 'invitation.joined.title', defaultMessage: 'You’re a member of {organisation}' },
          { organisation: over.organisation },
        ),
        text: t({ id: 'invitation.joined.text', defaultMessage: 'You don’t need this link any more.' }),
      };
    case 'other-account':
      return {
        title: t({ id: 'invitation.other.title', defaultMessage: 'This invitation is for another address' }),
        text: t({
          id: 'invitation.other.text',
          defaultMessage: 'Use the account with the address that was invited. You’re signed in as:',
        }),
      };
    case 'seats-full':
    case 'inviter-lost-right':
    case 'suspended':
      return hinderedWords(over, { t, date });
    default:
      return {
        title: t({ id: 'invitation.none.title', defaultMessage: 'This link isn’t an invitation' }),
        text: t({
          id: 'invitation.none.text',
          defaultMessage:
            'Copy the whole link, or ask the person who sent it for a new one. Only the newest link works.',
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
              'Your invitation is valid until {day}. When an owner adds or frees a seat, this page continues automatically.',
          },
          { day: date(over.endsAt) },
        ),
      };
    case 'inviter-lost-right':
      return {
        title: t({ id: 'invitation.lost.title', defaultMessage: 'This invitation can’t be used now' }),
        text: t(
          {
            id: 'invitation.lost.text',
            defaultMessage:
              'The person who sent it can no longer invite people to {organisation}. Another admin can send you a new one.',
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
          defaultMessage: 'Nobody can join it now. Your invitation is kept, and this page continues automatically.',
        }),
      };
  }
}

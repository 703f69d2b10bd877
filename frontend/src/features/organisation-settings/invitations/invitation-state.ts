import type { Invitation } from '@parley/contracts';
import { useEffect, useState } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import type { StatusKind } from '../../../ui/status-shape.tsx';

const tickMs = 30_000;
const dayMs = 24 * 3_600_000;

type State = { readonly kind: StatusKind; readonly text: string; readonly second?: string };

/** How far it has come, in words; that it ends soon goes before. */
export function useInvitationState(invitation: Invitation): State {
  const { t, intl } = useText();
  const { ago, number } = useFormats();
  const now = useNow();
  const { kind, places, taken, mail, openedAt, endsAt } = invitation;
  const mailed: Record<NonNullable<Invitation['mail']>, State> = {
    waiting: {
      kind: 'waiting',
      text: t({ id: 'organisation.invited.unsent', defaultMessage: 'Waiting for its email' }),
    },
    sent: { kind: 'waiting', text: t({ id: 'organisation.invited.sent', defaultMessage: 'Sent, not opened' }) },
    kept: {
      kind: 'waiting',
      text: t({ id: 'organisation.invited.kept', defaultMessage: 'Not emailed' }),
      second: t({ id: 'organisation.invited.keptHelp', defaultMessage: 'Pass its link on yourself' }),
    },
    failed: {
      kind: 'bad',
      text: t({ id: 'organisation.invited.failed', defaultMessage: 'Its email was refused' }),
      second: t({ id: 'organisation.invited.failedHelp', defaultMessage: 'Check the address, or send it again' }),
    },
  };
  const used = t(
    {
      id: 'organisation.invited.places',
      defaultMessage: '{taken} of {places, plural, one {# place} other {# places}} used',
    },
    { taken: number(taken), places },
  );
  const second = kind === 'link' ? used : undefined;
  if (Date.parse(endsAt) <= now)
    return { kind: 'off', text: t({ id: 'organisation.invited.ended', defaultMessage: 'Ended' }), second };
  const days = daysBetween(now, Date.parse(endsAt));
  if (days <= 1) {
    const when = intl.formatRelativeTime(days, 'day', { numeric: 'auto' });
    const text = t({ id: 'organisation.invited.ends', defaultMessage: 'Ends {when}' }, { when });
    return { kind: 'warning', text, second };
  }
  if (kind === 'link') return { kind: 'waiting', text: used };
  if (openedAt !== null) {
    const when = ago(openedAt, now);
    return {
      kind: 'running',
      text: t({ id: 'organisation.invited.opened', defaultMessage: 'Opened {when}' }, { when }),
    };
  }
  return mailed[mail ?? 'sent'];
}

/** Whole days of the calendar. */
function daysBetween(from: number, to: number): number {
  const midnight = (at: number) => new Date(at).setHours(0, 0, 0, 0);
  return Math.round((midnight(to) - midnight(from)) / dayMs);
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}

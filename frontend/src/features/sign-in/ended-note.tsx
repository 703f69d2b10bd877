import { useFormats } from '../../lib/formats.ts';
import type { Ended } from '../../domain/session/session.ts';
import { useText } from '../../lib/text.ts';
import { Note } from '../../ui/note.tsx';

/** Why one stands at the sign-in, for who did not sign out in this tab. */
export function EndedNote({ ended: { how, at } }: { ended: Ended }) {
  const { t } = useText();
  const { clock } = useFormats();
  const title =
    how === 'expired'
      ? t({ id: 'ended.note.expired', defaultMessage: 'Your session has ended.' })
      : at === null
        ? t({ id: 'ended.note.title', defaultMessage: 'You were signed out.' })
        : t({ id: 'ended.note.titleAt', defaultMessage: 'You were signed out at {time}.' }, { time: clock(at) });
  const reasons = {
    'signed-out': t({
      id: 'ended.note.here',
      defaultMessage: 'You signed out in another tab of this browser, or signed in anew there.',
    }),
    'signed-out-everywhere': t({
      id: 'ended.note.everywhere',
      defaultMessage: 'You signed out everywhere, in another tab or on another device.',
    }),
    'password-changed': t({
      id: 'ended.note.password',
      defaultMessage: 'Your password was changed on another device.',
    }),
    'ended-by-you': t({ id: 'ended.note.ended', defaultMessage: 'You ended this session from another one.' }),
    expired: t({ id: 'ended.note.unused', defaultMessage: 'It was not used for 12 hours, or was 30 days old.' }),
    unknown: t({
      id: 'ended.note.unknown',
      defaultMessage: 'The session was ended from another tab or device, or was not used for long.',
    }),
  };
  return (
    <output>
      <Note kind="info">
        <b>{title}</b> {reasons[how ?? 'unknown']}{' '}
        {t({ id: 'ended.note.kept', defaultMessage: 'What you had typed in chats is kept.' })}
      </Note>
    </output>
  );
}

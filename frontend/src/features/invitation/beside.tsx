import type { InvitationView } from '@parley/contracts';
import { Eye, EyeOff, type LucideIcon } from 'lucide-react';
import { useFormats } from '../../lib/formats.ts';
import { useText } from '../../lib/text.ts';
import { PersonAvatar } from '../../domain/picture/avatar.tsx';
import classes from './invitation.module.css';

type Open = Extract<InvitationView, { state: 'open' }>;

/** What the inviter says, as they would say it in a chat, and what the admins see of somebody who joins. */
export function Beside({ view }: { view: Open }) {
  const { t } = useText();
  const { organisation } = view;
  const sees = t(
    { id: 'invitation.sight.sees', defaultMessage: 'What the admins of {organisation} see' },
    { organisation },
  );
  const never = t({ id: 'invitation.sight.never', defaultMessage: 'What they don’t see' });
  return (
    <div className={classes.beside}>
      <Message view={view} />
      <Sight
        title={sees}
        icon={Eye}
        lines={[
          t({ id: 'invitation.sight.name', defaultMessage: 'Your name, email address, role and groups' }),
          t({ id: 'invitation.sight.presence', defaultMessage: 'When you sign in, and on which devices' }),
          t({
            id: 'invitation.sight.usage',
            defaultMessage:
              'How much you use and what it costs: owners and people who can read the usage ledger by name see your name, others a pseudonym',
          }),
        ]}
      />
      <Sight
        title={never}
        icon={EyeOff}
        lines={[
          t({ id: 'invitation.sight.chats', defaultMessage: 'Your chats, unless you include one in feedback' }),
          t({ id: 'invitation.sight.others', defaultMessage: 'Other organisations you belong to' }),
        ]}
      />
    </div>
  );
}

function Message({ view: { inviter, message, createdAt } }: { view: Open }) {
  const { minute } = useFormats();
  if (!message) return null;
  return (
    <figure className={classes.message}>
      <PersonAvatar id={inviter} name={inviter} />
      <div>
        <figcaption>
          <b>
            <bdi>{inviter}</bdi>
          </b>
          <time className="p-meta" dateTime={createdAt}>
            {minute(createdAt)}
          </time>
        </figcaption>
        <blockquote dir="auto">{message}</blockquote>
      </div>
    </figure>
  );
}

function Sight({ title, icon: Icon, lines }: { title: string; icon: LucideIcon; lines: readonly string[] }) {
  return (
    <section>
      <h2 className={classes.sight}>{title}</h2>
      <ul className={classes.seen}>
        {lines.map((line) => (
          <li key={line}>
            <Icon />
            {line}
          </li>
        ))}
      </ul>
    </section>
  );
}

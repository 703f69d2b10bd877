import { Button } from '@mantine/core';
import type { Message } from '@parley/contracts';
import { memo, type ReactNode } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { ProblemError } from '../../../lib/http.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { PersonAvatar } from '../../../ui/avatar.tsx';
import { Note } from '../../../ui/note.tsx';
import { StatusShape } from '../../../ui/status-shape.tsx';
import type { PendingSend } from '../pending-sends.ts';
import classes from './turn.module.css';

/** `isUnsent`: refused before a model was asked. */
type PersonProps = { message: Message; isNear: boolean; isUnsent: boolean };

export const PersonTurn = memo(function PersonTurn({ message, isNear, isUnsent }: PersonProps) {
  const { t } = useText();
  const { clock, exact } = useFormats();
  const name = message.author?.name ?? t({ id: 'chat.person.former', defaultMessage: 'Former member' });
  return (
    <article className={classes.turn} id={message.id} aria-label={name}>
      {isNear ? (
        <Turn
          personId={message.author?.userId ?? ''}
          name={name}
          aside={
            <>
              <time className={classes.time} dateTime={message.createdAt} title={exact(message.createdAt)}>
                {clock(message.createdAt)}
              </time>
              {isUnsent ? (
                <span className={`${classes.state} ${classes.time}`}>
                  <StatusShape kind="waiting" />
                  {t({ id: 'chat.person.unsent', defaultMessage: 'Kept, not sent' })}
                </span>
              ) : null}
            </>
          }
        >
          <div className={classes.speech} dir="auto" data-waiting={isUnsent || undefined}>
            {message.text}
          </div>
        </Turn>
      ) : (
        <div className={classes.far} dir="auto">
          {message.text}
        </div>
      )}
    </article>
  );
});

function Turn({
  personId,
  name,
  aside,
  children,
}: {
  personId: string;
  name: string;
  aside: ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      <PersonAvatar id={personId} name={name} />
      <div className={classes.body}>
        <header className={classes.who}>
          <b>
            <bdi>{name}</bdi>
          </b>
          {aside}
        </header>
        <div className={classes.full}>{children}</div>
      </div>
    </>
  );
}

type PendingProps = { send: PendingSend; isConnected: boolean; onRetry: () => void; onEdit: () => void };

/** Typed and kept, not acknowledged yet. */
export function PendingTurn({ send, isConnected, onRetry, onEdit }: PendingProps) {
  const { t } = useText();
  const { me } = useTab();
  const describe = useProblemText();
  const words = send.refusal
    ? t({ id: 'chat.pending.refused', defaultMessage: 'Not sent' })
    : isConnected
      ? t({ id: 'chat.pending.sending', defaultMessage: 'Sending' })
      : t({ id: 'chat.pending.offline', defaultMessage: 'Kept here; it is sent when the connection is back' });
  return (
    <article className={classes.turn} id={send.messageId} aria-label={me.name}>
      <Turn
        personId={me.id}
        name={me.name}
        aside={
          <span className={`${classes.state} ${classes.time}`}>
            <StatusShape kind={send.refusal ? 'bad' : 'waiting'} />
            {words}
          </span>
        }
      >
        <div className={classes.speech} dir="auto" data-waiting>
          {send.text}
        </div>
        {send.refusal ? (
          <div className={classes.note}>
            <Note
              kind="danger"
              isAlert
              actions={
                <>
                  <Button size="xs" variant="default" onClick={onRetry}>
                    {t({ id: 'chat.pending.again', defaultMessage: 'Send message again' })}
                  </Button>
                  <Button size="xs" variant="subtle" onClick={onEdit}>
                    {t({ id: 'chat.pending.edit', defaultMessage: 'Edit message' })}
                  </Button>
                </>
              }
            >
              {describe(new ProblemError(send.refusal)).text}
            </Note>
          </div>
        ) : null}
      </Turn>
    </article>
  );
}

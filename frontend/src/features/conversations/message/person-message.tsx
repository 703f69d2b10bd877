import { Button } from '@mantine/core';
import type { Message, MessageId, ModelKey } from '@parley/contracts';
import { GitFork, Pencil } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { ProblemError } from '../../../lib/http.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { useRight, useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { PersonAvatar } from '../../../domain/picture/avatar.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Note } from '../../../ui/note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { StatusShape } from '../../../ui/status-shape.tsx';
import type { PendingSend } from '../state/pending-sends.ts';
import { CopyIconButton } from '../../../ui/copy-button.tsx';
import type { Editing, MessageActions } from '../state/message-actions.ts';
import { MessageMenu } from './message-menu.tsx';
import { Speech } from './speech/index.tsx';
import { VersionSwitch } from './version-switch.tsx';
import { ImportedMark } from './imported-mark.tsx';
import classes from './message.module.css';

/** Loaded late, because most questions have no files. */
const MessageFiles = lazyPart(async () => (await import('../files/message-files.tsx')).MessageFiles);
const QuestionEdit = lazyPart(async () => (await import('../parts/question-edit/index.tsx')).QuestionEdit);

type PersonProps = {
  message: Message;
  versions: readonly MessageId[] | null;
  isNear: boolean;
  /** The answer was refused before a model was asked the question. */
  isUnsent: boolean;
  answeredBy: ModelKey | null;
  given: NonNullable<Message['generation']>['images'];
  leftOut: NonNullable<Message['generation']>['leftOut'];
  editing: Editing | null;
  actions: MessageActions;
};

export const PersonMessage = memo(function PersonMessage({
  message,
  isNear,
  isUnsent,
  answeredBy,
  given,
  leftOut,
  editing,
  ...row
}: PersonProps) {
  const { t } = useText();
  const { exact, moment } = useFormats();
  const name = message.author?.name ?? t({ id: 'chat.person.former', defaultMessage: 'Former member' });
  const { files = [] } = message;
  const isLater = row.versions !== null && row.versions[0] !== message.id;
  return (
    <article className={classes.message} id={message.id} aria-label={name}>
      {isNear || editing ? (
        <Framed
          personId={message.author?.userId ?? ''}
          name={name}
          aside={
            <>
              <time className={classes.time} dateTime={message.createdAt} title={exact(message.createdAt)}>
                {moment(message.createdAt)}
              </time>
              {message.imported ? <ImportedMark /> : null}
              {isLater ? (
                <span className={classes.time}>{t({ id: 'chat.person.edited', defaultMessage: 'edited' })}</span>
              ) : null}
              {isUnsent ? (
                <span className={`${classes.state} ${classes.time}`}>
                  <StatusShape kind="waiting" />
                  {t({ id: 'chat.person.unsent', defaultMessage: 'Kept, not sent' })}
                </span>
              ) : null}
            </>
          }
        >
          {files.length > 0 ? (
            <MessageFiles
              files={files}
              onOpen={row.actions.openFile}
              answeredBy={answeredBy}
              given={given}
              leftOut={leftOut}
            />
          ) : null}
          {editing ? (
            <QuestionEdit
              hasFiles={files.length > 0}
              text={editing.text}
              hint={t({ id: 'chat.edit.kept', defaultMessage: 'The earlier version is kept.' })}
              action={t({ id: 'chat.edit.send', defaultMessage: 'Send as new version' })}
              onSave={(text) => row.actions.sendEdited(message, text)}
              onCancel={() => row.actions.edit(null)}
            />
          ) : (
            <>
              {message.text === '' ? null : <Speech text={message.text} isWaiting={isUnsent} />}
              <QuestionRow message={message} {...row} />
            </>
          )}
        </Framed>
      ) : (
        <div className={classes.far} dir="auto">
          {[...files.map((file) => file.name), message.text].join('\n')}
        </div>
      )}
    </article>
  );
});

type RowProps = Pick<PersonProps, 'message' | 'versions' | 'actions'>;

/** Shows a question's versions and actions. With a mouse, actions appear only while it is over the question. */
function QuestionRow({ message, versions, actions }: RowProps) {
  const { t } = useText();
  const mayAsk = useRight('chat:create');
  const off = useActionOff();
  return (
    <div className={`${classes.actions} ${classes.questionRow}`}>
      <VersionSwitch id={message.id} versions={versions} onShow={actions.showVersion} />
      <span className={classes.onHover}>
        {mayAsk ? (
          <IconButton
            icon={Pencil}
            className={classes.wide}
            label={t({ id: 'chat.message.edit', defaultMessage: 'Edit' })}
            onClick={() => actions.edit(message)}
          />
        ) : null}
        <span className={classes.wide}>
          <CopyIconButton
            text={message.text}
            label={t({ id: 'chat.message.copy', defaultMessage: 'Copy' })}
            copied={t({ id: 'chat.message.copied', defaultMessage: 'Copied' })}
          />
        </span>
        {mayAsk ? (
          <IconButton
            icon={GitFork}
            className={classes.wide}
            label={t({ id: 'chat.message.branch', defaultMessage: 'Branch to new chat' })}
            onClick={() => actions.branch(message, 'path')}
            {...off}
          />
        ) : null}
        <MessageMenu message={message} versions={versions} actions={actions} />
      </span>
    </div>
  );
}

function Framed({
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
        <header className={`p-sm ${classes.who}`}>
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

type PendingProps = {
  send: PendingSend;
  isConnected: boolean;
  onOpenFile: MessageActions['openFile'];
  onRetry: () => void;
  onEdit: () => void;
};

/** Shows a question that is stored in the browser and not acknowledged by the server yet. */
export function PendingMessage({ send, isConnected, onOpenFile, onRetry, onEdit }: PendingProps) {
  const { t } = useText();
  const { me } = useTab();
  const describe = useProblemText();
  const words = send.refusal
    ? t({ id: 'chat.pending.refused', defaultMessage: 'Not sent' })
    : isConnected
      ? t({ id: 'chat.pending.sending', defaultMessage: 'Sending' })
      : t({ id: 'chat.pending.offline', defaultMessage: 'Kept here; it is sent when the connection is back' });
  return (
    <article className={classes.message} id={send.messageId} aria-label={me.name}>
      <Framed
        personId={me.id}
        name={me.name}
        aside={
          <span className={`${classes.state} ${classes.time}`}>
            <StatusShape kind={send.refusal ? 'bad' : 'waiting'} />
            {words}
          </span>
        }
      >
        {send.attached ? <MessageFiles files={send.attached} onOpen={onOpenFile} answeredBy={null} /> : null}
        {send.text === '' ? null : <Speech text={send.text} isWaiting />}
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
      </Framed>
    </article>
  );
}

import { Button } from '@mantine/core';
import type { ConversationId, Message, QueuedQuestion } from '@parley/contracts';
import type { ProblemCode } from '@parley/protocol';
import { X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { ProblemError } from '../../../../lib/http.ts';
import { LateTexts } from '../../../../lib/late-texts.tsx';
import { useProblemText } from '../../../../lib/problem-texts.ts';
import { useText } from '../../../../lib/text.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { useActionOff } from '../../../../ui/stale.tsx';
import { StatusShape, type StatusKind } from '../../../../ui/status-shape.tsx';
import { useAnswererName } from '../../state/answerer.ts';
import type { GiveBack } from '../../state/composing.ts';
import type { PendingSend } from '../../state/pending-sends.ts';
import { mostQueued } from '../../state/question-limits.ts';
import { useQueueCommands } from '../queue-commands.ts';
import { isUnsent } from '../../state/exchanges.ts';
import type { Waiting } from '../../state/use-sending.ts';
import type { AnswererPickerProps } from '../../answerer/answerer-picker/index.tsx';
import { endOf } from '../../message/answer-state.ts';
import { QueuedEdit } from '../queued-edit.tsx';
import classes from './queue-tray.module.css';

const countedFrom = mostQueued - 5;

type Props = Waiting & {
  /** The answer that the queue waits for; null if that answer isn't on the shown path. */
  after: Message | null;
  conversationId: ConversationId;
  offered: Pick<AnswererPickerProps, 'models' | 'chatbots'>;
  isConnected: boolean;
  /** Takes back an unacknowledged message to edit it. */
  onEdit: (item: PendingSend) => void;
  onRemove: (item: PendingSend) => void;
  onRetry: (item: PendingSend) => void;
  /** Puts a text into the message field. */
  giveBack: GiveBack;
};

/** Shows queued messages above the composer, the same on every device. */
export function QueueTray(props: Props) {
  return (
    <LateTexts part="tray">
      <Tray {...props} />
    </LateTexts>
  );
}

function Tray({ queue, sending, after, conversationId, offered, isConnected, giveBack, ...pending }: Props) {
  const { t } = useText();
  const commands = useQueueCommands(conversationId, giveBack);
  const { items, waitsForPerson } = queue;
  const count = items.length + sending.length;
  return (
    <section className={`p-sm ${classes.tray}`} aria-label={t({ id: 'tray.row.queue', defaultMessage: 'Queue' })}>
      {waitsForPerson && items[0] ? <Held items={items} first={items[0]} after={after} commands={commands} /> : null}
      <ol className={classes.items}>
        {items.map((item, index) => (
          <Queued key={item.id} item={item} place={index + 1} {...{ offered, commands, giveBack }} />
        ))}
        {sending.map((item) => (
          <Sending key={item.messageId} item={item} isConnected={isConnected} {...pending} />
        ))}
      </ol>
      {count >= countedFrom ? (
        <p className={classes.count}>
          {t(
            { id: 'tray.row.count', defaultMessage: '{count, number} of {most, number} queued' },
            { count, most: mostQueued },
          )}
        </p>
      ) : null}
    </section>
  );
}

type Commands = ReturnType<typeof useQueueCommands>;

/** Says why the queue is on hold, and how to continue it. */
function Held({
  items,
  first,
  after,
  commands: { resume, withdraw },
}: {
  items: readonly QueuedQuestion[];
  first: QueuedQuestion;
  after: Message | null;
  commands: Commands;
}) {
  const { t } = useText();
  const describe = useProblemText();
  const off = useActionOff();
  const { refusal } = first;
  const end = after && (isUnsent(after) ? 'unsent' : endOf(after));
  return (
    <div className={classes.held}>
      <StatusShape kind={refusal || end === 'failed' || end === 'unsent' ? 'bad' : 'warning'} />
      <output className={classes.why}>
        {refusal
          ? describe(problemOf(refusal)).text
          : t(
              {
                id: 'tray.row.held',
                defaultMessage:
                  '{end, select, failed {The last answer failed. Queued messages wait for you.} cut {The last answer was cut off. Queued messages wait for you.} interrupted {The last answer was interrupted. Queued messages wait for you.} stopped {The last answer was stopped. Queued messages wait for you.} unsent {The last message was not sent. Queued messages wait for you.} other {Queued messages wait for you.}}',
              },
              { end: end ?? 'other' },
            )}
      </output>
      <div className={classes.actions}>
        <Button size="xs" variant="default" onClick={resume} {...off}>
          {refusal
            ? t({ id: 'state.failure.retry', defaultMessage: 'Try again' })
            : t({ id: 'tray.row.resume', defaultMessage: 'Send anyway' })}
        </Button>
        {items.length > 1 ? (
          <Button size="xs" variant="subtle" onClick={() => withdraw(items)} {...off}>
            {t({ id: 'tray.row.withdrawAll', defaultMessage: 'Withdraw all' })}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

/** Makes an error from any code: `useProblemText` has words even for codes of newer servers. */
const problemOf = (code: string) => new ProblemError({ type: '', title: '', status: 409, code: code as ProblemCode });

function Queued({
  item,
  place,
  offered,
  commands: { save, withdraw },
  giveBack,
}: { item: QueuedQuestion; place: number; commands: Commands } & Pick<Props, 'offered' | 'giveBack'>) {
  const { t } = useText();
  const off = useActionOff();
  const [isEditing, setEditing] = useState(false);
  const words = useWords(item, offered);
  if (isEditing)
    return (
      <li className={classes.editing}>
        <QueuedEdit item={item} save={save} giveBack={giveBack} onClose={() => setEditing(false)} />
      </li>
    );
  return (
    <Row
      kind={item.refusal ? 'bad' : 'waiting'}
      state={place === 1 ? t({ id: 'tray.row.next', defaultMessage: 'Next' }) : String(place)}
      words={words}
    >
      {item.kind === 'question' ? (
        <Button variant="subtle" size="xs" onClick={() => setEditing(true)} {...off}>
          {t({ id: 'chat.message.edit', defaultMessage: 'Edit' })}
        </Button>
      ) : null}
      <IconButton
        icon={X}
        label={t({ id: 'tray.row.withdraw', defaultMessage: 'Withdraw' })}
        onClick={() => withdraw([item])}
        {...off}
      />
    </Row>
  );
}

/** Returns a function for a row's text: the question, or the requested answer and who gives it. */
function useWords({ kind, text, files, continues, ...asked }: QueuedQuestion, offered: Props['offered']): string {
  const { t } = useText();
  const nameOf = useAnswererName();
  if (kind === 'question') return text || namesOf(files);
  const chatbot = offered.chatbots.find(({ id }) => id === asked.chatbotId) ?? null;
  const model = offered.models.find(({ key }) => key === (asked.model ?? chatbot?.model)) ?? null;
  const name = nameOf({ chatbot, model });
  if (name === '')
    return continues
      ? t({ id: 'chat.note.continue', defaultMessage: 'Continue answer' })
      : t({ id: 'chat.note.askAgain', defaultMessage: 'Ask again' });
  return continues
    ? t({ id: 'tray.row.continue', defaultMessage: 'Continue answer with {name}' }, { name })
    : t({ id: 'tray.row.again', defaultMessage: 'Ask again with {name}' }, { name });
}

const namesOf = (files: readonly { readonly name: string }[] = []): string => files.map(({ name }) => name).join(', ');

/** Shows a message that was typed here and not acknowledged by the server yet. */
function Sending({
  item,
  isConnected,
  onEdit,
  onRemove,
  onRetry,
}: { item: PendingSend } & Pick<Props, 'isConnected' | 'onEdit' | 'onRemove' | 'onRetry'>) {
  const { t } = useText();
  const describe = useProblemText();
  const { refusal } = item;
  const state = refusal
    ? t({ id: 'chat.pending.refused', defaultMessage: 'Not sent' })
    : isConnected
      ? t({ id: 'chat.pending.sending', defaultMessage: 'Sending' })
      : t({ id: 'tray.row.offline', defaultMessage: 'Offline' });
  return (
    <Row
      kind={refusal ? 'bad' : 'waiting'}
      state={state}
      words={item.text || namesOf(item.attached)}
      why={refusal && describe(new ProblemError(refusal)).text}
    >
      {refusal ? (
        <Button variant="subtle" size="xs" onClick={() => onRetry(item)}>
          {t({ id: 'state.failure.retry', defaultMessage: 'Try again' })}
        </Button>
      ) : null}
      <Button variant="subtle" size="xs" onClick={() => onEdit(item)}>
        {t({ id: 'chat.message.edit', defaultMessage: 'Edit' })}
      </Button>
      <IconButton
        icon={X}
        label={t({ id: 'tray.row.withdraw', defaultMessage: 'Withdraw' })}
        onClick={() => onRemove(item)}
      />
    </Row>
  );
}

function Row({
  kind,
  state,
  words,
  why,
  children,
}: {
  kind: StatusKind;
  state: string;
  words: string;
  /** It was refused. */
  why?: string | undefined;
  children: ReactNode;
}) {
  return (
    <li className={classes.item}>
      <div className={classes.row}>
        <StatusShape kind={kind} />
        <span className={classes.state}>{state}</span>
        <span className={`p-one-line ${classes.words}`} dir="auto">
          {words}
        </span>
        {children}
      </div>
      {why ? (
        <p className={classes.refusal} role="alert">
          {why}
        </p>
      ) : null}
    </li>
  );
}

import type { ConversationId, Message, MessageFile, MessageId } from '@parley/contracts';
import { useCallback, useMemo, useState, type RefObject } from 'react';
import type { Path } from '../../../domain/conversation/conversation-path.ts';
import { runningAnswer } from '../../../domain/conversation/conversation-stream-state.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { useLiveStatus } from '../../../lib/live.tsx';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { SkeletonBubbles } from '../../../ui/state-view.tsx';
import { useErrorToast } from '../../../ui/error-toast.ts';
import { useActions } from './use-actions.ts';
import { useAnswerer } from '../state/answerer.ts';
import { useChatShortcuts } from './chat-shortcuts.ts';
import { useDraft, type GiveBack } from '../state/composing.ts';
import type { useConversationStream } from '../state/conversation-stream.ts';
import { usePendingSends } from '../state/pending-sends-context.tsx';
import type { PendingSend } from '../state/pending-sends.ts';
import { mostQueued } from '../state/question-limits.ts';
import { withoutDiscarded } from '../state/exchanges.ts';
import { useGiveBack } from './use-give-back.ts';
import { useQuoting, type Composing } from '../state/use-quoting.ts';
import { questionFiles, useAttachingOf } from '../state/attaching.ts';
import { useAskedOf } from './use-asked-of.ts';
import { useSending, type Waiting } from '../state/use-sending.ts';
import { Composer } from '../composer/composer.tsx';
import { DraftNote } from '../composer/late-draft-note.ts';
import type { Editing } from '../state/message-actions.ts';
import { MessageList } from './message-list.tsx';
import { PendingMessage } from '../message/person-message.tsx';
import type { OpenSource } from './exchange-chunk.tsx';
import classes from './conversation.module.css';

const ArchivedNote = lazyPart(async () => (await import('./archived-note.tsx')).ArchivedNote);
const WrittenElsewhere = lazyPart(async () => (await import('./written-elsewhere.tsx')).WrittenElsewhere);
/** Loaded late, because usually no question is queued. */
const QueueTray = lazyPart(async () => (await import('../queue/queue-tray/index.tsx')).QueueTray);

type Props = {
  stream: ReturnType<typeof useConversationStream>;
  conversationId: ConversationId;
  pending: readonly PendingSend[];
  /** The message that a link names. */
  target: MessageId | null;
  source: OpenSource | null;
  onSource: (source: OpenSource) => void;
  onFile: (file: MessageFile) => void;
  composing: RefObject<Composing | null>;
};

/**
 * Shows a conversation with its composer. Typing works before the messages are loaded, which come last on a slow
 * network.
 */
export function Talk({ stream, conversationId, pending, target, source, onSource, onFile, composing }: Props) {
  const { t } = useText();
  const { state, loadOlder } = stream;
  const isConnected = useLiveStatus() === 'live';
  const path = useMemo(() => withoutDiscarded(state?.messages ?? []), [state?.messages]);
  const { models, chatbots, answerer, pickModel, pickBot } = useAnswerer(useAskedOf(conversationId, path));
  const [text, setText] = useDraft(conversationId);
  const [editing, setEditing] = useState<Editing | null>(null);
  const sends = usePendingSends();
  const input = useQuoting(composing, { text, setText });
  const { sendNext, sendEdited, follow, waiting, going, isWaiting } = useSending({
    stream,
    conversationId,
    pending,
    path,
    answerer,
  });
  const { attaching, onAttaching } = useAttachingOf(conversationId);
  const giveBack = useGiveBack(conversationId, text, setText);
  const edit = (item: PendingSend) => {
    sends.withdraw(item.messageId);
    const question = path.find(({ role, parentId }) => role === 'person' && parentId === item.parentId);
    if (question) setEditing({ id: question.id, text: item.text });
    else giveBack(item.text, item.files);
  };
  const sendVersion = (question: Message, words: string) => {
    setEditing(null);
    sendEdited(question, words);
  };
  const { actions, stop } = useActions({
    stream,
    conversationId,
    onSource,
    onFile,
    setEditing,
    sendVersion,
    pickModel,
    follow,
    answerer,
  });
  useChatShortcuts({ path, versions: state?.versions, actions });
  const find = useFind(stream.show);
  const end = path.at(-1)?.id ?? null;
  return (
    <>
      {state ? (
        <MessageList
          state={state}
          messages={before(path, going[0])}
          openSource={source}
          models={models}
          actions={actions}
          editing={editing}
          loadOlder={loadOlder}
          show={find}
          target={target}
          pendingCount={going.length}
          pending={
            <PendingMessages items={going} end={end} isConnected={isConnected} edit={edit} onOpenFile={onFile} />
          }
        />
      ) : (
        <SkeletonBubbles label={t({ id: 'chat.page.loading', defaultMessage: 'The chat is loading' })} />
      )}
      <div className={classes.foot}>
        {state?.isArchived ? <ArchivedNote conversationId={conversationId} /> : null}
        {state && state.writtenElsewhere.length > 0 ? (
          <WrittenElsewhere onShow={() => void find(state.writtenElsewhere[0]!)} />
        ) : null}
        <Reply
          input={input}
          text={text}
          setText={setText}
          edit={edit}
          conversationId={conversationId}
          running={state ? runningAnswer(state) : null}
          isWaiting={isWaiting}
          attaching={attaching}
          onAttaching={onAttaching}
          onSend={() => sendNext(text, questionFiles(attaching))}
          onStop={stop}
          waiting={waiting}
          after={path.find(({ id }) => id === waiting.queue.items[0]?.parentId) ?? null}
          isConnected={isConnected}
          end={end}
          giveBack={giveBack}
          picking={{ chatbots, models, answerer, onBot: pickBot, onModel: pickModel }}
          isFirst={state !== undefined && path.length === 0}
          isLoading={!state}
        />
        <p className={`p-meta ${classes.caution}`}>
          {t({
            id: 'chat.page.caution',
            defaultMessage: 'Answers can be wrong. Open the sources before you act on them.',
          })}
        </p>
      </div>
    </>
  );
}

/**
 * Returns the path up to the message that an unacknowledged question follows; the whole path if that message isn't on
 * it.
 */
function before(path: Path, send: PendingSend | undefined): Path {
  if (send?.parentId === undefined) return path;
  if (send.parentId === null) return [];
  const at = path.findIndex(({ id }) => id === send.parentId);
  return at < 0 ? path : path.slice(0, at + 1);
}

/** Returns a function that shows a message, or says that it was deleted. */
function useFind(show: Props['stream']['show']): (id: MessageId) => Promise<void> {
  const showError = useErrorToast();
  return useCallback((id) => show(id).catch(showError), [show, showError]);
}

function PendingMessages({
  items,
  end,
  isConnected,
  edit,
  onOpenFile,
}: {
  items: readonly PendingSend[];
  end: MessageId | null;
  isConnected: boolean;
  edit: (item: PendingSend) => void;
  onOpenFile: Props['onFile'];
}) {
  const sends = usePendingSends();
  return items.map((item) => (
    <PendingMessage
      key={item.messageId}
      send={item}
      isConnected={isConnected}
      onOpenFile={onOpenFile}
      onRetry={() => sends.retryRefused(item.messageId, end)}
      onEdit={() => edit(item)}
    />
  ));
}

type ReplyProps = Pick<
  Parameters<typeof Composer>[0],
  'running' | 'picking' | 'attaching' | 'onAttaching' | 'isWaiting' | 'isFirst' | 'isLoading' | 'input'
> & {
  conversationId: ConversationId;
  text: string;
  setText: ReturnType<typeof useDraft>[1];
  edit: (item: PendingSend) => void;
  waiting: Waiting;
  /** The running answer that the queue waits for, if it is on the path. */
  after: Message | null;
  isConnected: boolean;
  /** Of the path. */
  end: MessageId | null;
  giveBack: GiveBack;
  onSend: () => PendingSend;
  onStop: (message: NonNullable<Parameters<typeof Composer>[0]['running']>) => void;
};

function Reply({
  conversationId,
  text,
  setText,
  edit,
  waiting,
  after,
  isConnected,
  end,
  giveBack,
  onSend,
  onStop,
  running,
  ...rest
}: ReplyProps) {
  const { t } = useText();
  const mayAsk = useRight('chat:create');
  const sends = usePendingSends();
  const count = waiting.queue.items.length + waiting.sending.length;
  if (!mayAsk)
    return (
      <p className="p-sm p-quiet">
        {t({
          id: 'chat.page.readOnly',
          defaultMessage: 'Your role reads chats but asks nothing. An owner or admin can change that.',
        })}
      </p>
    );
  return (
    <Composer
      {...rest}
      where={conversationId}
      text={text}
      onText={setText}
      onSend={() => setText('', onSend())}
      running={running}
      isFull={count >= mostQueued}
      onStop={() => running && onStop(running)}
      tray={
        <>
          <DraftNote where={conversationId} />
          {count === 0 ? null : (
            <QueueTray
              {...waiting}
              after={after}
              conversationId={conversationId}
              offered={rest.picking}
              isConnected={isConnected}
              onEdit={edit}
              onRemove={(item) => sends.withdraw(item.messageId)}
              onRetry={(item) => sends.retryRefused(item.messageId, end)}
              giveBack={giveBack}
            />
          )}
        </>
      }
    />
  );
}

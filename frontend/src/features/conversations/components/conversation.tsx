import { useQueryClient } from '@tanstack/react-query';
import type { ConversationId } from '@parley/contracts';
import { SquarePen } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { useLocation } from 'react-router-dom';
import { isProblem } from '../../../lib/http.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { useLiveStatus } from '../../../lib/live.tsx';
import { useRight, useTab } from '../../../lib/tab-organisation.tsx';
import { usePaths } from '../../../lib/paths.ts';
import { useText } from '../../../lib/text.ts';
import { FailureView } from '../../../ui/failure-view.tsx';
import { IconLink } from '../../../ui/icon-button.tsx';
import { LiveChip } from '../../../ui/live-chip.tsx';
import { Page } from '../../../ui/page.tsx';
import { SkeletonTurns } from '../../../ui/state-view.tsx';
import { useAnswerCommands } from '../answer-commands.ts';
import { knownConversation } from '../conversation-list.ts';
import { useAnswerer } from '../answerer.ts';
import { useAsk, useDraft } from '../composing.ts';
import { dropDraft } from '../drafts.ts';
import { useConversationStream } from '../conversation-stream.ts';
import { useQuoting, type Composing } from '../use-quoting.ts';
import { runningAnswer } from '../../../lib/conversation-stream-state.ts';
import { usePendingOf, usePendingSends } from '../pending-sends-context.tsx';
import type { PendingSend } from '../pending-sends.ts';
import { Composer } from './composer.tsx';
import { ConversationGone } from './conversation-gone.tsx';
import { ConversationMenu, HeaderRename } from './conversation-menu.tsx';
import { MessageList } from './message-list.tsx';
import { NextTray } from './next-tray.tsx';
import { PendingTurn } from './person-turn.tsx';
import type { OpenSource } from './turn-chunk.tsx';
import classes from './conversation.module.css';

const OpenSources = lazyPart(async () => (await import('./open-sources.tsx')).OpenSources);

export function Conversation({ conversationId }: { conversationId: ConversationId }) {
  const { t } = useText();
  const paths = usePaths();
  const { me, organisation } = useTab();
  const pending = usePendingOf(conversationId);
  const stream = useConversationStream(conversationId, pending.length > 0);
  const { state, error } = stream;
  const [source, setSource] = useState<OpenSource | null>(null);
  const [isRenaming, setRenaming] = useState(false);
  const opener = useRef<Element | null>(null);
  const openSource = useCallback((opened: OpenSource) => {
    opener.current = document.activeElement;
    setSource(opened);
  }, []);
  const closeSource = useCallback(() => {
    if (opener.current instanceof HTMLElement) opener.current.focus();
    setSource(null);
  }, []);
  const composing = useRef<Composing>(null);
  const mayAsk = useRight('chat:create');
  const quote = useCallback((text: string) => composing.current?.quote(text), []);
  const known = knownConversation(useQueryClient(), organisation.id, conversationId);
  const title =
    state?.title ||
    pending[0]?.text.slice(0, 80) ||
    known?.title ||
    t({ id: 'chat.page.untitled', defaultMessage: 'Chat' });
  const isGone = isProblem(error, 'chat.conversation-not-found');
  useEffect(() => {
    if (isGone) dropDraft({ userId: me.id, orgId: organisation.id }, conversationId);
  }, [isGone, me.id, organisation.id, conversationId]);
  if (isGone) return <ConversationGone title={t({ id: 'chat.page.gone', defaultMessage: 'Chat not found' })} />;
  const cited = state?.messages.find((message) => message.id === source?.messageId);
  const actions = (
    <>
      <LiveChip />
      {state && state.messages.length > 0 ? (
        <ConversationMenu conversationId={conversationId} title={state.title} onRename={() => setRenaming(true)} />
      ) : null}
      <IconLink
        icon={SquarePen}
        label={t({ id: 'shell.entry.newChat', defaultMessage: 'New chat' })}
        to={paths.to('chat')}
        isExact
        className={classes.newChat}
      />
    </>
  );
  const heading =
    isRenaming && state ? (
      <HeaderRename conversationId={conversationId} title={state.title} onDone={() => setRenaming(false)} />
    ) : (
      <bdi>{title}</bdi>
    );
  return (
    <Page title={heading} isTitleWide={isRenaming} documentTitle={title} actions={actions}>
      <div className={classes.split}>
        <div className={classes.talk}>
          {error ? (
            <FailureView
              title={t({ id: 'chat.page.failed', defaultMessage: 'The chat could not be loaded' })}
              error={error}
              onRetry={() => void stream.refetch()}
            />
          ) : null}
          {!error ? (
            <Talk
              stream={stream}
              conversationId={conversationId}
              pending={pending}
              source={source}
              onSource={openSource}
              composing={composing}
            />
          ) : null}
        </div>
        {source && cited ? (
          <OpenSources
            citations={cited.citations}
            open={source.number}
            onOpen={(number) => setSource({ ...source, number })}
            onQuote={mayAsk ? quote : null}
            onClose={closeSource}
          />
        ) : null}
      </div>
    </Page>
  );
}

type TalkProps = {
  stream: ReturnType<typeof useConversationStream>;
  conversationId: ConversationId;
  pending: readonly PendingSend[];
  source: OpenSource | null;
  onSource: (source: OpenSource) => void;
  composing: RefObject<Composing | null>;
};

/** One can write before the messages are there: on a slow line they are the last to come. */
function Talk({ stream, conversationId, pending, source, onSource, composing }: TalkProps) {
  const { t } = useText();
  const { state, loadOlder, change } = stream;
  const { hash } = useLocation();
  const isConnected = useLiveStatus() === 'live';
  const running = state ? runningAnswer(state) : null;
  const lastAnswer = state?.messages.findLast((message) => message.role === 'assistant') ?? null;
  const { models, chatbots, answerer, pickModel, pickBot } = useAnswerer(lastAnswer);
  const [text, setText] = useDraft(conversationId);
  const sends = usePendingSends();
  const input = useQuoting(composing, { text, setText });
  const edit = (item: PendingSend) => {
    sends.withdraw(item.messageId);
    setText(text ? `${item.text}\n${text}` : item.text);
  };
  const { askAgain, goOn, stop } = useAnswerCommands(conversationId, change, stream.expect);
  const actions = useMemo(
    () => ({
      askAgain,
      goOn,
      openSource: (message: { id: OpenSource['messageId'] }, number: number) =>
        onSource({ messageId: message.id, number }),
    }),
    [askAgain, goOn, onSource],
  );
  // While an answer is written, questions wait on top of the composer; else they are on their way and stand in the
  // talk.
  const isWaiting = running !== null;
  return (
    <>
      {state ? (
        <MessageList
          state={state}
          openSource={source}
          isBusy={isWaiting}
          models={models}
          actions={actions}
          loadOlder={loadOlder}
          target={hash.startsWith('#msg_') ? hash.slice(1) : null}
          pendingCount={pending.length}
          pending={isWaiting ? null : <PendingTurns items={pending} isConnected={isConnected} edit={edit} />}
        />
      ) : (
        <SkeletonTurns label={t({ id: 'chat.page.loading', defaultMessage: 'The chat is loading' })} />
      )}
      <div className={classes.foot}>
        <Reply
          expect={stream.expect}
          input={input}
          text={text}
          setText={setText}
          edit={edit}
          conversationId={conversationId}
          running={running}
          onStop={stop}
          waiting={isWaiting ? pending : []}
          picking={{ chatbots, models, answerer, onBot: pickBot, onModel: pickModel }}
          isFirst={state?.messages.length === 0}
          isLoading={!state}
        />
        <p className={classes.caution}>
          {t({
            id: 'chat.page.caution',
            defaultMessage: 'Answers can be wrong. Open the sources before you act on them.',
          })}
        </p>
      </div>
    </>
  );
}

function PendingTurns({
  items,
  isConnected,
  edit,
}: {
  items: readonly PendingSend[];
  isConnected: boolean;
  edit: (item: PendingSend) => void;
}) {
  const sends = usePendingSends();
  return items.map((item) => (
    <PendingTurn
      key={item.messageId}
      send={item}
      isConnected={isConnected}
      onRetry={() => sends.retryRefused(item.messageId)}
      onEdit={() => edit(item)}
    />
  ));
}

type ReplyProps = Pick<Parameters<typeof Composer>[0], 'running' | 'picking' | 'isFirst' | 'isLoading' | 'input'> & {
  conversationId: ConversationId;
  expect: TalkProps['stream']['expect'];
  text: string;
  setText: (text: string) => void;
  edit: (item: PendingSend) => void;
  waiting: readonly PendingSend[];
  onStop: (message: NonNullable<Parameters<typeof Composer>[0]['running']>) => void;
};

function Reply({ conversationId, expect, text, setText, edit, waiting, onStop, running, ...rest }: ReplyProps) {
  const { t } = useText();
  const mayAsk = useRight('chat:create');
  const sends = usePendingSends();
  const ask = useAsk();
  const { isLoading } = rest;
  useEffect(() => {
    if (!running && !isLoading) sends.release(conversationId);
  }, [running, isLoading, sends, conversationId]);
  const send = () => {
    const sent = ask(conversationId, text, rest.picking.answerer);
    if (!running && !rest.isFirst) expect(sent);
    setText('');
  };
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
      text={text}
      onText={setText}
      onSend={send}
      running={running}
      onStop={() => running && onStop(running)}
      tray={<NextTray items={waiting} onEdit={edit} onRemove={(item) => sends.withdraw(item.messageId)} />}
    />
  );
}

import { useQueryClient } from '@tanstack/react-query';
import type { ConversationId, MessageFile, MessageId } from '@parley/contracts';
import { SquarePen } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { isProblem } from '../../../lib/http.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { useRight, useTab } from '../../../lib/tab-organisation.tsx';
import { usePaths } from '../../../lib/paths.ts';
import { useText } from '../../../lib/text.ts';
import { FailureView } from '../../../ui/failure-view.tsx';
import { IconLink } from '../../../ui/icon-button.tsx';
import { LivePage } from '../../../ui/page.tsx';
import { knownConversation } from '../state/conversation-list.ts';
import { useDrafts } from '../state/drafts-context.tsx';
import { useConversationStream } from '../state/conversation-stream.ts';
import type { Composing, Quote } from '../state/use-quoting.ts';
import { usePendingOf } from '../state/pending-sends-context.tsx';
import { ConversationMenu, HeaderRename } from '../list/conversation-menu/index.tsx';
import { Talk } from './talk.tsx';
import type { OpenSource } from './exchange-chunk.tsx';
import classes from './conversation.module.css';

const ConversationGone = lazyPart(async () => (await import('./conversation-gone.tsx')).ConversationGone);
const ProjectCrumb = lazyPart(async () => (await import('./project-crumb.tsx')).ProjectCrumb);
const OpenSources = lazyPart(async () => (await import('../sources/open-sources.tsx')).OpenSources);
const DocumentViewer = lazyPart(
  async () => (await import('../../../domain/document/document-viewer.tsx')).DocumentViewer,
);
const DeletedMessages = lazyPart(async () => (await import('./deleted-messages/index.tsx')).DeletedMessages);

export function Conversation({ conversationId }: { conversationId: ConversationId }) {
  const { t } = useText();
  const paths = usePaths();
  const { organisation } = useTab();
  const drafts = useDrafts();
  const pending = usePendingOf(conversationId);
  const { hash } = useLocation();
  const target = hash.startsWith('#msg_') ? (hash.slice(1) as MessageId) : null;
  const stream = useConversationStream(conversationId, { isNew: pending.length > 0, target });
  const { state, error } = stream;
  const { beside, openSource, turnTo, openFile, openDeleted, close } = usePanels();
  const source = beside?.source ?? null;
  const [isRenaming, setRenaming] = useState(false);
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
    if (isGone) drafts.drop(conversationId);
  }, [isGone, drafts, conversationId]);
  if (isGone) return <ConversationGone />;
  const actions = (
    <>
      {state ? (
        <ConversationMenu
          conversationId={conversationId}
          title={state.title}
          isArchived={state.isArchived}
          onRename={() => setRenaming(true)}
          onDeletedMessages={openDeleted}
        />
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
    <LivePage
      before={isRenaming ? null : <ProjectCrumb conversationId={conversationId} />}
      title={heading}
      isTitleWide={isRenaming}
      documentTitle={title}
      actions={actions}
    >
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
              target={target}
              source={source}
              onSource={openSource}
              onFile={openFile}
              composing={composing}
            />
          ) : null}
        </div>
        <BesideTalk
          {...beside}
          stream={stream}
          conversationId={conversationId}
          onNumber={turnTo}
          onQuote={mayAsk ? quote : null}
          onClose={close}
        />
      </div>
    </LivePage>
  );
}

type BesideProps = Beside & {
  stream: ReturnType<typeof useConversationStream>;
  conversationId: ConversationId;
  onNumber: (source: OpenSource) => void;
  onQuote: Quote | null;
  onClose: () => void;
};

function BesideTalk({ source, file, isDeleted, stream, conversationId, onNumber, onQuote, onClose }: BesideProps) {
  const cited = stream.state?.messages.find((message) => message.id === source?.messageId);
  if (source && cited)
    return (
      <OpenSources
        citations={cited.citations}
        open={source.number}
        onOpen={(number) => onNumber({ ...source, number })}
        onQuote={onQuote}
        onClose={onClose}
      />
    );
  if (file)
    return (
      <DocumentViewer key={file.id} viewed={{ fileId: file.id }} name={file.name} cited={null} onClose={onClose} />
    );
  return isDeleted ? <DeletedMessages conversationId={conversationId} show={stream.show} onClose={onClose} /> : null;
}

/** The panel beside the conversation: sources of an answer, a file of a question, or deleted messages. */
type Beside = { readonly source?: OpenSource; readonly file?: MessageFile; readonly isDeleted?: true };

function usePanels() {
  const [beside, setBeside] = useState<Beside | null>(null);
  const opener = useRef<Element | null>(null);
  const openSource = useCallback((source: OpenSource) => {
    opener.current = document.activeElement;
    setBeside({ source });
  }, []);
  /** Shows another source of the same answer; the element that opened the panel still gets the focus back. */
  const turnTo = (source: OpenSource) => setBeside({ source });
  const openFile = useCallback((file: MessageFile) => {
    opener.current = document.activeElement;
    setBeside({ file });
  }, []);
  const openDeleted = useCallback(() => {
    opener.current = null;
    setBeside({ isDeleted: true });
  }, []);
  const close = useCallback(() => {
    if (opener.current instanceof HTMLElement) opener.current.focus();
    setBeside(null);
  }, []);
  return { beside, openSource, turnTo, openFile, openDeleted, close };
}

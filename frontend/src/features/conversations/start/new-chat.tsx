import { useEffect } from 'react';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { FailureView, NoPermissionView } from '../../../ui/failure-view.tsx';
import { LivePage } from '../../../ui/page.tsx';
import { nobody, useAnswerer } from '../state/answerer.ts';
import { useBeginChat } from '../state/begin-chat.ts';
import { useDraft } from '../state/composing.ts';
import { questionFiles, useAttachingOf } from '../state/attaching.ts';
import { loadMarkdown } from '../../../domain/message/markdown-blocks.ts';
import { Composer } from '../composer/composer.tsx';
import { DraftNote } from '../composer/late-draft-note.ts';
import { EmptyChat } from './empty-chat/index.tsx';

const noAnswerer = { chatbot: null, model: null };

export function NewChat() {
  const { t } = useText();
  const mayAsk = useRight('chat:create');
  const [text, setText] = useDraft('new');
  const { query, models, chatbots, answerer, pickModel, pickBot } = useAnswerer(nobody);
  const { attaching, onAttaching } = useAttachingOf('new');
  const begin = useBeginChat('new');
  const title = t({ id: 'chat.new.title', defaultMessage: 'New chat' });
  // Loads the Markdown parser while the person types, because the answer needs it.
  const isTyping = text !== '';
  useEffect(() => {
    if (isTyping) loadMarkdown().catch(() => undefined);
  }, [isTyping]);
  const send = () => begin({ text, answerer, files: questionFiles(attaching) });
  const start = (begin: string) => {
    setText(begin);
    document.querySelector<HTMLTextAreaElement>('main textarea')?.focus();
  };
  const composer = (
    <Composer
      text={text}
      onText={setText}
      onSend={send}
      running={null}
      onStop={() => undefined}
      picking={{ chatbots, models, answerer, onBot: pickBot, onModel: pickModel }}
      where="new"
      attaching={attaching}
      onAttaching={onAttaching}
      tray={<DraftNote where="new" />}
      isFirst
    />
  );
  return (
    <LivePage title={title}>
      {!mayAsk ? (
        <NoPermissionView />
      ) : query.error ? (
        <FailureView
          title={t({ id: 'chat.new.failed', defaultMessage: 'The models could not be loaded' })}
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <EmptyChat
          answerer={query.data ? answerer : noAnswerer}
          offered={query.data ?? null}
          composer={composer}
          onStart={start}
        />
      )}
    </LivePage>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import type { Project } from '@parley/contracts';
import { useNavigate } from 'react-router-dom';
import { emptyConversation } from '../../../domain/conversation/conversation-stream-state.ts';
import { newId } from '../../../lib/new-id.ts';
import { usePaths } from '../../../lib/paths.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { FailureView } from '../../../ui/failure-view.tsx';
import { Composer } from '../composer/composer.tsx';
import { DraftNote } from '../composer/late-draft-note.ts';
import { useAnswerer } from '../state/answerer.ts';
import { questionFiles, useAttachingOf } from '../state/attaching.ts';
import { useAsk, useDraft } from '../state/composing.ts';
import { conversationKey } from '../state/messages.ts';
import { noQueue, queueKey } from '../state/queue.ts';
import { useDefaultChatbot } from './use-default-chatbot.ts';
import classes from './projects.module.css';

/** Begins a chat in a project, whose draft is the project's own. */
export function ProjectComposer({ project }: { project: Project }) {
  const { t } = useText();
  const paths = usePaths();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { organisation } = useTab();
  const [text, setText] = useDraft(project.id);
  const { first } = useDefaultChatbot(project);
  const before = { model: null, chatbotId: first?.id ?? null };
  const { query, models, chatbots, answerer, pickModel, pickBot } = useAnswerer(before);
  const { attaching, onAttaching } = useAttachingOf(project.id);
  const ask = useAsk();
  const send = () => {
    const id = newId('conversation');
    // The server can't have anything of this chat yet, so nothing is fetched.
    client.setQueryData(conversationKey(organisation.id, id), emptyConversation(id));
    client.setQueryData(queueKey(organisation.id, id), noQueue);
    setText('', ask(id, { text, answerer, files: questionFiles(attaching), projectId: project.id }));
    void navigate(paths.to('chat/:id', { id }));
  };
  if (query.error)
    return (
      <FailureView
        title={t({ id: 'chat.new.failed', defaultMessage: 'The models could not be loaded' })}
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  return (
    <div className={classes.composer}>
      <Composer
        text={text}
        onText={setText}
        onSend={send}
        running={null}
        onStop={() => undefined}
        picking={{ chatbots, models, answerer, onBot: pickBot, onModel: pickModel }}
        where={project.id}
        attaching={attaching}
        onAttaching={onAttaching}
        tray={<DraftNote where={project.id} />}
        isFirst
      />
    </div>
  );
}

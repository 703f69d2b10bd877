import type { Project } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';
import { FailureView } from '../../../ui/failure-view.tsx';
import { Composer } from '../composer/composer.tsx';
import { DraftNote } from '../composer/late-draft-note.ts';
import { useAnswerer } from '../state/answerer.ts';
import { questionFiles, useAttachingOf } from '../state/attaching.ts';
import { useBeginChat } from '../state/begin-chat.ts';
import { useDraft } from '../state/composing.ts';
import { useDefaultChatbot } from './use-default-chatbot.ts';
import classes from './projects.module.css';

/** Starts a chat in a project; the text is the project's own draft. */
export function ProjectComposer({ project }: { project: Project }) {
  const { t } = useText();
  const [text, setText] = useDraft(project.id);
  const { first } = useDefaultChatbot(project);
  const before = { model: null, chatbotId: first?.id ?? null };
  const { query, models, chatbots, answerer, pickModel, pickBot } = useAnswerer(before);
  const { attaching, onAttaching } = useAttachingOf(project.id);
  const begin = useBeginChat(project.id);
  const send = () => begin({ text, answerer, files: questionFiles(attaching) });
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

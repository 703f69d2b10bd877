import type { Message, MessageId } from '@parley/contracts';
import { BookMarked, GitFork, RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { useAnswerCost } from './answer-cost.ts';
import { useModelName } from '../../../domain/model/model-name.ts';
import { CopyIconButton } from '../../../ui/copy-button.tsx';
import type { MessageActions } from '../state/message-actions.ts';
import { MessageMenu } from './message-menu.tsx';
import { VersionSwitch } from './version-switch.tsx';
import classes from './message.module.css';

const AnswerProject = lazyPart(async () => (await import('./answer-project.tsx')).AnswerProject);
const AnswerKnowledge = lazyPart(async () => (await import('./answer-knowledge.tsx')).AnswerKnowledge);

/** Shows the actions on an answer at the start of the line; tokens, cost and duration at the end. */
export function RunLine({
  message,
  versions,
  rating,
  actions,
}: {
  message: Message;
  versions: readonly MessageId[] | null;
  rating: ReactNode;
  actions: MessageActions;
}) {
  const { t } = useText();
  const mayAsk = useRight('chat:create');
  const off = useActionOff();
  const firstSource = message.citations[0]?.number;
  return (
    <div className={classes.run}>
      <div className={classes.actions}>
        <VersionSwitch id={message.id} versions={versions} onShow={actions.showVersion} />
        <CopyIconButton
          text={message.text}
          label={t({ id: 'chat.run.copy', defaultMessage: 'Copy answer' })}
          copied={t({ id: 'chat.run.copied', defaultMessage: 'Answer copied' })}
        />
        {rating === null ? null : <span className={classes.rating}>{rating}</span>}
        {mayAsk ? (
          <>
            <IconButton
              icon={RefreshCw}
              className={classes.wide}
              label={t({ id: 'chat.run.again', defaultMessage: 'Answer again' })}
              onClick={() => actions.askAgain(message)}
              {...off}
            />
            <IconButton
              icon={GitFork}
              className={classes.wide}
              label={t({ id: 'chat.message.branch', defaultMessage: 'Branch to new chat' })}
              onClick={() => actions.branch(message, 'path')}
              {...off}
            />
          </>
        ) : null}
        {firstSource === undefined ? null : (
          <IconButton
            icon={BookMarked}
            label={t(
              { id: 'chat.run.sources', defaultMessage: 'Show {count, plural, one {# source} other {# sources}}' },
              { count: message.citations.length },
            )}
            onClick={() => actions.openSource(message, firstSource)}
          />
        )}
        <MessageMenu message={message} versions={versions} actions={actions} />
      </div>
      <RunFacts message={message} />
    </div>
  );
}

function RunFacts({ message }: { message: Message }) {
  const { t } = useText();
  const { seconds, cost, number } = useFormats();
  const paid = useAnswerCost(message);
  const nameOf = useModelName();
  const { generation } = message;
  // Names the model only beside a chatbot: an answer without one is already named after its model.
  const model = generation && (message.imported ? generation.model.label : nameOf(generation.model));
  const facts: string[] = generation?.chatbot?.version && model ? [model] : [];
  const count = generation?.usage ? generation.usage.inputTokens + generation.usage.outputTokens : 0;
  if (generation?.usage && count > 0) {
    const tokens = t(
      { id: 'chat.run.tokens', defaultMessage: '{count, plural, one {# token} other {# tokens}}' },
      { count },
    );
    facts.push(generation.usage.estimated ? `≈ ${tokens}` : tokens);
  }
  if (count > 0 && paid?.costMicros != null && paid.currency !== null) facts.push(cost(paid.costMicros, paid.currency));
  if (paid?.excess)
    facts.push(
      t(
        { id: 'chat.run.excess', defaultMessage: '{count} tokens more than were held' },
        { count: number(paid.excess.tokens) },
      ),
    );
  if (generation?.startedAt && generation.finishedAt)
    facts.push(seconds(Math.max(0, Date.parse(generation.finishedAt) - Date.parse(generation.startedAt))));
  return (
    <span className={`p-meta p-figures ${classes.facts}`}>
      {generation?.projectId && generation.projectInstructions ? (
        <AnswerProject projectId={generation.projectId} />
      ) : null}
      {generation?.projectKnowledge ? <AnswerKnowledge knowledge={generation.projectKnowledge} /> : null}
      {facts.join(' · ')}
    </span>
  );
}

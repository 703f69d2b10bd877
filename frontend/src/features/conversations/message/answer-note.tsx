import { Button } from '@mantine/core';
import type { Message, Model } from '@parley/contracts';
import type { ReactNode } from 'react';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { nextToStop, shareOf, useMyBudgets } from '../../../domain/budget/my-budgets.ts';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { AnswerFailure } from '../../../domain/message/answer-failure.tsx';
import { isCut } from '@parley/contracts/cut-answers';
import { Note } from '../../../ui/note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { fresh } from '../state/budgets.ts';
import { useModelName } from '../../../domain/model/model-name.ts';
import type { MessageActions } from '../state/message-actions.ts';
import { mayGoOn } from './answer-state.ts';
import { BudgetNote } from './budget-note/index.tsx';
import { QueuedNote } from './queued-note.tsx';
import classes from './message.module.css';

type Props = {
  message: Message;
  otherModel: Model | null;
  /** True for the newest answer, where the conversation continues. */ isLatest: boolean;
  actions: Pick<MessageActions, 'askAgain' | 'changeModel' | 'goOn'>;
};

/** Says what ended the answer early, or that it is empty, if its text is kept, and what to do; or why it waits. */
export function AnswerNote(props: Props) {
  const { generation, createdAt } = props.message;
  if (generation?.status === 'queued') return <QueuedNote since={createdAt} />;
  if (generation?.status === 'running') return null;
  return (
    <LateTexts part="failed">
      <Ending {...props} />
    </LateTexts>
  );
}

function Ending(props: Props) {
  const { t } = useText();
  const { message } = props;
  const { generation, text } = message;
  const kept = text === '' ? '' : t({ id: 'failed.note.kept', defaultMessage: 'The text above is kept.' });
  switch (generation?.status) {
    case 'done':
      return (
        <Framed kind="warning" {...props}>
          <b>{t({ id: 'failed.note.empty', defaultMessage: 'The model returned no text.' })}</b>{' '}
          {t({ id: 'failed.note.emptyNext', defaultMessage: 'Ask again, or word the question differently.' })}
        </Framed>
      );
    case 'stopped':
      return (
        <div className={`${classes.note} ${classes.stopped} p-sm p-quiet`}>
          <span>
            {message.imported && text === ''
              ? t({ id: 'failed.note.notInExport', defaultMessage: 'The export has no answer to this message.' })
              : t({ id: 'failed.note.stopped', defaultMessage: 'Stopped by you.' })}{' '}
            {kept}
          </span>
          <Actions {...props} />
        </div>
      );
    case 'failed':
      if (generation.failure === 'budget-spent')
        return (
          <div className={classes.note}>
            <BudgetNote message={message} askAgain={(hasBudget) => <Actions {...props} hasBudget={hasBudget} />} />
          </div>
        );
      if (generation.limitedBy === 'budget') return <ShortForBudget kept={kept} {...props} />;
      return (
        <Framed kind={isCut(generation.failure) ? 'warning' : 'danger'} {...props}>
          <AnswerFailure answer={{ ...generation, status: generation.status }}>{kept}</AnswerFailure>
        </Framed>
      );
    case 'interrupted':
      return (
        <Framed kind="warning" {...props}>
          <AnswerFailure answer={{ ...generation, status: generation.status }}>{kept}</AnswerFailure>
        </Framed>
      );
    default:
      return null;
  }
}

/** Shows that the budget cut the answer; offers to continue once there is more budget. */
function ShortForBudget({ kept, ...props }: Props & { kept: string }) {
  const { generation } = props.message;
  const { data } = useMyBudgets(fresh);
  if (!generation) return null;
  const budget = nextToStop(data?.items ?? [], { model: generation.model.key, chatbotId: generation.chatbot?.id });
  return (
    <Framed kind="warning" hasBudget={!budget || !shareOf(budget).isUsedUp} {...props}>
      <AnswerFailure answer={{ ...generation, status: 'failed' }}>{kept}</AnswerFailure>
    </Framed>
  );
}

type Ways = Props & {
  /** True if there is budget to answer now; without it, no button is the main one. */ hasBudget?: boolean;
};

function Framed({ kind, children, ...props }: Ways & { kind: 'danger' | 'warning'; children: ReactNode }) {
  return (
    <div className={classes.note}>
      <Note kind={kind} actions={<Actions {...props} />}>
        {children}
      </Note>
    </div>
  );
}

/** Shows the ways on. The first is what most people want: continue if there is text, else ask again. */
function Actions({ message, otherModel, isLatest, actions, hasBudget = true }: Ways) {
  const { t } = useText();
  const nameOf = useModelName();
  const off = useActionOff();
  const mayAsk = useRight('chat:create');
  const { generation } = message;
  if (!generation || !mayAsk) return null;
  const goesOn = mayGoOn(message);
  const isStopped = generation.status === 'stopped';
  const wantsNote = generation.failure === 'images-refused';
  const first = isLatest && !isStopped && hasBudget ? 'filled' : 'default';
  return (
    <>
      {wantsNote ? (
        <Button
          size="xs"
          variant={first}
          onClick={() => actions.askAgain(message, { model: generation.model.key, images: 'note' })}
          {...off}
        >
          {t({ id: 'failed.note.withNote', defaultMessage: 'Answer with a note instead' })}
        </Button>
      ) : null}
      {goesOn ? (
        <Button size="xs" variant={first} onClick={() => actions.goOn(message)} {...off}>
          {t({ id: 'chat.note.continue', defaultMessage: 'Continue answer' })}
        </Button>
      ) : null}
      {goesOn && isStopped ? null : (
        <Button
          size="xs"
          variant={goesOn || wantsNote ? 'default' : first}
          onClick={() => actions.askAgain(message, { model: generation.model.key })}
          {...off}
        >
          {generation.status === 'interrupted'
            ? t({ id: 'failed.note.retry', defaultMessage: 'Retry answer' })
            : generation.failure === 'budget-spent'
              ? t({ id: 'chat.pending.again', defaultMessage: 'Send message again' })
              : t({ id: 'chat.note.askAgain', defaultMessage: 'Ask again' })}
        </Button>
      )}
      {otherModel && !isStopped ? (
        <Button size="xs" variant="subtle" onClick={() => actions.changeModel(message, otherModel.key)} {...off}>
          {t(
            {
              id: 'failed.note.askOther',
              defaultMessage: '{builtin, select, true {Ask the built-in assistant} other {Ask {model}}}',
            },
            { builtin: otherModel.key === 'builtin', model: nameOf(otherModel) },
          )}
        </Button>
      ) : null}
    </>
  );
}

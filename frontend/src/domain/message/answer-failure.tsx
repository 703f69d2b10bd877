import type { GenerationFailure } from '@parley/contracts';
import { isCut } from '@parley/contracts/cut-answers';
import type { ReactNode } from 'react';
import { useText } from '../../lib/text.ts';
import { failureReasons, limitedByBudget } from './answer-failures.ts';

type Props = {
  answer: {
    readonly status: 'failed' | 'interrupted';
    readonly failure: GenerationFailure | null;
    readonly failureDetail: string | null;
    readonly limitedBy?: 'budget' | undefined;
  };
  /** Stands behind the reason. */
  children?: ReactNode;
};

/** What ended an answer early, in words; what the model server said itself is folded away. */
export function AnswerFailure({ answer, children = null }: Props) {
  const { t, rich } = useText();
  if (answer.status === 'interrupted')
    return (
      <>
        <b>{t({ id: 'failed.note.interrupted', defaultMessage: 'The answer was interrupted.' })}</b>{' '}
        {t({ id: 'failed.note.interruptedWhy', defaultMessage: 'The server was restarted while it wrote.' })} {children}
      </>
    );
  const { failureDetail: detail, limitedBy } = answer;
  const failure = answer.failure ?? 'internal';
  const title = isCut(failure)
    ? t({ id: 'failed.note.cut', defaultMessage: 'The answer was cut off.' })
    : t({ id: 'failed.note.failed', defaultMessage: 'The answer failed.' });
  return (
    <>
      <b>{title}</b>{' '}
      {rich(limitedBy ? limitedByBudget : failureReasons[failure], { host: <bdi dir="ltr">{detail}</bdi> })} {children}
      {detail && !inItsWords.has(failure) ? (
        <details>
          <summary>{t({ id: 'failed.note.details', defaultMessage: 'What the server said' })}</summary>
          <span className="p-mono" dir="auto">
            {detail}
          </span>
        </details>
      ) : null}
    </>
  );
}

/** Their detail is no word of a server's: a host's name, a budget's id. */
const inItsWords: ReadonlySet<GenerationFailure> = new Set(['provider-unknown-host', 'budget-spent']);

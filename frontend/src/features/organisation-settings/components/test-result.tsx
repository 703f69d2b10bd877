import type { UseMutationResult } from '@tanstack/react-query';
import { useFormats } from '../../../lib/formats.ts';
import type { Answer } from '../../../lib/http.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { useText } from '../../../lib/text.ts';
import { Note } from '../../../ui/note.tsx';
import { StatusShape } from '../../../ui/status-shape.tsx';
import classes from '../organisation-settings.module.css';
import type { ProviderDraft } from '../provider-draft.ts';

const steps = ['address', 'connection', 'key', 'models', 'answer'] as const;
type Step = (typeof steps)[number];

/** Each step in the order it was tried: what held, what failed and why, what was not reached. */
export function TestResult({
  test,
}: {
  test: UseMutationResult<Answer<'POST /api/chat/providers/test'>, Error, ProviderDraft>;
}) {
  const { t } = useText();
  const { seconds } = useFormats();
  const describe = useProblemText();
  const names: Record<Step, string> = {
    address: t({ id: 'organisation.step.address', defaultMessage: 'The address may be called' }),
    connection: t({ id: 'organisation.step.connection', defaultMessage: 'The server answers' }),
    key: t({ id: 'organisation.step.key', defaultMessage: 'The key is accepted' }),
    models: t({ id: 'organisation.step.models', defaultMessage: 'The models are listed' }),
    answer: t({ id: 'organisation.step.answer', defaultMessage: 'A short answer comes' }),
  };
  if (test.error)
    return (
      <Note kind="danger" isAlert>
        {describe(test.error).text}
      </Note>
    );
  if (!test.data) return null;
  const { failedStep, detail, firstTokenMs, ok } = test.data;
  const failed = failedStep === null ? -1 : steps.indexOf(failedStep);
  const stateOf = (step: Step, index: number) => {
    if (index === failed) return 'bad';
    if (failed >= 0) return index < failed ? 'ok' : 'unknown';
    return step === 'answer' && firstTokenMs === null ? 'unknown' : 'ok';
  };
  const words = {
    ok: t({ id: 'organisation.step.held', defaultMessage: 'yes' }),
    bad: t({ id: 'organisation.step.failed', defaultMessage: 'failed' }),
    unknown: t({ id: 'organisation.step.untried', defaultMessage: 'not tried' }),
  };
  return (
    <div className={classes.field} aria-live="polite">
      <ol className={classes.steps}>
        {steps.map((step, index) => {
          const state = stateOf(step, index);
          return (
            <li key={step} data-state={state}>
              <StatusShape kind={state === 'unknown' ? 'waiting' : state} />
              <span>{names[step]}</span>
              <span className="p-meta">
                {step === 'answer' && firstTokenMs !== null && ok ? seconds(firstTokenMs) : words[state]}
              </span>
            </li>
          );
        })}
      </ol>
      {detail ? (
        <Note kind={ok ? 'info' : 'danger'}>
          <span dir="auto">{detail}</span>
        </Note>
      ) : null}
    </div>
  );
}

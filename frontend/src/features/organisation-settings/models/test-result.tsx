import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import type { Answer } from '../../../lib/http.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { AllowAddress } from '../../../ui/allow-address.tsx';
import { InSight } from '../../../ui/in-sight.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { Note } from '../../../ui/note.tsx';
import { StatusShape } from '../../../ui/status-shape.tsx';
import classes from '../parts/organisation-settings.module.css';
import { hostOf, type ProviderDraft } from './provider-draft.ts';
import { testFailure } from './test-failure.ts';

type Tested = Answer<'POST /api/chat/providers/test'>;
type Step = NonNullable<Tested['failedStep']>;
const steps = ['address', 'connection', 'key', 'models', 'answer'] as const satisfies readonly Step[];

type Props = { test: UseMutationResult<Tested, Error, ProviderDraft>; hasStoredKey: boolean };

/** Each step in the order it was tried: what held, what failed, why and what to do, what was not reached. */
export function TestResult({ test: { data, error, variables, mutate }, hasStoredKey }: Props) {
  const { t, rich } = useText();
  const isPlatformAdmin = useTab().me.platformRole === 'admin';
  if (error)
    return (
      <InSight>
        <ErrorNote error={error} />
      </InSight>
    );
  if (!data || !variables) return null;
  const model = variables.defaultModel;
  const host = hostOf(variables.baseUrl) ?? variables.baseUrl;
  const hasKey = variables.apiKey.trim() !== '' || (hasStoredKey && !variables.isKeyRemoved);
  const words = data.failure === null ? null : testFailure(data.failure, { step: data.failedStep, hasKey });
  return (
    <div className={classes.field} aria-live="polite">
      <Steps result={data} model={model} />
      {data.failedStep === 'address' && isPlatformAdmin ? (
        <InSight>
          <AllowAddress url={variables.baseUrl} onAllowed={() => mutate(variables)} />
        </InSight>
      ) : words ? (
        <InSight>
          <Note kind="danger">
            {rich(words, { host: <bdi dir="ltr">{host}</bdi>, model: <bdi dir="ltr">{model}</bdi> })}
            {data.detail && data.failure !== 'provider-unknown-host' ? (
              <details>
                <summary>{t({ id: 'organisation.test.details', defaultMessage: 'What the server said' })}</summary>
                <span className="p-mono" dir="auto">
                  {data.detail}
                </span>
              </details>
            ) : null}
          </Note>
        </InSight>
      ) : null}
    </div>
  );
}

/** An answer is tried with the default model; before one is known there is no such step. */
function Steps({ result, model }: { result: Tested; model: string }) {
  const { t, rich } = useText();
  const { seconds } = useFormats();
  const { failedStep, firstTokenMs, models } = result;
  const names: Record<Step, ReactNode> = {
    address: t({ id: 'organisation.step.address', defaultMessage: 'The address is allowed' }),
    connection: t({ id: 'organisation.step.connection', defaultMessage: 'The server answers' }),
    key: t({ id: 'organisation.step.key', defaultMessage: 'The key is accepted' }),
    models: t({ id: 'organisation.step.models', defaultMessage: 'The models are listed' }),
    answer: rich(
      { id: 'organisation.step.answer', defaultMessage: 'A short answer comes from {model}' },
      { model: <bdi dir="ltr">{model}</bdi> },
    ),
  };
  const failed = failedStep === null ? steps.length : steps.indexOf(failedStep);
  const stateOf = (step: Step, index: number) => {
    if (index === failed) return 'bad';
    const isListless = step === 'models' && models.length === 0;
    return index < failed && !isListless ? 'ok' : 'unknown';
  };
  const words = {
    ok: t({ id: 'organisation.step.held', defaultMessage: 'yes' }),
    bad: t({ id: 'organisation.step.failed', defaultMessage: 'failed' }),
    unknown: t({ id: 'organisation.step.untried', defaultMessage: 'not tried' }),
    none: t({ id: 'organisation.step.noList', defaultMessage: 'no list' }),
  };
  return (
    <ol className={`p-list ${classes.steps}`}>
      {steps
        .filter((step) => step !== 'answer' || model !== '')
        .map((step, index) => {
          const state = stateOf(step, index);
          const word = index < failed && state === 'unknown' ? words.none : words[state];
          return (
            <li key={step} data-state={state}>
              <StatusShape kind={state === 'unknown' ? 'waiting' : state} />
              <span>{names[step]}</span>
              <span className="p-meta">
                {step === 'answer' && firstTokenMs !== null ? seconds(firstTokenMs) : word}
              </span>
            </li>
          );
        })}
    </ol>
  );
}

import { Button } from '@mantine/core';
import type { ChatbotDraft, Trial } from '@parley/contracts';
import { Square } from 'lucide-react';
import { useState } from 'react';
import { useFormats } from '../../../../lib/formats.ts';
import { useText } from '../../../../lib/text.ts';
import { isOver, useTrial } from '../../../../domain/trial/trials.ts';
import { AnswerFailure } from '../../../../domain/message/answer-failure.tsx';
import { AnswerText } from '../../../../domain/message/answer-text.tsx';
import { AnswerThoughts } from '../../../../domain/message/answer-thoughts.tsx';
import { Note } from '../../../../ui/note.tsx';
import { StatusShape } from '../../../../ui/status-shape.tsx';
import { useActionOff } from '../../../../ui/stale.tsx';
import { useStop, useTrialCost } from '../trials.ts';
import { FoundPassages } from '../../draft/found-passages/index.tsx';
import classes from './trial-view.module.css';

type Props = {
  known: Trial;
  draft: ChatbotDraft;
  /** Makes a test of it. */
  onKeep: (trial: Trial) => void;
};

/** Question, answer, what it took, and the passages that were found for it. */
export function TrialView({ known, draft, onKeep }: Props) {
  const { t } = useText();
  const off = useActionOff();
  const [source, setSource] = useState<number | null>(null);
  const { trial = known, thoughts } = useTrial(known.id, known);
  const isOld = trial.version === null && draft.editedAt !== null && draft.editedAt > trial.askedAt;
  return (
    <>
      <p className={classes.question} dir="auto">
        {trial.question}
      </p>
      {isOld ? (
        <p className="p-meta">{t({ id: 'studio.try.old', defaultMessage: 'The draft has changed since.' })}</p>
      ) : null}
      <Answer trial={trial} thoughts={thoughts} source={source} onSource={setSource} />
      {isOver(trial) ? (
        <>
          <Facts trial={trial} />
          <FoundPassages trial={trial} open={source} onOpen={setSource} />
          <div>
            <Button variant="default" size="xs" onClick={() => onKeep(trial)} {...off}>
              {t({ id: 'studio.try.keep', defaultMessage: 'Add to test set' })}
            </Button>
          </div>
        </>
      ) : null}
    </>
  );
}

type AnswerProps = { trial: Trial; thoughts: string; source: number | null; onSource: (number: number) => void };

function Answer({ trial, thoughts, source, onSource }: AnswerProps) {
  const { t } = useText();
  const stop = useStop();
  const off = useActionOff();
  const { status, text, failure, failureDetail } = trial;
  const words = {
    queued: t({ id: 'studio.try.queued', defaultMessage: 'Queued' }),
    running:
      text === ''
        ? t({ id: 'studio.try.thinking', defaultMessage: 'Thinking' })
        : t({ id: 'studio.try.writing', defaultMessage: 'Writing' }),
  };
  return (
    <div className={classes.answer} data-running={!isOver(trial) || undefined}>
      {thoughts === '' ? null : (
        <AnswerThoughts text={thoughts} ms={trial.thoughts?.ms ?? null} isThinking={!isOver(trial) && text === ''} />
      )}
      {text === '' ? null : (
        <AnswerText
          text={text}
          isWriting={!isOver(trial)}
          citations={trial.citations}
          openSource={source}
          onOpenSource={onSource}
        />
      )}
      {status === 'queued' || status === 'running' ? (
        <output className={classes.state}>
          <StatusShape kind={status === 'queued' ? 'waiting' : 'running'} />
          {words[status]}
          <Button
            variant="subtle"
            size="xs"
            leftSection={<Square size={12} strokeWidth={2} />}
            loading={stop.isPending}
            onClick={() => stop.mutate(trial.id)}
            {...off}
          >
            {t({ id: 'studio.try.stop', defaultMessage: 'Stop' })}
          </Button>
        </output>
      ) : status === 'stopped' ? (
        <p className="p-meta">{t({ id: 'studio.try.stopped', defaultMessage: 'Stopped.' })}</p>
      ) : status === 'done' ? null : (
        <Note kind={status === 'failed' ? 'danger' : 'warning'}>
          <AnswerFailure answer={{ status, failure, failureDetail }} />
        </Note>
      )}
    </div>
  );
}

function Facts({ trial }: { trial: Trial }) {
  const { t } = useText();
  const { number, seconds, cost } = useFormats();
  const billed = useTrialCost(trial);
  const { usage, firstTokenMs, totalMs, model } = trial;
  const none = '–';
  const money =
    model.key === 'builtin'
      ? t({ id: 'studio.fact.free', defaultMessage: 'no cost' })
      : billed?.costMicros != null && billed.currency
        ? cost(billed.costMicros, billed.currency)
        : billed
          ? t({ id: 'studio.fact.unpriced', defaultMessage: 'no price' })
          : none;
  const facts = [
    [t({ id: 'studio.fact.in', defaultMessage: 'Tokens in' }), usage ? number(usage.inputTokens) : none],
    [t({ id: 'studio.fact.out', defaultMessage: 'Tokens out' }), usage ? number(usage.outputTokens) : none],
    [
      t({ id: 'studio.fact.first', defaultMessage: 'First token' }),
      firstTokenMs === null ? none : seconds(firstTokenMs),
    ],
    [t({ id: 'studio.fact.total', defaultMessage: 'Total' }), totalMs === null ? none : seconds(totalMs)],
    [t({ id: 'studio.fact.cost', defaultMessage: 'Cost' }), money],
  ] as const;
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

import { Button, NativeSelect, Textarea } from '@mantine/core';
import type { FeedbackCase, FeedbackState, FeedbackStep } from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { api } from '../../../lib/http.ts';
import { useRight, useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useActionOff } from '../../../ui/stale.tsx';
import classes from '../feedback.module.css';
import { caseStates, useFeedbackWords } from '../feedback-words.ts';
import type { useCaseAct } from '../use-case.ts';
import { CaseState } from './case-table.tsx';

type Props = { item: FeedbackCase; act: ReturnType<typeof useCaseAct> };

/** State, who has it, a note, and what was done. */
export function CaseFacts({ item, act }: Props) {
  const { t } = useText();
  const mayManage = useRight('feedback:manage');
  const off = useActionOff();
  return (
    <aside
      className={`${classes.facts} p-data`}
      aria-label={t({ id: 'feedback.facts.title', defaultMessage: 'State of the case' })}
    >
      {mayManage ? <Editable key={item.id} item={item} act={act} /> : <Fixed item={item} />}
      <History history={item.history} />
      {mayManage && item.state !== 'fixed' ? (
        <Button
          fullWidth
          leftSection={<Check />}
          loading={act.isPending}
          onClick={() => act.mutate({ change: { state: 'fixed' } })}
          {...off}
        >
          {t({ id: 'feedback.facts.fix', defaultMessage: 'Mark as fixed' })}
        </Button>
      ) : null}
    </aside>
  );
}

function useLabels() {
  const { t } = useText();
  return {
    state: t({ id: 'feedback.column.state', defaultMessage: 'State' }),
    assignee: t({ id: 'feedback.column.assignee', defaultMessage: 'Who has it' }),
    nobody: t({ id: 'feedback.assignee.none', defaultMessage: 'nobody' }),
    note: t({ id: 'feedback.facts.note', defaultMessage: 'Note' }),
  };
}

/** Each change is kept at once. */
function Editable({ item, act }: Props) {
  const { t } = useText();
  const labels = useLabels();
  const words = useFeedbackWords();
  const orgId = useTab().organisation.id;
  const isOff = useActionOff() !== null;
  const { data } = useQuery({
    queryKey: ['organisation', orgId, 'feedback-assignees'],
    queryFn: ({ signal }) => api('GET /api/chat/feedback-assignees', { orgId, signal }),
    staleTime: 60_000,
  });
  const { assignee, state } = item;
  const people = data?.items ?? [];
  // Somebody who may not work on feedback any more still has it.
  const offered = assignee && !people.some(({ userId }) => userId === assignee.userId) ? [...people, assignee] : people;
  return (
    <>
      <NativeSelect
        label={labels.state}
        value={state ?? ''}
        disabled={isOff}
        data={[
          ...(state === null
            ? [{ value: '', label: t({ id: 'feedback.state.none', defaultMessage: 'Nothing to do' }) }]
            : []),
          ...caseStates.map((value) => ({ value, label: words.stateName(value) })),
        ]}
        onChange={({ currentTarget: { value } }) => value && act.mutate({ change: { state: value as FeedbackState } })}
      />
      <NativeSelect
        label={labels.assignee}
        value={assignee?.userId ?? ''}
        disabled={isOff}
        data={[
          { value: '', label: labels.nobody },
          ...offered.map(({ userId, name }) => ({ value: userId as string, label: name })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          act.mutate({ change: { assigneeId: value === '' ? null : (value as UserId) } })
        }
      />
      <NoteField item={item} act={act} />
    </>
  );
}

function NoteField({ item, act }: Props) {
  const { t } = useText();
  const labels = useLabels();
  const isOff = useActionOff() !== null;
  const [note, setNote] = useState(item.note);
  const [known, setKnown] = useState(item.note);
  // Somebody else has written it, and nothing is being written here.
  if (known !== item.note) {
    setKnown(item.note);
    if (note === known) setNote(item.note);
  }
  const save = () => {
    if (note.trim() !== item.note) act.mutate({ change: { note: note.trim() } });
  };
  return (
    <Textarea
      label={labels.note}
      description={
        note.trim() === item.note
          ? t({ id: 'feedback.facts.noteAbout', defaultMessage: 'The reporter does not see it.' })
          : t({ id: 'feedback.facts.noteUnsaved', defaultMessage: 'Kept when you leave the field.' })
      }
      autosize
      minRows={2}
      maxRows={8}
      maxLength={2_000}
      dir="auto"
      disabled={isOff}
      value={note}
      onChange={(event) => setNote(event.currentTarget.value)}
      onBlur={save}
    />
  );
}

/** For whoever may read only. */
function Fixed({ item }: { item: FeedbackCase }) {
  const labels = useLabels();
  return (
    <dl className={classes.fixed}>
      <dt>{labels.state}</dt>
      <dd>
        <CaseState state={item.state} />
      </dd>
      <dt>{labels.assignee}</dt>
      <dd>
        <bdi>{item.assignee?.name ?? labels.nobody}</bdi>
      </dd>
      {item.note === '' ? null : (
        <>
          <dt>{labels.note}</dt>
          <dd className={classes.words} dir="auto">
            {item.note}
          </dd>
        </>
      )}
    </dl>
  );
}

function History({ history }: Pick<FeedbackCase, 'history'>) {
  const { t } = useText();
  const { ago, exact } = useFormats();
  const wordsOf = useStepWords();
  return (
    <ol className={classes.history} aria-label={t({ id: 'feedback.facts.history', defaultMessage: 'What was done' })}>
      {history.map((step, index) => (
        <li key={`${step.at} ${index}`}>
          <time dateTime={step.at} title={exact(step.at)}>
            {ago(step.at)}
          </time>{' '}
          {wordsOf(step)}
        </li>
      ))}
    </ol>
  );
}

function useStepWords() {
  const { t } = useText();
  const words = useFeedbackWords();
  return ({ what, to, by }: FeedbackStep): string => {
    const name = `\u2068${by.name}\u2069`;
    switch (what) {
      case 'rated':
        return t({ id: 'feedback.step.rated', defaultMessage: '{name} rated it' }, { name });
      case 'state':
        return t(
          { id: 'feedback.step.state', defaultMessage: '{name} set it to “{state}”' },
          { name, state: caseStates.includes(to as FeedbackState) ? words.stateName(to as FeedbackState) : to },
        );
      case 'assigned':
        return to === null
          ? t({ id: 'feedback.step.freed', defaultMessage: '{name} gave it to nobody' }, { name })
          : t(
              { id: 'feedback.step.assigned', defaultMessage: '{name} gave it to {to}' },
              { name, to: `\u2068${to}\u2069` },
            );
      case 'noted':
        return t({ id: 'feedback.step.noted', defaultMessage: '{name} changed the note' }, { name });
      case 'answered':
        return t({ id: 'feedback.step.answered', defaultMessage: '{name} answered the reporter' }, { name });
      case 'read':
        return t({ id: 'feedback.step.read', defaultMessage: '{name} read what was sent along' }, { name });
      case 'curated':
        return t({ id: 'feedback.step.curated', defaultMessage: '{name} wrote a curated answer' }, { name });
    }
  };
}

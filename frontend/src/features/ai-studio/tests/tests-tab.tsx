import { Button } from '@mantine/core';
import type { ChatbotDraft, ChatbotTest, ChatbotTests, TestRun } from '@parley/contracts';
import { ListChecks, Play, Plus, Square } from 'lucide-react';
import { useState } from 'react';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { useText } from '../../../lib/text.ts';
import { useVersionName } from '../../../domain/chatbot/use-version-name.ts';
import { FailureView } from '../../../ui/failure-view.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { Note } from '../../../ui/note.tsx';
import { SkeletonRows, StateView } from '../../../ui/state-view.tsx';
import { offBecause, useActionOff } from '../../../ui/stale.tsx';
import { useTests } from '../state/queries.ts';
import { resultOf, useRun, useRuns, useStartRun, useStopRun } from '../state/tests.ts';
import type { DraftEditing } from '../state/use-draft-editing.ts';
import { useResultWords } from './use-result-words.ts';
import { GateField } from './gate-field.tsx';
import { RunChoice, useShownRun } from './run-choice.tsx';
import { TestRow } from './test-row/index.tsx';
import classes from './tests-tab.module.css';

const TestDialog = lazyPart(async () => (await import('./test-dialog.tsx')).TestDialog);

type Props = { draft: ChatbotDraft; editing: DraftEditing };

/** What it has to answer: each test's result on the draft beside the live version, and what publishing asks for. */
export function TestsTab({ draft, editing }: Props) {
  const { t } = useText();
  const { data: tests, error, refetch } = useTests(draft.id);
  const [edited, setEdited] = useState<ChatbotTest | 'new' | null>(null);
  if (error && !tests)
    return (
      <FailureView
        title={t({ id: 'studio.tests.failed', defaultMessage: 'The tests could not be loaded' })}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  if (!tests)
    return <SkeletonRows label={t({ id: 'studio.tests.loading', defaultMessage: 'The tests are loading' })} />;
  return (
    <div className={classes.tab}>
      {tests.items.length === 0 ? (
        <NoTests onAdd={() => setEdited('new')} />
      ) : (
        <TestList draft={draft} editing={editing} tests={tests} onEdit={setEdited} />
      )}
      {edited ? (
        <TestDialog
          chatbotId={draft.id}
          test={edited === 'new' ? null : edited}
          from={null}
          onClose={() => setEdited(null)}
        />
      ) : null}
    </div>
  );
}

function NoTests({ onAdd }: { onAdd: () => void }) {
  const { t } = useText();
  const off = useActionOff();
  return (
    <StateView
      icon={ListChecks}
      title={t({ id: 'studio.tests.emptyTitle', defaultMessage: 'No tests yet' })}
      actions={
        <Button variant="default" size="xs" onClick={onAdd} {...off}>
          {t({ id: 'studio.tests.add', defaultMessage: 'Add test' })}
        </Button>
      }
    >
      {t({
        id: 'studio.tests.emptyAbout',
        defaultMessage:
          'A test is a question with what has to come of it: words of the answer, or passages that are found. Run them before you publish.',
      })}
    </StateView>
  );
}

type ListProps = Props & { tests: ChatbotTests; onEdit: (test: ChatbotTest | 'new') => void };

function TestList({ draft, editing, tests, onEdit }: ListProps) {
  const { t } = useText();
  const off = useActionOff();
  const describe = useProblemText();
  const { data: runs, error } = useRuns(draft.id);
  const shown = useShownRun(runs?.items);
  const { data: run } = useRun(shown?.id ?? null);
  const { data: live } = useRun(tests.onPublished?.runId ?? null);
  const beside = live && live.id !== run?.id ? live : undefined;
  return (
    <>
      <Head
        draft={draft}
        editing={editing}
        tests={tests}
        run={run}
        isRunning={runs?.items[0]?.status === 'running'}
        isKnown={runs !== undefined}
      />
      {error && !runs ? (
        <Note kind="danger" isAlert>
          {t({ id: 'studio.tests.runsFailed', defaultMessage: 'The runs could not be loaded.' })} {describe(error).text}
        </Note>
      ) : null}
      <RunBar tests={tests.items} run={run} />
      <div className={classes.tools}>
        <RunChoice runs={runs?.items ?? []} shown={shown} />
        <Button variant="subtle" size="xs" leftSection={<Plus size={14} />} onClick={() => onEdit('new')} {...off}>
          {t({ id: 'studio.tests.add', defaultMessage: 'Add test' })}
        </Button>
      </div>
      <ol className={classes.list}>
        {tests.items.map((test, at) => (
          <TestRow
            key={test.id}
            chatbotId={draft.id}
            number={at + 1}
            test={test}
            run={run}
            live={beside}
            liveVersion={draft.published?.version ?? null}
            onEdit={() => onEdit(test)}
          />
        ))}
      </ol>
      <GateField chatbotId={draft.id} tests={tests} />
    </>
  );
}

type HeadProps = Props & { tests: ChatbotTests; run: TestRun | undefined; isRunning: boolean; isKnown: boolean };

function Head({ draft, editing, tests, run, isRunning, isKnown }: HeadProps) {
  const { t } = useText();
  const versionName = useVersionName();
  const stale = useActionOff();
  const start = useStartRun(draft.id);
  const stop = useStopRun();
  const all = tests.items.length;
  const passed = tests.items.filter((test) => resultOf(run, test)?.state === 'passed').length;
  const unsaved =
    editing.isDirty || editing.conflict
      ? offBecause(t({ id: 'studio.try.waits', defaultMessage: 'Waits until the draft is saved' }))
      : null;
  const live = draft.published;
  const needsLive = live !== null && tests.onPublished === null && draft.isChanged;
  return (
    <>
      <header className={classes.head}>
        <h2 className="p-h2">
          {run
            ? t(
                { id: 'studio.tests.passed', defaultMessage: '{passed} of {all} pass' },
                { passed: String(passed), all: String(all) },
              )
            : isKnown
              ? t({ id: 'studio.tests.never', defaultMessage: 'Not run yet' })
              : t({ id: 'studio.tab.tests', defaultMessage: 'Test set' })}
        </h2>
        {tests.gate ? (
          <span className="p-sm p-quiet">
            {t(
              { id: 'studio.tests.needs', defaultMessage: 'publishing needs {least}' },
              { least: String(tests.gate.least) },
            )}
          </span>
        ) : null}
        <span className={classes.acts}>
          {isRunning && run?.status === 'running' ? (
            <Button
              variant="default"
              leftSection={<Square size={14} />}
              loading={stop.isPending}
              onClick={() => stop.mutate(run.id)}
              {...stale}
            >
              {t({ id: 'studio.tests.stop', defaultMessage: 'Stop run' })}
            </Button>
          ) : isRunning ? null : (
            <>
              {needsLive ? (
                <Button variant="subtle" onClick={() => start.mutate(live.version)} {...stale}>
                  {t(
                    { id: 'studio.tests.runLive', defaultMessage: 'Run on {version}' },
                    { version: versionName(live.version) },
                  )}
                </Button>
              ) : null}
              <Button
                variant="default"
                leftSection={<Play size={14} />}
                loading={start.isPending}
                onClick={() => start.mutate(null)}
                {...(stale ?? unsaved)}
              >
                {run
                  ? t({ id: 'studio.tests.again', defaultMessage: 'Run again' })
                  : t({ id: 'studio.tests.run', defaultMessage: 'Run tests' })}
              </Button>
            </>
          )}
        </span>
      </header>
      <ErrorNote error={start.error} />
      {run && !run.isOfDraft && run.version === null ? (
        <p className="p-meta">
          {t({ id: 'studio.tests.old', defaultMessage: 'The draft has changed since this run.' })}
        </p>
      ) : null}
    </>
  );
}

/** One piece for each test, in their order; how many have ended is said beside it. */
function RunBar({ tests, run }: { tests: readonly ChatbotTest[]; run: TestRun | undefined }) {
  const { t } = useText();
  const { words, notRun } = useResultWords();
  const states = tests.map((test) => ({ id: test.id, state: resultOf(run, test)?.state }));
  return (
    <div>
      <ol className={classes.bar} aria-hidden="true">
        {states.map(({ id, state }) => (
          <li key={id} data-state={state} title={state ? words[state][1] : notRun} />
        ))}
      </ol>
      <output className="p-meta">
        {run?.status === 'running'
          ? t(
              { id: 'studio.tests.progress', defaultMessage: '{ended} of {all} have ended' },
              { ended: String(run.counts.ended), all: String(run.counts.all) },
            )
          : null}
      </output>
    </div>
  );
}

import type { ChatbotId, ChatbotTest, TestResult, TestRun } from '@parley/contracts';
import { ChevronDown, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useText } from '../../../../lib/text.ts';
import { useTrial } from '../../../../domain/trial/trials.ts';
import { useVersionName } from '../../../../domain/chatbot/use-version-name.ts';
import { AnswerFailure } from '../../../../domain/message/answer-failure.tsx';
import { AnswerText } from '../../../../domain/message/answer-text.tsx';
import { AnswerThoughts } from '../../../../domain/message/answer-thoughts.tsx';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Note } from '../../../../ui/note.tsx';
import { StatusShape } from '../../../../ui/status-shape.tsx';
import { useActionOff } from '../../../../ui/stale.tsx';
import { useToast } from '../../../../ui/toast.tsx';
import { resultOf, useDeleteTest } from '../../state/tests.ts';
import { useDocumentName } from '../../state/use-document-names.ts';
import { useResultWords } from '../use-result-words.ts';
import { FoundPassages } from '../../draft/found-passages/index.tsx';
import classes from './test-row.module.css';

type Props = {
  chatbotId: ChatbotId;
  number: number;
  test: ChatbotTest;
  run: TestRun | undefined;
  /** The last one of what is published, where that is another. */
  live: TestRun | undefined;
  liveVersion: number | null;
  onEdit: () => void;
};

/** A test with its result; opened it shows both answers and the passages that were found. */
export function TestRow({ chatbotId, number, test, run, live, liveVersion, onEdit }: Props) {
  const { t } = useText();
  const versionName = useVersionName();
  const [isOpen, setOpen] = useState(false);
  const result = resultOf(run, test);
  const before = resultOf(live, test);
  return (
    <li className={classes.test}>
      <div className={classes.row}>
        <button
          type="button"
          className={`p-sm ${classes.open}`}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <ResultMark result={result} />
          <span className={classes.number}>
            {t({ id: 'studio.tests.number', defaultMessage: 'Test {number}' }, { number: String(number) })}
          </span>
          <bdi className={classes.question}>{test.question}</bdi>
          {before && liveVersion !== null ? <LiveMark version={liveVersion} result={before} /> : null}
          <ChevronDown size={14} className={classes.chevron} />
        </button>
        <TestActs chatbotId={chatbotId} number={number} test={test} onEdit={onEdit} />
      </div>
      {isOpen ? (
        <div className={classes.details}>
          <Expected test={test} />
          <div className={classes.results}>
            {before && liveVersion !== null ? (
              <Result
                name={t(
                  { id: 'studio.version.live', defaultMessage: '{version}, live' },
                  { version: versionName(liveVersion) },
                )}
                result={before}
                hasPassages={false}
              />
            ) : null}
            {result ? (
              <Result
                name={t({ id: 'studio.tests.thisRun', defaultMessage: 'This run' })}
                result={result}
                hasPassages
              />
            ) : null}
          </div>
        </div>
      ) : null}
    </li>
  );
}

function ResultMark({ result }: { result: TestResult | undefined }) {
  const { words, notRun } = useResultWords();
  const [kind, word] = result ? words[result.state] : (['waiting', notRun] as const);
  return (
    <span className={classes.mark}>
      <StatusShape kind={kind} />
      {word}
    </span>
  );
}

/** How the same test stands on what is published. */
function LiveMark({ version, result }: { version: number; result: TestResult }) {
  const { t } = useText();
  const { words } = useResultWords();
  const versionName = useVersionName();
  return (
    <span className={classes.live}>
      {t(
        { id: 'studio.tests.onLive', defaultMessage: '{version}: {result}' },
        { version: versionName(version), result: words[result.state][1] },
      )}
    </span>
  );
}

function TestActs({ chatbotId, number, test, onEdit }: Pick<Props, 'chatbotId' | 'number' | 'test' | 'onEdit'>) {
  const { t } = useText();
  const off = useActionOff();
  const toast = useToast();
  const { remove, restore } = useDeleteTest(chatbotId);
  const values = { number: String(number) };
  const takeOut = () =>
    remove.mutate(test, {
      onSuccess: () =>
        toast({
          text: t({ id: 'studio.tests.deleted', defaultMessage: 'Test {number} is deleted' }, values),
          undo: () => restore.mutate(test),
        }),
    });
  return (
    <span className={classes.acts}>
      <IconButton
        icon={Pencil}
        label={t({ id: 'studio.tests.edit', defaultMessage: 'Edit test {number}' }, values)}
        onClick={onEdit}
        {...off}
      />
      <IconButton
        icon={Trash2}
        label={t({ id: 'studio.tests.delete', defaultMessage: 'Delete test {number}' }, values)}
        onClick={takeOut}
        {...off}
      />
    </span>
  );
}

function Expected({ test: { expects } }: { test: ChatbotTest }) {
  const { t } = useText();
  const nameOf = useDocumentName();
  return (
    <ul className={classes.expected}>
      {expects.words.map((words) => (
        <li key={words}>
          {t({ id: 'studio.tests.expectsWords', defaultMessage: 'The answer says “{words}”.' }, { words })}
        </li>
      ))}
      {expects.passages.map(({ documentId, words }) => (
        <li key={`${documentId} ${words}`}>
          {words === null
            ? t(
                { id: 'studio.tests.expectsDocument', defaultMessage: 'A passage of {name} is found.' },
                { name: nameOf(documentId) },
              )
            : t(
                { id: 'studio.tests.expectsPassage', defaultMessage: 'A passage of {name} with “{words}” is found.' },
                { name: nameOf(documentId), words },
              )}
        </li>
      ))}
    </ul>
  );
}

function Result({ name, result, hasPassages }: { name: string; result: TestResult; hasPassages: boolean }) {
  const { t } = useText();
  const nameOf = useDocumentName();
  const { missing, trialId } = result;
  const { trial, thoughts, error } = useTrial(trialId);
  const [source, setSource] = useState<number | null>(null);
  const gaps = [
    ...missing.words.map((words) => `“${words}”`),
    ...missing.passages.map(({ documentId, words }) =>
      words === null ? nameOf(documentId) : `${nameOf(documentId)}: “${words}”`,
    ),
  ];
  return (
    <section className={classes.result}>
      <header className={classes.resultHead}>
        <b>{name}</b>
        <ResultMark result={result} />
      </header>
      {gaps.length > 0 ? (
        <Note kind="danger">
          {t({ id: 'studio.tests.missing', defaultMessage: 'Missing: {what}.' }, { what: gaps.join(', ') })}
        </Note>
      ) : null}
      {trial ? (
        <>
          {thoughts === '' ? null : (
            <AnswerThoughts text={thoughts} ms={trial.thoughts?.ms ?? null} isThinking={false} />
          )}
          <AnswerText
            text={trial.text}
            isWriting={false}
            citations={trial.citations}
            openSource={source}
            onOpenSource={setSource}
          />
          {trial.status === 'failed' || trial.status === 'interrupted' ? (
            <Note kind="danger">
              <AnswerFailure answer={{ ...trial, status: trial.status }} />
            </Note>
          ) : null}
          {hasPassages || source !== null ? <FoundPassages trial={trial} open={source} onOpen={setSource} /> : null}
        </>
      ) : error ? (
        <p className="p-meta">
          {t({ id: 'studio.tests.foreign', defaultMessage: 'Only the person who ran it sees the answer, for a week.' })}
        </p>
      ) : null}
    </section>
  );
}

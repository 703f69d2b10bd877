import { Button, NativeSelect } from '@mantine/core';
import type { ChatbotContent, ChatbotDraft, ChatbotVersion } from '@parley/contracts';
import { ArrowRight, History } from 'lucide-react';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { useVersionName } from '../../../domain/chatbot/use-version-name.ts';
import { PersonAvatar } from '../../../domain/picture/avatar.tsx';
import { FailureView } from '../../../ui/failure-view.tsx';
import { Note } from '../../../ui/note.tsx';
import { SkeletonRows } from '../../../ui/state-view.tsx';
import { StatusShape } from '../../../ui/status-shape.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { differing } from '../state/merge-drafts.ts';
import { nextNumber, useTests, useVersions } from '../state/queries.ts';
import type { DraftEditing } from '../state/use-draft-editing.ts';
import { useStudioPlace } from '../state/use-studio-place.ts';
import { Difference } from '../draft/difference/index.tsx';
import { useHindrance } from './publish-button/index.tsx';
import classes from './versions-tab.module.css';

type Props = { draft: ChatbotDraft; editing: DraftEditing };
/** The draft and what was published, newest first, as one row of things to compare. */
type Entry = {
  /** As it stands in the address. */
  readonly key: string;
  readonly name: string;
  readonly note: string;
  readonly by: ChatbotVersion['by'];
  readonly at: string | null;
  readonly kind: 'draft' | 'live' | 'old';
  readonly content: ChatbotContent;
};

/** What was published, by whom and why; any two of them beside each other; any of them as the draft again. */
export function VersionsTab({ draft, editing }: Props) {
  const { t } = useText();
  const { data, error, refetch } = useVersions(draft.id);
  const { from, to } = useStudioPlace();
  const entries = useEntries({ draft, editing }, data?.items ?? []);
  if (error && !data)
    return (
      <FailureView
        title={t({ id: 'studio.versions.failed', defaultMessage: 'The versions could not be loaded' })}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  if (!data)
    return <SkeletonRows label={t({ id: 'studio.versions.loading', defaultMessage: 'The versions are loading' })} />;
  const shown = entries.find(({ key }) => key === to) ?? entries[0]!;
  const next = entries[entries.indexOf(shown) + 1];
  const against = entries.find(({ key }) => key === from) ?? next ?? shown;
  return (
    <div className={classes.split}>
      <VersionList entries={entries} shown={shown} isCut={data.nextCursor !== null} />
      <div className={classes.difference}>
        <Heading entries={entries} against={against} shown={shown} editing={editing} />
        {shown === against ? (
          <p className="p-sm p-quiet">
            {t({ id: 'studio.versions.alone', defaultMessage: 'There is nothing yet to compare it with.' })}
          </p>
        ) : (
          <Difference before={against.content} after={shown.content} />
        )}
        {shown.kind === 'draft' ? <WouldChange draft={draft} editing={editing} /> : null}
      </div>
    </div>
  );
}

function useEntries({ draft, editing }: Props, versions: readonly ChatbotVersion[]): Entry[] {
  const { t } = useText();
  const versionName = useVersionName();
  const live = draft.published;
  const own = versions.filter(({ version }) => version !== live?.version);
  const all = [...(live ? [live] : []), ...own].toSorted((one, other) => other.version - one.version);
  return [
    {
      key: 'draft',
      name: t({ id: 'studio.version.draft', defaultMessage: 'Draft {version}' }, { version: String(nextNumber(live)) }),
      note: '',
      by: draft.editedBy,
      at: draft.editedAt,
      kind: 'draft',
      content: editing.content,
    },
    ...all.map((one): Entry => ({
      key: String(one.version),
      name: versionName(one.version),
      note:
        one.version === 0
          ? t({ id: 'studio.versions.first', defaultMessage: 'As every organisation begins with it' })
          : one.note,
      by: one.by,
      at: one.publishedAt,
      kind: one.version === live?.version ? 'live' : 'old',
      content: one.content,
    })),
  ];
}

function VersionList({ entries, shown, isCut }: { entries: readonly Entry[]; shown: Entry; isCut: boolean }) {
  const { t } = useText();
  const { ago, exact } = useFormats();
  const { go } = useStudioPlace();
  const states = {
    draft: ['waiting', t({ id: 'studio.state.draft', defaultMessage: 'Draft' })] as const,
    live: ['ok', t({ id: 'studio.state.live', defaultMessage: 'Live' })] as const,
    old: null,
  };
  return (
    <div className={classes.list}>
      <ul>
        {entries.map((entry) => {
          const state = states[entry.kind];
          return (
            <li key={entry.key}>
              <button
                type="button"
                aria-pressed={entry === shown}
                onClick={() => go({ to: entry.key, from: '' }, { replace: true })}
              >
                <span className={classes.line}>
                  <b>{entry.name}</b>
                  {state ? (
                    <span className={classes.state} data-live={entry.kind === 'live' || undefined}>
                      <StatusShape kind={state[0]} />
                      {state[1]}
                    </span>
                  ) : null}
                  {entry.at ? (
                    <span className={classes.when} title={exact(entry.at)}>
                      {ago(entry.at)}
                    </span>
                  ) : null}
                </span>
                {entry.note ? <bdi className={classes.note}>{entry.note}</bdi> : null}
                {entry.by ? (
                  <span className={classes.by}>
                    <PersonAvatar id={entry.by.userId} name={entry.by.name} size={16} />
                    <bdi>{entry.by.name}</bdi>
                  </span>
                ) : null}
              </button>
            </li>
          );
        })}
      </ul>
      {isCut ? (
        <p className={classes.more}>
          {t({ id: 'studio.versions.cut', defaultMessage: 'Older ones are kept and not shown here.' })}
        </p>
      ) : null}
    </div>
  );
}

type HeadingProps = { entries: readonly Entry[]; against: Entry; shown: Entry; editing: DraftEditing };

function Heading({ entries, against, shown, editing }: HeadingProps) {
  const { t } = useText();
  const { go } = useStudioPlace();
  const off = useActionOff();
  const toast = useToast();
  const differ = differing(against.content, shown.content).length;
  const options = (except: Entry) =>
    entries
      .filter((entry) => entry !== except || entries.length === 1)
      .map(({ key, name }) => ({ value: key, label: name }));
  const restore = () => {
    const before = editing.content;
    editing.change(shown.content);
    go({ to: 'draft', from: '' });
    toast({
      text: t({ id: 'studio.versions.restored', defaultMessage: '{name} is the draft now' }, { name: shown.name }),
      undo: () => editing.change(before),
    });
  };
  return (
    <header className={classes.head}>
      <NativeSelect
        size="xs"
        aria-label={t({ id: 'studio.versions.from', defaultMessage: 'Compared with' })}
        value={against.key}
        data={options(shown)}
        onChange={(event) => go({ from: event.currentTarget.value, to: shown.key }, { replace: true })}
      />
      <ArrowRight className="p-mirror" />
      <b className="p-sm">{shown.name}</b>
      {differ > 0 ? (
        <span className="p-sm p-quiet">
          {t(
            {
              id: 'studio.versions.differ',
              defaultMessage: '{count, plural, one {# part differs} other {# parts differ}}',
            },
            { count: differ },
          )}
        </span>
      ) : null}
      {shown.kind === 'draft' ? null : (
        <Button
          className={classes.restore}
          variant="default"
          size="xs"
          leftSection={<History size={14} />}
          onClick={restore}
          {...off}
        >
          {t({ id: 'studio.versions.restore', defaultMessage: 'Restore {name}' }, { name: shown.name })}
        </Button>
      )}
    </header>
  );
}

/** What publishing it would mean for the tests, and why it cannot be done where it cannot. */
function WouldChange({ draft, editing }: Props) {
  const { t } = useText();
  const { data: tests } = useTests(draft.id);
  const hindrance = useHindrance(draft, editing);
  const passes = (run: { passed: number } | null | undefined) =>
    run
      ? t({ id: 'studio.versions.pass', defaultMessage: '{count} pass' }, { count: String(run.passed) })
      : t({ id: 'studio.versions.notRun', defaultMessage: 'not run' });
  return (
    <>
      {tests && tests.items.length > 0 ? (
        <section className={classes.would}>
          <h3 className="p-h3">{t({ id: 'studio.versions.would', defaultMessage: 'What it would change' })}</h3>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{t({ id: 'studio.versions.what', defaultMessage: 'What' })}</th>
                <th scope="col">{t({ id: 'studio.state.live', defaultMessage: 'Live' })}</th>
                <th scope="col">{t({ id: 'studio.state.draft', defaultMessage: 'Draft' })}</th>
              </tr>
            </thead>
            <tbody>
              <tr>
                <th scope="row">
                  {t(
                    {
                      id: 'studio.versions.tests',
                      defaultMessage: 'Test set, {count, plural, one {# question} other {# questions}}',
                    },
                    { count: tests.items.length },
                  )}
                </th>
                <td>{passes(tests.onPublished)}</td>
                <td>{passes(tests.onDraft)}</td>
              </tr>
            </tbody>
          </table>
        </section>
      ) : null}
      {hindrance === null || !draft.isChanged ? null : (
        <Note kind="warning">
          {t(
            { id: 'studio.versions.hindrance', defaultMessage: 'It cannot be published now: {reason}.' },
            { reason: hindrance },
          )}
        </Note>
      )}
    </>
  );
}

import { NativeSelect } from '@mantine/core';
import type { TestRunSummary } from '@parley/contracts';
import { useSearchParams } from 'react-router-dom';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { useVersionName } from '../../../domain/chatbot/use-version-name.ts';
import { useStudioPlace } from '../state/use-studio-place.ts';

const usual = (runs: readonly TestRunSummary[]): TestRunSummary | undefined =>
  runs.find(({ status }) => status === 'running') ?? runs.find(({ version }) => version === null) ?? runs[0];

/** The run that the address names, else that which goes on, else the newest of a draft. */
export function useShownRun(runs: readonly TestRunSummary[] | undefined): TestRunSummary | null {
  const [search] = useSearchParams();
  return runs?.find(({ id }) => id === search.get('run')) ?? usual(runs ?? []) ?? null;
}

/** Earlier runs are kept: each can be looked at again. */
export function RunChoice({ runs, shown }: { runs: readonly TestRunSummary[]; shown: TestRunSummary | null }) {
  const { t } = useText();
  const { exact } = useFormats();
  const versionName = useVersionName();
  const { go } = useStudioPlace();
  if (!shown) return <span />;
  const nameOf = ({ version, isOfDraft, startedAt, counts, startedBy }: TestRunSummary) => {
    const values = {
      when: exact(startedAt),
      name: startedBy.name,
      passed: String(counts.passed),
      all: String(counts.all),
    };
    if (version !== null)
      return t(
        { id: 'studio.run.version', defaultMessage: '{version}, {when}, {name}: {passed} of {all}' },
        { ...values, version: versionName(version) },
      );
    return isOfDraft
      ? t({ id: 'studio.run.draft', defaultMessage: 'This draft, {when}, {name}: {passed} of {all}' }, values)
      : t({ id: 'studio.run.earlier', defaultMessage: 'Earlier draft, {when}, {name}: {passed} of {all}' }, values);
  };
  return (
    <NativeSelect
      size="xs"
      aria-label={t({ id: 'studio.run.label', defaultMessage: 'Run' })}
      value={shown.id}
      data={runs.map((run) => ({ value: run.id, label: nameOf(run) }))}
      onChange={({ currentTarget: { value } }) =>
        go({ run: value === usual(runs)?.id ? null : value }, { replace: true })
      }
    />
  );
}

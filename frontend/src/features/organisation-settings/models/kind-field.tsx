import { NativeSelect } from '@mantine/core';
import type { ProviderKind } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';
import classes from '../parts/organisation-settings.module.css';
import { withKind, type ProviderDraft } from './provider-draft.ts';

type Props = { draft: ProviderDraft; change: (part: Partial<ProviderDraft>) => void };

/** What the kinds of model servers are called. */
export function useKindNames(): Record<ProviderKind, string> {
  const { t } = useText();
  return {
    'openai-compatible': t({
      id: 'organisation.kind.openAi',
      defaultMessage: 'OpenAI-compatible (OpenAI, Ollama, vLLM, LM Studio …)',
    }),
    anthropic: t({ id: 'organisation.kind.anthropic', defaultMessage: 'Anthropic (Claude)' }),
    google: t({ id: 'organisation.kind.google', defaultMessage: 'Google (Gemini)' }),
  };
}

/** Which protocol the server speaks. */
export function KindField({ draft, change }: Props) {
  const { t } = useText();
  const names = useKindNames();
  return (
    <NativeSelect
      name="kind"
      label={t({ id: 'organisation.field.kind', defaultMessage: 'Kind of server' })}
      value={draft.kind}
      data={Object.entries(names).map(([value, label]) => ({ value, label }))}
      onChange={(event) => change(withKind(draft, event.currentTarget.value as ProviderKind))}
    />
  );
}

/** Whether its models are asked to think before they answer. */
export function ThinkingField({ draft, change }: Props) {
  const { t } = useText();
  return (
    <label className={classes.check}>
      <input
        type="checkbox"
        checked={draft.thinks}
        onChange={({ currentTarget: { checked } }) => change({ thinks: checked })}
      />
      <span>
        {t({ id: 'organisation.field.thinks', defaultMessage: 'Have models think first, and show what they think' })}
        <span className="p-meta" style={{ display: 'block' }}>
          {t({
            id: 'organisation.field.thinksAbout',
            defaultMessage: 'It takes longer and uses more tokens. A model that cannot think refuses to answer then.',
          })}
        </span>
      </span>
    </label>
  );
}

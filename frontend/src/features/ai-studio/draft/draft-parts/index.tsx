import { NativeSelect, TextInput } from '@mantine/core';
import type { ChatbotDraft, ModelKey } from '@parley/contracts';
import { useText } from '../../../../lib/text.ts';
import { AudienceField } from '../../../../domain/audience/audience-field.tsx';
import { PageTabs } from '../../../../ui/page-tabs.tsx';
import { useOfferedModels } from '../../state/queries.ts';
import type { DraftEditing } from '../../state/use-draft-editing.ts';
import { parts, useStudioPlace, type Part } from '../../state/use-studio-place.ts';
import { KnowledgePart } from '../knowledge-part/index.tsx';
import { PromptPart } from '../prompt-part/index.tsx';
import classes from './draft-parts.module.css';

type Props = { draft: ChatbotDraft; editing: DraftEditing };

/** The draft, part by part; each change saves itself. */
export function DraftParts({ draft, editing }: Props) {
  const { t } = useText();
  const { part, linkTo } = useStudioPlace();
  const names: Readonly<Record<Part, string>> = {
    prompt: t({ id: 'studio.part.prompt', defaultMessage: 'Prompt' }),
    model: t({ id: 'studio.part.model', defaultMessage: 'Model' }),
    knowledge: t({ id: 'studio.part.knowledge', defaultMessage: 'Knowledge' }),
    audience: t({ id: 'studio.part.audience', defaultMessage: 'Audience' }),
  };
  return (
    <section className={classes.draft}>
      <PageTabs
        label={t({ id: 'studio.part.label', defaultMessage: 'Parts of the draft' })}
        tabs={parts.map((key) => ({ key, label: names[key] }))}
        current={part}
        linkTo={(key) => linkTo({ part: key })}
      />
      <div className={`${classes.fields} p-data`}>
        {part === 'prompt' ? <PromptPart draft={draft} editing={editing} /> : null}
        {part === 'model' ? <ModelPart editing={editing} /> : null}
        {part === 'knowledge' ? <KnowledgePart editing={editing} /> : null}
        {part === 'audience' ? <AudiencePart draft={draft} editing={editing} /> : null}
      </div>
    </section>
  );
}

function AudiencePart({ draft, editing: { content, change } }: Props) {
  const { t } = useText();
  return (
    <AudienceField
      label={t({ id: 'studio.audience.label', defaultMessage: 'Available to' })}
      value={content.audience}
      onChange={(audience) => change({ audience })}
      locked={
        draft.isDefault
          ? t({
              id: 'studio.audience.default',
              defaultMessage: 'The default chatbot is for everybody: it answers who has no other one.',
            })
          : null
      }
    />
  );
}

function ModelPart({ editing: { content, change } }: Pick<Props, 'editing'>) {
  const { t } = useText();
  const { models, labelOf, nameOf, isLoaded } = useOfferedModels();
  const offered = models.map((model) => ({ value: model.key as string, label: labelOf(model) }));
  const withCurrent = (key: ModelKey | null) =>
    key === null || !isLoaded || models.some((model) => model.key === key)
      ? offered
      : [
          ...offered,
          {
            value: key as string,
            label: t(
              { id: 'studio.model.gone', defaultMessage: '{name}, not offered any more' },
              { name: nameOf(key) },
            ),
          },
        ];
  const keyOf = (value: string): ModelKey | null => (value === '' ? null : (value as ModelKey));
  return (
    <>
      <NativeSelect
        label={t({ id: 'studio.field.model', defaultMessage: 'Model' })}
        value={content.model ?? ''}
        data={[
          {
            value: '',
            label: t({
              id: 'studio.model.any',
              defaultMessage: 'The person asking chooses; otherwise the organisation’s default',
            }),
          },
          ...withCurrent(content.model),
        ]}
        onChange={(event) => change({ model: keyOf(event.currentTarget.value) })}
      />
      <NativeSelect
        label={t({ id: 'studio.field.fallback', defaultMessage: 'Fallback' })}
        description={t({
          id: 'studio.model.fallbackAbout',
          defaultMessage: 'Asked where the model fails before its first word, or is not offered any more.',
        })}
        value={content.fallback ?? ''}
        data={[
          { value: '', label: t({ id: 'studio.model.noFallback', defaultMessage: 'None: the answer fails' }) },
          ...withCurrent(content.fallback).filter(({ value }) => value !== content.model),
        ]}
        onChange={(event) => change({ fallback: keyOf(event.currentTarget.value) })}
      />
      <TextInput
        type="number"
        min={0}
        max={2}
        step={0.1}
        label={t({ id: 'studio.field.temperature', defaultMessage: 'Temperature' })}
        description={t({
          id: 'studio.model.temperatureAbout',
          defaultMessage: '0 keeps to the likeliest words, 2 strays far. Empty leaves it to the model server.',
        })}
        value={content.temperature ?? ''}
        error={
          content.temperature !== null && (content.temperature < 0 || content.temperature > 2)
            ? t({ id: 'studio.model.temperatureFault', defaultMessage: 'A number from 0 to 2.' })
            : null
        }
        onChange={({ currentTarget: { value } }) => change({ temperature: value === '' ? null : Number(value) })}
      />
    </>
  );
}

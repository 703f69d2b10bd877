import { Input, NativeSelect, TextInput } from '@mantine/core';
import { assumedContextTokens, type ModelImages } from '@parley/contracts';
import type { ReactNode } from 'react';
import { useText } from '../../../lib/text.ts';
import classes from '../parts/organisation-settings.module.css';
import { isContext, type ProviderDraft } from './provider-draft.ts';

type Props = {
  draft: ProviderDraft;
  onChange: (step: (before: ProviderDraft) => ProviderDraft) => void;
  error: ReactNode;
};

/** The context length of each chosen model and whether it accepts images: filled from the list and the test, can be changed. */
export function AbilityFields({ draft, onChange, error }: Props) {
  const { t, intl } = useText();
  if (draft.models.length === 0) return null;
  const assumed = intl.formatNumber(assumedContextTokens);
  return (
    <fieldset className={classes.field} aria-describedby="abilities-about">
      <legend className={classes.label}>
        {t({ id: 'organisation.abilities.legend', defaultMessage: 'Context length and images' })}
      </legend>
      <p id="abilities-about" className="p-meta">
        {t(
          {
            id: 'organisation.abilities.about',
            defaultMessage:
              'The context length is how many tokens a model reads at once: the chat, documents and its answer. Some servers list it; if it’s empty, {assumed} is assumed. A model that doesn’t accept images only gets a note that there are images.',
          },
          { assumed },
        )}
      </p>
      <div className={classes.models}>
        <div className={`p-meta ${classes.ability}`} aria-hidden="true">
          <span>{t({ id: 'organisation.abilities.context', defaultMessage: 'Context length' })}</span>
          <span>{t({ id: 'organisation.abilities.images', defaultMessage: 'Accepts images' })}</span>
        </div>
        {draft.models.map((model) => {
          const text = draft.contexts[model] ?? '';
          return (
            <div key={model} className={classes.ability}>
              <label className={classes.abilityContext}>
                <bdi dir="ltr">{model}</bdi>
                <TextInput
                  name={isContext(text) ? undefined : 'contexts'}
                  size="xs"
                  dir="ltr"
                  inputMode="numeric"
                  maxLength={10}
                  placeholder={assumed}
                  value={text}
                  error={Boolean(error) && !isContext(text)}
                  onChange={({ currentTarget: { value } }) =>
                    onChange((before) => ({ ...before, contexts: { ...before.contexts, [model]: value } }))
                  }
                />
              </label>
              <ImagesField
                model={model}
                accepts={draft.images[model] ?? ''}
                onChange={(accepts) =>
                  onChange((before) => ({ ...before, images: { ...before.images, [model]: accepts } }))
                }
              />
            </div>
          );
        })}
      </div>
      {error ? <Input.Error role="alert">{error}</Input.Error> : null}
    </fieldset>
  );
}

type Accepts = ModelImages['accepts'] | '';

function ImagesField({
  model,
  accepts,
  onChange,
}: {
  model: string;
  accepts: Accepts;
  onChange: (accepts: Accepts) => void;
}) {
  const { t } = useText();
  return (
    <NativeSelect
      size="xs"
      aria-label={t(
        { id: 'organisation.abilities.ofModel', defaultMessage: 'Whether {model} accepts images' },
        { model },
      )}
      value={accepts}
      onChange={({ currentTarget: { value } }) => onChange(value as Accepts)}
      data={[
        { value: '', label: t({ id: 'organisation.abilities.unknown', defaultMessage: 'Not known' }) },
        { value: 'yes', label: t({ id: 'organisation.abilities.yes', defaultMessage: 'Yes' }) },
        { value: 'no', label: t({ id: 'organisation.abilities.no', defaultMessage: 'No' }) },
      ]}
    />
  );
}

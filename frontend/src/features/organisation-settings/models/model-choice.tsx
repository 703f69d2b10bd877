import { Button, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../../../lib/text.ts';
import form from '../../../ui/form.module.css';
import classes from '../parts/organisation-settings.module.css';
import { addTypedModel, toggleModel, withChosen, type ProviderDraft } from './provider-draft.ts';

/** Which models members may pick, and the one that is used without picking. */
export function ModelChoice({
  draft,
  onChange,
  error,
}: {
  draft: ProviderDraft;
  onChange: (step: (before: ProviderDraft) => ProviderDraft) => void;
  error: ReactNode;
}) {
  const { t } = useText();
  return (
    <fieldset className={classes.field}>
      <legend className={classes.label}>
        {t({ id: 'organisation.models.legend', defaultMessage: 'Models, and the default one' })}
      </legend>
      {draft.known.length === 0 ? (
        <p className="p-sm p-quiet">
          {t({
            id: 'organisation.models.fetch',
            defaultMessage: 'Test the connection to fetch the list, or add a model by its name.',
          })}
        </p>
      ) : (
        <>
          <div className={form.actions}>
            <Button variant="subtle" size="xs" onClick={() => onChange((before) => withChosen(before, before.known))}>
              {t({ id: 'organisation.models.all', defaultMessage: 'Select all' })}
            </Button>
            <Button variant="subtle" size="xs" onClick={() => onChange((before) => withChosen(before, []))}>
              {t({ id: 'organisation.models.none', defaultMessage: 'Select none' })}
            </Button>
          </div>
          <div className={classes.models}>
            {draft.known.map((model) => {
              const isChosen = draft.models.includes(model);
              return (
                <div key={model} className={classes.model}>
                  <label>
                    <input
                      type="checkbox"
                      checked={isChosen}
                      onChange={() => onChange((before) => toggleModel(before, model))}
                    />
                    <bdi dir="ltr">{model}</bdi>
                  </label>
                  <input
                    type="radio"
                    name="default-model"
                    checked={draft.defaultModel === model}
                    disabled={!isChosen}
                    aria-label={t(
                      { id: 'organisation.models.default', defaultMessage: '{model} is the default' },
                      { model },
                    )}
                    onChange={() => onChange((before) => ({ ...before, defaultModel: model }))}
                  />
                </div>
              );
            })}
          </div>
        </>
      )}
      <AddModel
        name={draft.typedModel}
        onName={(typedModel) => onChange((before) => ({ ...before, typedModel }))}
        onAdd={() => onChange(addTypedModel)}
        error={error}
      />
      <label className={classes.check}>
        <input
          type="checkbox"
          checked={draft.isDefault}
          onChange={({ currentTarget: { checked } }) => onChange((before) => ({ ...before, isDefault: checked }))}
        />
        {t({ id: 'organisation.models.newChats', defaultMessage: 'New chats start with this default model' })}
      </label>
    </fieldset>
  );
}

type AddProps = { name: string; onName: (name: string) => void; onAdd: () => void; error: ReactNode };

function AddModel({ name, onName, onAdd, error }: AddProps) {
  const { t } = useText();
  return (
    <div className={form.actions} style={{ flexWrap: 'nowrap', alignItems: 'start' }}>
      <TextInput
        name="models"
        size="xs"
        dir="ltr"
        value={name}
        style={{ flex: 1 }}
        aria-label={t({ id: 'organisation.models.name', defaultMessage: 'Name of a model' })}
        placeholder="qwen3:8b"
        error={error}
        onChange={(event) => onName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          onAdd();
        }}
      />
      <Button variant="subtle" size="xs" onClick={onAdd}>
        {t({ id: 'organisation.models.add', defaultMessage: 'Add model' })}
      </Button>
    </div>
  );
}

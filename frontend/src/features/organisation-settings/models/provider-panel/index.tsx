import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Provider } from '@parley/contracts';
import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { api, isProblem, type Answer } from '../../../../lib/http.ts';
import { newId } from '../../../../lib/new-id.ts';
import { resourceKey } from '../../../../lib/query-keys.ts';
import { useTab } from '../../../../lib/tab-organisation.tsx';
import { useText } from '../../../../lib/text.ts';
import { useServerForm } from '../../../../lib/use-server-form.ts';
import { AddressFailureNote } from '../../../../ui/address-failure.tsx';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { useActionOff } from '../../../../ui/stale.tsx';
import { useFocusOnMount } from '../../../../ui/use-focus-on-mount.ts';
import form from '../../../../ui/form.module.css';
import classes from '../../parts/organisation-settings.module.css';
import {
  createBody,
  draftOf,
  isAddress,
  isContext,
  isModelName,
  testBody,
  updateBody,
  withModels,
  type ProviderDraft,
} from '../provider-draft.ts';
import { useRefreshProviders } from '../use-refresh-providers.ts';
import { AbilityFields } from '../ability-fields.tsx';
import { EmbeddingField } from '../embedding-field.tsx';
import { KindField, ThinkingField, useKindNames } from '../kind-field.tsx';
import { KeyField } from '../key-field.tsx';
import { ModelChoice } from '../model-choice.tsx';
import { TestResult } from '../test-result.tsx';

type Props = {
  provider: Provider | null;
  /** Some provider is the default already. */
  hasDefault: boolean;
  onClose: () => void;
};

/** Add or change a provider, beside the list. */
export function ProviderPanel({ provider, hasDefault, onClose }: Props) {
  const { t } = useText();
  const { fields, submit, failure, isBusy } = useProviderForm({ provider, hasDefault, onClose });
  const draft = fields.values;
  const off = useActionOff();
  const element = useRef<HTMLFormElement>(null);
  const first = useRef<HTMLInputElement>(null);
  useFocusOnMount(first);
  const title = provider
    ? t({ id: 'organisation.panel.edit', defaultMessage: 'Change provider' })
    : t({ id: 'organisation.page.add', defaultMessage: 'Add provider' });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && onClose();
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [onClose]);
  return (
    <aside className={`p-panel ${classes.panel}`} aria-label={title}>
      <header>
        <h2 className="p-h3">{title}</h2>
        <IconButton
          icon={X}
          label={t({ id: 'organisation.panel.close', defaultMessage: 'Close without saving' })}
          onClick={onClose}
        />
      </header>
      <form ref={element} className={classes.panelBody} noValidate onSubmit={submit}>
        {provider ? <KindOf provider={provider} /> : <KindField draft={draft} change={fields.setValues} />}
        <TextInput
          name="name"
          ref={first}
          label={t({ id: 'organisation.field.name', defaultMessage: 'Name' })}
          maxLength={80}
          dir="auto"
          {...fields.getInputProps('name')}
        />
        <TextInput
          name="baseUrl"
          label={t({ id: 'organisation.field.baseUrl', defaultMessage: 'Base URL' })}
          maxLength={500}
          dir="ltr"
          placeholder="https://models.example.org/v1"
          {...fields.getInputProps('baseUrl')}
        />
        <KeyField provider={provider} draft={draft} change={fields.setValues} error={fields.errors['apiKey']} />
        {draft.kind === 'openai-compatible' ? null : <ThinkingField draft={draft} change={fields.setValues} />}
        <ConnectionTest
          provider={provider}
          draft={draft}
          onListed={(listed) => fields.setValues(withModels(fields.getValues(), listed))}
        />
        <ModelChoice
          draft={draft}
          onChange={(step) => fields.setValues(step(fields.getValues()))}
          error={fields.errors['models'] ?? fields.errors['defaultModel']}
        />
        <AbilityFields
          draft={draft}
          onChange={(step) => fields.setValues(step(fields.getValues()))}
          error={fields.errors['contexts']}
        />
        {draft.kind === 'openai-compatible' ? (
          <EmbeddingField draft={draft} change={fields.setValues} error={fields.errors['embeddingModel']} />
        ) : null}
        <AddressFailureNote failure={failure} url={draft.baseUrl} onAllowed={() => element.current?.requestSubmit()}>
          {isProblem(failure?.error, 'platform.conflict') ? (
            <div>
              {t({
                id: 'organisation.panel.conflict',
                defaultMessage: 'Close this panel and open it again to see it.',
              })}
            </div>
          ) : null}
        </AddressFailureNote>
        <div className={form.ends}>
          <Button type="submit" loading={isBusy} {...off}>
            {draft.isKeyRemoved
              ? t({ id: 'organisation.panel.saveWithoutKey', defaultMessage: 'Save and erase key' })
              : provider
                ? t({ id: 'organisation.panel.save', defaultMessage: 'Save provider' })
                : t({ id: 'organisation.page.add', defaultMessage: 'Add provider' })}
          </Button>
          <Button variant="subtle" onClick={onClose}>
            {t({ id: 'organisation.panel.cancel', defaultMessage: 'Cancel' })}
          </Button>
        </div>
      </form>
    </aside>
  );
}

/** It never changes: said, not offered. */
function KindOf({ provider }: { provider: Provider }) {
  return <p className="p-sm p-quiet">{useKindNames()[provider.kind]}</p>;
}

type TestProps = {
  provider: Provider | null;
  draft: ProviderDraft;
  onListed: (listed: Answer<'POST /api/chat/providers/test'>) => void;
};

/** Tries what stands in the fields; its result is shown while they still say the same. */
function ConnectionTest({ provider, draft, onListed }: TestProps) {
  const { t } = useText();
  const off = useActionOff();
  const orgId = useTab().organisation.id;
  const test = useMutation({
    mutationFn: (tested: ProviderDraft) =>
      api('POST /api/chat/providers/test', { orgId, body: testBody(tested, provider) }),
    onSuccess: (listed) => listed.models.length > 0 && onListed(listed),
  });
  const isOfDraft = (['kind', 'baseUrl', 'apiKey', 'isKeyRemoved', 'thinks'] as const).every(
    (field) => test.variables?.[field] === draft[field],
  );
  return (
    <>
      <div className={form.actions}>
        <Button
          variant="default"
          size="xs"
          disabled={!isAddress(draft.baseUrl)}
          loading={test.isPending}
          onClick={() => test.mutate(draft)}
          {...off}
        >
          {t({ id: 'organisation.panel.test', defaultMessage: 'Test connection' })}
        </Button>
        {isAddress(draft.baseUrl) ? null : (
          <span className="p-meta">
            {t({ id: 'organisation.panel.testNeeds', defaultMessage: 'It needs the base URL.' })}
          </span>
        )}
      </div>
      {isOfDraft ? <TestResult test={test} hasStoredKey={provider?.keyHint != null} /> : null}
    </>
  );
}

function useProviderForm({ provider, hasDefault, onClose }: Props) {
  const { t } = useText();
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  const refresh = useRefreshProviders();
  const [id] = useState(() => newId('provider'));
  return useServerForm({
    initialValues: draftOf(provider, hasDefault),
    validate: {
      name: (name) =>
        name.trim() === ''
          ? t({ id: 'organisation.check.name', defaultMessage: 'Enter a name that members will see in the picker.' })
          : null,
      baseUrl: (address) =>
        isAddress(address)
          ? null
          : t({
              id: 'organisation.check.baseUrl',
              defaultMessage: 'Enter the address of a model server, beginning with http:// or https://.',
            }),
      embeddingModel: (name) =>
        name.trim() === '' || isModelName(name)
          ? null
          : t({ id: 'organisation.check.modelName', defaultMessage: 'The name of a model has no spaces.' }),
      contexts: (contexts, { models }) =>
        models.every((model) => isContext(contexts[model] ?? ''))
          ? null
          : t({
              id: 'organisation.check.contexts',
              defaultMessage: 'A context length is a whole number from 1000 to 20000000, without dots or commas.',
            }),
      models: (models, { typedModel, known }) => {
        if (models.length > 0 || isModelName(typedModel)) return null;
        if (typedModel.trim() !== '')
          return t({ id: 'organisation.check.modelName', defaultMessage: 'The name of a model has no spaces.' });
        return known.length > 0
          ? t({ id: 'organisation.check.models', defaultMessage: 'No model is chosen yet. Tick at least one.' })
          : t({
              id: 'organisation.check.noModels',
              defaultMessage: 'A model is missing. Test the connection to fetch the list, or enter the name of one.',
            });
      },
    },
    send: (draft) =>
      provider
        ? api('PATCH /api/chat/providers/:providerId', {
            orgId,
            params: { providerId: provider.id },
            body: updateBody(draft, provider.version),
          })
        : api('POST /api/chat/providers', { orgId, body: createBody(draft, id), retries: 2 }),
    onSent: async () => {
      onClose();
      await refresh();
    },
    onRefused: (error) =>
      isProblem(error, 'platform.conflict') &&
      void client.invalidateQueries({ queryKey: resourceKey('providers', orgId) }),
  });
}

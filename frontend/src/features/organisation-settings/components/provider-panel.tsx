import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Provider } from '@parley/contracts';
import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { isProblem } from '../../../lib/http.ts';
import { newId } from '../../../lib/new-id.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { orgKey, useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { useFocusOnMount } from '../../../ui/use-focus-on-mount.ts';
import { Note } from '../../../ui/note.tsx';
import form from '../../../ui/form.module.css';
import { patchProvider, postProvider, postProviderTest } from '../api/providers.ts';
import classes from '../organisation-settings.module.css';
import {
  createBody,
  draftOf,
  faultsOf,
  isAddress,
  testBody,
  updateBody,
  withModels,
  type ProviderDraft,
} from '../provider-draft.ts';
import { KeyField } from './key-field.tsx';
import { ModelChoice } from './model-choice.tsx';
import { TestResult } from './test-result.tsx';

type Props = { provider: Provider | null; onClose: () => void };

/** Add or change a provider, beside the list. */
export function ProviderPanel({ provider, onClose }: Props) {
  const { t } = useText();
  const [draft, setDraft] = useState(() => draftOf(provider));
  const [isChecked, setChecked] = useState(false);
  const { save, test } = useProviderCommands({ provider, draft, setDraft, onClose });
  const off = useActionOff();
  const panel = useRef<HTMLElement>(null);
  const first = useRef<HTMLInputElement>(null);
  useFocusOnMount(first);
  const change = (part: Partial<ProviderDraft>) => [
    setDraft((before) => ({ ...before, ...part })),
    save.reset(),
    part.isDefault === undefined && test.reset(),
  ];
  const faults = faultsOf(draft);
  const submit = () => {
    setChecked(true);
    if (faults.length === 0) return save.mutate();
    panel.current?.querySelector<HTMLInputElement>(`[name="${faults[0]}"]`)?.focus();
  };
  const title = provider
    ? t({ id: 'organisation.panel.edit', defaultMessage: 'Change provider' })
    : t({ id: 'organisation.page.add', defaultMessage: 'Add provider' });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && onClose();
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [onClose]);
  return (
    <aside ref={panel} className={classes.panel} aria-label={title}>
      <header className={classes.panelHead}>
        <h2 className="p-h3">{title}</h2>
        <IconButton
          icon={X}
          label={t({ id: 'organisation.panel.close', defaultMessage: 'Close without saving' })}
          onClick={onClose}
        />
      </header>
      <form className={classes.panelBody} noValidate onSubmit={(event) => [event.preventDefault(), submit()]}>
        <TextInput
          name="name"
          ref={first}
          label={t({ id: 'organisation.field.name', defaultMessage: 'Name' })}
          value={draft.name}
          maxLength={80}
          dir="auto"
          onChange={(event) => change({ name: event.currentTarget.value })}
          error={
            isChecked && faults.includes('name')
              ? t({
                  id: 'organisation.check.name',
                  defaultMessage: 'Enter a name that members will see in the picker.',
                })
              : undefined
          }
        />
        <TextInput
          name="baseUrl"
          label={t({ id: 'organisation.field.baseUrl', defaultMessage: 'Base URL' })}
          value={draft.baseUrl}
          maxLength={500}
          dir="ltr"
          placeholder="https://models.example.org/v1"
          onChange={(event) => change({ baseUrl: event.currentTarget.value })}
          error={
            isChecked && faults.includes('baseUrl')
              ? t({
                  id: 'organisation.check.baseUrl',
                  defaultMessage:
                    'Enter the address of an OpenAI-compatible server, beginning with http:// or https://.',
                })
              : undefined
          }
        />
        <KeyField provider={provider} draft={draft} change={change} />
        <ConnectionTest address={draft.baseUrl} test={test} />
        <ModelChoice draft={draft} onChange={setDraft} isMissing={isChecked && faults.includes('models')} />
        <SaveFailure error={save.error} />
        <div className={form.actions}>
          <Button type="submit" loading={save.isPending} {...off}>
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

function ConnectionTest({ address, test }: { address: string; test: ReturnType<typeof useProviderCommands>['test'] }) {
  const { t } = useText();
  const off = useActionOff();
  return (
    <>
      <div className={form.actions}>
        <Button
          variant="default"
          size="xs"
          disabled={!isAddress(address)}
          loading={test.isPending}
          onClick={() => test.mutate()}
          {...off}
        >
          {t({ id: 'organisation.panel.test', defaultMessage: 'Test connection' })}
        </Button>
        {isAddress(address) ? null : (
          <span className="p-meta">
            {t({ id: 'organisation.panel.testNeeds', defaultMessage: 'It needs the base URL.' })}
          </span>
        )}
      </div>
      <TestResult test={test} />
    </>
  );
}

function SaveFailure({ error }: { error: unknown }) {
  const { t } = useText();
  const describe = useProblemText();
  if (!error) return null;
  const detail = isProblem(error, 'platform.invalid-request')
    ? error.problem.errors?.map(({ path, message }) => `${path}: ${message}`).join(', ')
    : undefined;
  return (
    <Note kind="danger" isAlert>
      {describe(error).text}
      {detail ? (
        <div className="p-mono" dir="ltr">
          {detail}
        </div>
      ) : null}
      {isProblem(error, 'platform.conflict') ? (
        <div>
          {t({ id: 'organisation.panel.conflict', defaultMessage: 'Close this panel and open it again to see it.' })}
        </div>
      ) : null}
    </Note>
  );
}

type Commanded = Props & { draft: ProviderDraft; setDraft: (step: (before: ProviderDraft) => ProviderDraft) => void };

function useProviderCommands({ provider, draft, setDraft, onClose }: Commanded) {
  const client = useQueryClient();
  const { organisation } = useTab();
  const [id] = useState(() => newId('provider'));
  const save = useMutation({
    mutationFn: () =>
      provider
        ? patchProvider(organisation.id, provider.id, updateBody(draft, provider.version))
        : postProvider(organisation.id, createBody(draft, id)),
    onSuccess: async () => {
      onClose();
      await Promise.all(
        ['providers', 'provider-offers', 'models'].map((part) =>
          client.invalidateQueries({ queryKey: orgKey(organisation.id, part) }),
        ),
      );
    },
    onError: (error) =>
      isProblem(error, 'platform.conflict') &&
      client.invalidateQueries({ queryKey: orgKey(organisation.id, 'providers') }),
  });
  const test = useMutation({
    mutationFn: () => postProviderTest(organisation.id, testBody(draft, provider)),
    onSuccess: (result) => result.models.length > 0 && setDraft((before) => withModels(before, result.models)),
  });
  return { save, test };
}

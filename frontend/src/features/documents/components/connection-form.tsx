import { Button, NativeSelect, TextInput } from '@mantine/core';
import type { Audience, Connection } from '@parley/contracts';
import { useRef, useState } from 'react';
import { api, isProblem } from '../../../lib/http.ts';
import { newId } from '../../../lib/new-id.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useServerForm } from '../../../lib/use-server-form.ts';
import { AddressFailureNote } from '../../../ui/address-failure.tsx';
import { AudienceField } from '../../../domain/audience/audience-field.tsx';
import form from '../../../ui/form.module.css';
import { Segments } from '../../../ui/segments.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { addressOf, draftOf, folderOf, isFine, sourceOf, type SourceDraft } from '../connection-draft.ts';
import { useScheduleNames, useSourceNames } from '../connection-words.ts';
import { useRefresh } from '../use-connections.ts';
import { DryRun } from './dry-run.tsx';
import { SourceFields } from './source-fields.tsx';

type Props = {
  /** Null for a new one. */
  connection: Connection | null;
  onDone: (connection: Connection) => void;
  onClose: () => void;
};
type Values = SourceDraft & { name: string; schedule: Connection['schedule'] };

/** Where documents come from, who may read them and how often; tried before it begins. */
export function ConnectionForm({ connection, onDone, onClose }: Props) {
  const { t } = useText();
  const off = useActionOff();
  const kinds = useSourceNames();
  const schedules = useScheduleNames();
  const { fields, audience, setAudience, submit, failure, isBusy } = useSave(connection, onDone);
  const element = useRef<HTMLFormElement>(null);
  const draft = fields.getValues();
  const isUpload = draft.kind === 'upload';
  return (
    <form ref={element} className={form.form} noValidate onSubmit={submit}>
      {connection ? null : (
        <Segments
          label={t({ id: 'documents.form.source', defaultMessage: 'Where the documents come from' })}
          options={(['web', 'bucket', 'upload'] as const).map((value) => ({ value, label: kinds[value] }))}
          value={draft.kind}
          onChange={(kind) => fields.setFieldValue('kind', kind)}
        />
      )}
      <TextInput
        data-first
        name="name"
        dir="auto"
        label={t({ id: 'documents.form.name', defaultMessage: 'Name' })}
        maxLength={80}
        {...fields.getInputProps('name')}
      />
      <SourceFields
        draft={draft}
        inputProps={(name) => fields.getInputProps(name)}
        hasSecret={connection?.source.kind === 'bucket'}
      />
      <AudienceField
        label={t({ id: 'documents.form.readers', defaultMessage: 'Who can read it' })}
        value={audience}
        onChange={setAudience}
      />
      {isUpload ? null : (
        <NativeSelect
          name="schedule"
          label={t({ id: 'documents.form.schedule', defaultMessage: 'Synced' })}
          data={(['manual', 'hourly', 'daily', 'weekly'] as const).map((value) => ({ value, label: schedules[value] }))}
          {...fields.getInputProps('schedule')}
        />
      )}
      <DryRun draft={draft} connectionId={connection?.id ?? null} isReady={() => !fields.validate().hasErrors} />
      <AddressFailureNote
        failure={failure}
        url={addressOf(sourceOf(draft))}
        onAllowed={() => element.current?.requestSubmit()}
      />
      <div className={form.ends}>
        <Button type="submit" loading={isBusy} {...off}>
          {connection
            ? t({ id: 'documents.form.save', defaultMessage: 'Save changes' })
            : isUpload
              ? t({ id: 'documents.form.create', defaultMessage: 'Make connection' })
              : t({ id: 'documents.form.begin', defaultMessage: 'Start the sync' })}
        </Button>
        <Button variant="subtle" onClick={onClose}>
          {t({ id: 'documents.form.cancel', defaultMessage: 'Cancel' })}
        </Button>
      </div>
    </form>
  );
}

function useSave(connection: Connection | null, onDone: (connection: Connection) => void) {
  const orgId = useTab().organisation.id;
  const refresh = useRefresh();
  const [id] = useState(() => newId('connection'));
  const [audience, setAudience] = useState<Audience>(connection?.audience ?? { kind: 'everybody' });
  const validate = useValidation(connection);
  const saving = useServerForm<Values, Connection>({
    initialValues: { ...draftOf(connection), name: connection?.name ?? '', schedule: connection?.schedule ?? 'daily' },
    validate,
    send: ({ name, schedule, ...draft }) => {
      const given = { name: name.trim(), audience, schedule, ...(draft.secret && { secret: draft.secret }) };
      const source = sourceOf(draft);
      if (!connection) return api('POST /api/chat/connections', { orgId, body: { id, source, ...given }, retries: 2 });
      const isSame = JSON.stringify(source) === JSON.stringify(sourceOf(draftOf(connection)));
      return api('PATCH /api/chat/connections/:connectionId', {
        orgId,
        params: { connectionId: connection.id },
        body: { version: connection.version, ...given, ...((!isSame || draft.secret) && { source }) },
      });
    },
    onSent: async (saved) => {
      await refresh();
      onDone(saved);
    },
    onRefused: (error) => {
      if (isProblem(error, 'platform.conflict')) void refresh();
    },
  });
  return { ...saving, audience, setAudience };
}

function useValidation(connection: Connection | null) {
  const { t } = useText();
  const address = t({
    id: 'documents.form.addressWrong',
    defaultMessage: 'Write it with https:// or http:// in front.',
  });
  const below = t({
    id: 'documents.form.belowWrong',
    defaultMessage: 'The start has to lie at this path or below it.',
  });
  const missing = t({ id: 'documents.form.missing', defaultMessage: 'It is needed.' });
  const wrongUnless = (isRight: boolean, words: string) => (isRight ? null : words);
  return {
    name: (value: string) =>
      wrongUnless(value.trim() !== '', t({ id: 'documents.form.nameMissing', defaultMessage: 'Give it a name.' })),
    address: (value: string, { kind }: Values) => wrongUnless(kind !== 'web' || isFine.address(value.trim()), address),
    below: (value: string, { kind, start, address: from }: Values) =>
      wrongUnless(
        kind !== 'web' || start === 'sitemap' || value.trim() === '' || folderOf(`${from}/`).startsWith(value.trim()),
        below,
      ),
    depth: (value: string, { kind }: Values) =>
      wrongUnless(
        kind !== 'web' || isFine.depth(value),
        t({ id: 'documents.form.depthWrong', defaultMessage: 'A number from 0 to 10.' }),
      ),
    pages: (value: string, { kind }: Values) =>
      wrongUnless(
        kind !== 'web' || isFine.pages(value),
        t({ id: 'documents.form.pagesWrong', defaultMessage: 'A number from 1 to 5,000.' }),
      ),
    endpoint: (value: string, { kind }: Values) =>
      wrongUnless(kind !== 'bucket' || isFine.address(value.trim()), address),
    bucket: (value: string, { kind }: Values) =>
      wrongUnless(
        kind !== 'bucket' || isFine.bucket(value),
        t({ id: 'documents.form.bucketWrong', defaultMessage: 'Small letters, digits, dots and hyphens.' }),
      ),
    accessKeyId: (value: string, { kind }: Values) =>
      wrongUnless(kind !== 'bucket' || isFine.accessKeyId(value), missing),
    secret: (value: string, { kind }: Values) =>
      wrongUnless(kind !== 'bucket' || value !== '' || connection !== null, missing),
  };
}

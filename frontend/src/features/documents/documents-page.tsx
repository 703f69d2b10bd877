import { Button } from '@mantine/core';
import { Database, Upload as UploadIcon } from 'lucide-react';
import { useRef, type RefObject } from 'react';
import { useRight } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { useList } from '../../lib/use-list.ts';
import { ListView } from '../../ui/list-view.tsx';
import { LiveChip } from '../../ui/live-chip.tsx';
import { Page } from '../../ui/page.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { useActionOff } from '../../ui/stale.tsx';
import { DocumentTable } from './components/document-table.tsx';
import { DropArea } from './components/drop-area.tsx';
import { FilterBar } from './components/filter-bar.tsx';
import { UploadList } from './components/upload-list.tsx';
import { acceptedEndings, useUploads } from './uploads.ts';

const statuses = ['stored', 'reading', 'searchable', 'failed'] as const;

export function DocumentsPage() {
  const { t } = useText();
  const mayManage = useRight('data_connection:manage');
  const off = useActionOff();
  const { uploads, add, remove, retry } = useUploads();
  const input = useRef<HTMLInputElement>(null);
  const title = t({ id: 'documents.page.title', defaultMessage: 'Data connections' });
  const upload = mayManage ? (
    <Button leftSection={<UploadIcon size={16} strokeWidth={1.75} />} onClick={() => input.current?.click()} {...off}>
      {t({ id: 'documents.page.upload', defaultMessage: 'Upload files' })}
    </Button>
  ) : null;
  return (
    <Page
      title={title}
      documentTitle={title}
      actions={
        <>
          <LiveChip />
          {upload}
        </>
      }
    >
      <DropArea isActive={mayManage && !off} onFiles={add}>
        <FileInput input={input} onFiles={add} />
        <UploadList uploads={uploads} onRemove={remove} onRetry={retry} />
        <Documents hasUploads={uploads.length > 0} onUpload={mayManage && !off ? () => input.current?.click() : null} />
      </DropArea>
    </Page>
  );
}

function FileInput({
  input,
  onFiles,
}: {
  input: RefObject<HTMLInputElement | null>;
  onFiles: (files: Iterable<File>) => void;
}) {
  const { t } = useText();
  return (
    <input
      ref={input}
      type="file"
      multiple
      hidden
      accept={acceptedEndings.join(',')}
      aria-label={t({ id: 'documents.page.upload', defaultMessage: 'Upload files' })}
      onChange={(event) => {
        onFiles([...(event.currentTarget.files ?? [])]);
        event.currentTarget.value = '';
      }}
    />
  );
}

function Documents({ hasUploads, onUpload }: { hasUploads: boolean; onUpload: (() => void) | null }) {
  const { t } = useText();
  const list = useList('GET /api/chat/documents', { filters: { name: 'text', status: statuses } });
  const { filters, setFilters, first, isFiltered, isComplete } = list;
  const counts = first?.counts ?? { all: 0, searchable: 0, failed: 0 };
  const shown = list.items?.length ?? 0;
  return (
    <ListView
      list={list}
      loading={t({ id: 'documents.page.loading', defaultMessage: 'The documents are loading' })}
      failed={t({ id: 'documents.page.failed', defaultMessage: 'The documents could not be loaded' })}
      empty={hasUploads ? null : <NoDocuments onUpload={onUpload} />}
      filtering={{
        bar: <FilterBar filter={filters} onChange={setFilters} counts={counts} />,
        none: t({ id: 'documents.filter.none', defaultMessage: 'No document matches' }),
        about: t({
          id: 'documents.filter.noneText',
          defaultMessage: 'The name filter looks at the beginnings of words.',
        }),
        clear: () => setFilters({ name: null, status: null }),
      }}
      foot={
        isFiltered && isComplete
          ? t(
              { id: 'documents.foot.filtered', defaultMessage: '{shown, number} of {count, number} that match' },
              { shown, count: counts.all },
            )
          : t(
              {
                id: 'documents.foot.all',
                defaultMessage: '{shown, number} of {count, plural, one {# document} other {# documents}}',
              },
              { shown, count: counts.all },
            )
      }
    >
      {(items) => <DocumentTable items={items} />}
    </ListView>
  );
}

function NoDocuments({ onUpload }: { onUpload: (() => void) | null }) {
  const { t } = useText();
  return (
    <StateView
      icon={Database}
      title={t({ id: 'documents.empty.title', defaultMessage: 'No documents yet' })}
      actions={
        onUpload ? (
          <Button size="xs" variant="default" onClick={onUpload}>
            {t({ id: 'documents.empty.upload', defaultMessage: 'Choose files' })}
          </Button>
        ) : null
      }
    >
      {onUpload
        ? t({
            id: 'documents.empty.text',
            defaultMessage:
              'Answers quote what you upload here. Drop Markdown, text or HTML files on this page, up to 25 MB each.',
          })
        : t({
            id: 'documents.empty.readOnly',
            defaultMessage: 'An owner or admin of the organisation can upload documents; answers then quote them.',
          })}
    </StateView>
  );
}

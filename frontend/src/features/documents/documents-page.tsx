import { Button } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Database, SearchX, Upload as UploadIcon } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, type RefObject } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useLiveEvent } from '../../lib/live.tsx';
import { useRight, useTab } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { FailureView, NoPermissionView } from '../../ui/failure-view.tsx';
import { ListEdge } from '../../ui/list-edge.tsx';
import { LiveChip } from '../../ui/live-chip.tsx';
import { Page } from '../../ui/page.tsx';
import { SkeletonRows, StateView } from '../../ui/state-view.tsx';
import { useActionOff } from '../../ui/stale.tsx';
import table from '../../ui/table.module.css';
import { documentsKey, documentsQuery, type DocumentFilter } from './api/documents.ts';
import { DocumentTable } from './components/document-table.tsx';
import { DropArea } from './components/drop-area.tsx';
import { FilterBar } from './components/filter-bar.tsx';
import { UploadList } from './components/upload-list.tsx';
import { acceptedEndings, useUploads } from './uploads.ts';

const statuses = ['stored', 'reading', 'searchable', 'failed'] as const;
const changesPauseMs = 400;

export function DocumentsPage() {
  const { t } = useText();
  const mayRead = useRight('data_connection:read');
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
      {mayRead ? (
        <DropArea isActive={mayManage && !off} onFiles={add}>
          <FileInput input={input} onFiles={add} />
          <UploadList uploads={uploads} onRemove={remove} onRetry={retry} />
          <Documents
            hasUploads={uploads.length > 0}
            onUpload={mayManage && !off ? () => input.current?.click() : null}
          />
        </DropArea>
      ) : (
        <NoPermissionView />
      )}
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

/** Filters stand in the address, so a view can be sent. */
function useFilter(): readonly [DocumentFilter, (part: Partial<DocumentFilter>) => void] {
  const [search, setSearch] = useSearchParams();
  const name = search.get('name') ?? '';
  const status = statuses.find((known) => known === search.get('status')) ?? null;
  const filter = useMemo(() => ({ name, status }), [name, status]);
  const change = useCallback(
    (part: Partial<DocumentFilter>) =>
      setSearch(
        (before) => {
          for (const [key, value] of Object.entries(part)) {
            if (value) before.set(key, value);
            else before.delete(key);
          }
          return before;
        },
        { replace: true },
      ),
    [setSearch],
  );
  return [filter, change];
}

function Documents({ hasUploads, onUpload }: { hasUploads: boolean; onUpload: (() => void) | null }) {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const [filter, setFilter] = useFilter();
  const { data, error, refetch, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } =
    useInfiniteQuery(documentsQuery(orgId, filter));
  useListUpdates();
  if (error && !data)
    return (
      <FailureView
        title={t({ id: 'documents.page.failed', defaultMessage: 'The documents could not be loaded' })}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  if (!data)
    return <SkeletonRows label={t({ id: 'documents.page.loading', defaultMessage: 'The documents are loading' })} />;
  const items = data.pages.flatMap((page) => page.items);
  const counts = data.pages[0]?.counts ?? { all: 0, searchable: 0, failed: 0 };
  const isFiltered = filter.name !== '' || filter.status !== null;
  if (counts.all === 0 && !isFiltered) return hasUploads ? null : <NoDocuments onUpload={onUpload} />;
  const rest = hasNextPage ? () => void fetchNextPage() : null;
  return (
    <>
      <FilterBar filter={filter} onChange={setFilter} counts={counts} />
      {items.length === 0 ? (
        <StateView
          icon={SearchX}
          title={t({ id: 'documents.filter.none', defaultMessage: 'No document matches' })}
          actions={
            <Button variant="default" size="xs" onClick={() => setFilter({ name: '', status: null })}>
              {t({ id: 'documents.filter.clear', defaultMessage: 'Clear filters' })}
            </Button>
          }
        >
          {t({ id: 'documents.filter.noneText', defaultMessage: 'The name filter looks at the beginnings of words.' })}
        </StateView>
      ) : (
        <>
          <DocumentTable items={items} />
          <div className={table.more}>
            <ListEdge onMore={rest} isLoading={isFetchingNextPage} hasFailed={isFetchNextPageError} />
          </div>
        </>
      )}
      {items.length > 0 ? (
        <p className={table.foot}>
          {isFiltered && rest === null
            ? t(
                { id: 'documents.foot.filtered', defaultMessage: '{shown, number} of {count, number} that match' },
                { shown: items.length, count: counts.all },
              )
            : t(
                {
                  id: 'documents.foot.all',
                  defaultMessage: '{shown, number} of {count, plural, one {# document} other {# documents}}',
                },
                { shown: items.length, count: counts.all },
              )}
        </p>
      ) : null}
    </>
  );
}

/** A folder of files sends a change for each: all of a short while are one read of the loaded pages. */
function useListUpdates(): void {
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const refresh = useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void client.invalidateQueries({ queryKey: documentsKey(orgId) });
    }, changesPauseMs);
  }, [client, orgId]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  useLiveEvent('document.changed', refresh);
  useLiveEvent('connected', refresh);
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

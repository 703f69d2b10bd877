import { Button } from '@mantine/core';
import type { Connection, Document } from '@parley/contracts';
import { Plus, Upload as UploadIcon } from 'lucide-react';
import { useRef, useState, type ReactNode, type RefObject } from 'react';
import { useRight } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { useUrlFilters } from '../../lib/url-filters.ts';
import { FailureView } from '../../ui/failure-view.tsx';
import { LivePage } from '../../ui/page.tsx';
import { SideBySide, SidePanel } from '../../ui/side-panel.tsx';
import { SkeletonRows } from '../../ui/state-view.tsx';
import { useActionOff } from '../../ui/stale.tsx';
import table from '../../ui/table.module.css';
import { ConnectionForm } from './components/connection-form.tsx';
import { ConnectionTable } from './components/connection-table.tsx';
import { DocumentList } from './components/document-list.tsx';
import { StorageLine } from './components/storage-line.tsx';
import { DropArea } from './components/drop-area.tsx';
import { OpenDocument } from './components/open-document.tsx';
import { UploadedNote } from './components/uploaded-note.tsx';
import { UploadList } from './components/upload-list.tsx';
import { ConnectionPage } from './connection-page.tsx';
import type { UploadParts } from './upload-parts.ts';
import { acceptedEndings, useUploads } from './uploads.ts';
import { asConnectionId, asDocumentId, useConnections } from './use-connections.ts';

/** An organisation's data connections, or the one that stands in the address. Files can be dropped on either. */
export function DocumentsPage() {
  const mayManage = useRight('data_connection:manage');
  const off = useActionOff();
  const [{ connection: named, document: read }, setUrl] = useUrlFilters({
    connection: 'text',
    document: 'text',
    name: 'text',
    status: 'text',
  });
  const connections = useConnections();
  const wanted = asConnectionId(named);
  const open = connections.data?.items.find(({ id }) => id === wanted) ?? null;
  const { uploads, sent, add, remove, retry } = useUploads(open?.source.kind === 'upload' ? open.id : null);
  const input = useRef<HTMLInputElement>(null);
  const newerInput = useRef<HTMLInputElement>(null);
  const [replaced, setReplaced] = useState<Document | null>(null);
  const takesFiles = mayManage && (open === null || open.source.kind === 'upload');
  const show = (id: string | null) => setUrl({ connection: id, document: null, name: null, status: null });
  const isSending = uploads.some(({ state }) => state === 'waiting' || state === 'sending');
  const list = (
    <>
      <UploadList uploads={uploads} onRemove={remove} onRetry={retry} />
      {sent > 0 && !isSending ? <UploadedNote count={sent} /> : null}
    </>
  );
  const readId = asDocumentId(read);
  const reader = readId ? <OpenDocument key={readId} id={readId} onClose={() => setUrl({ document: null })} /> : null;
  const upload = takesFiles
    ? {
        button: <UploadButton onClick={() => input.current?.click()} />,
        list,
        isBusy: uploads.length > 0,
        onChoose: () => input.current?.click(),
        onReplace: (document: Document) => {
          setReplaced(document);
          newerInput.current?.click();
        },
      }
    : null;
  return (
    <DropArea isActive={takesFiles && !off} onFiles={add}>
      <FileInput input={input} isForMany onFiles={add} />
      <FileInput input={newerInput} isForMany={false} onFiles={(files) => add(files, replaced)} />
      {open ? (
        <ConnectionPage
          key={open.id}
          connection={open}
          mayManage={mayManage}
          onBack={() => show(null)}
          upload={upload}
          reader={reader}
        />
      ) : (
        <AllConnections
          connections={connections}
          mayManage={mayManage}
          upload={upload}
          reader={reader}
          onOpen={(id) => show(id)}
        />
      )}
    </DropArea>
  );
}

type AllProps = {
  connections: ReturnType<typeof useConnections>;
  mayManage: boolean;
  upload: UploadParts | null;
  /** The document that is open. */
  reader: ReactNode;
  onOpen: (id: string) => void;
};

function AllConnections({ connections, mayManage, upload, reader, onOpen }: AllProps) {
  const { t } = useText();
  const off = useActionOff();
  const [isAdding, setAdding] = useState(false);
  const { data, error, refetch } = connections;
  const title = t({ id: 'documents.page.title', defaultMessage: 'Data connections' });
  const add = t({ id: 'documents.page.add', defaultMessage: 'Add connection' });
  return (
    <LivePage
      title={title}
      actions={
        <>
          {mayManage ? (
            <Button variant="default" leftSection={<Plus />} onClick={() => setAdding(true)} {...off}>
              {add}
            </Button>
          ) : null}
          {upload?.button}
        </>
      }
    >
      <SideBySide
        panel={
          isAdding ? (
            <SidePanel title={add} isForm onClose={() => setAdding(false)}>
              <ConnectionForm connection={null} onDone={({ id }) => onOpen(id)} onClose={() => setAdding(false)} />
            </SidePanel>
          ) : (
            reader
          )
        }
      >
        {upload?.list}
        {data ? (
          <>
            <Connections items={data.items} upload={upload} isOff={off !== null} />
            {data.storage ? <StorageLine {...data.storage} /> : null}
          </>
        ) : error ? (
          <FailureView
            title={t({
              id: 'documents.connections.failed',
              defaultMessage: 'The data connections could not be loaded',
            })}
            error={error}
            onRetry={() => void refetch()}
          />
        ) : (
          <SkeletonRows
            label={t({ id: 'documents.connections.loading', defaultMessage: 'The data connections are loading' })}
          />
        )}
      </SideBySide>
    </LivePage>
  );
}

type ListProps = { items: readonly Connection[]; upload: UploadParts | null; isOff: boolean };

/** While there is only what is uploaded, its documents stand right below. */
function Connections({ items, upload, isOff }: ListProps) {
  const { t } = useText();
  const [only] = items;
  const isAlone = items.length === 1 && only?.source.kind === 'upload';
  return (
    <>
      <ConnectionTable items={items} />
      {isAlone ? (
        <DocumentList
          connection={only}
          hasUploads={upload?.isBusy ?? false}
          onUpload={upload && !isOff ? upload.onChoose : null}
          onReplace={upload?.onReplace ?? null}
        />
      ) : (
        <p className={table.foot}>
          {t(
            {
              id: 'documents.connections.foot',
              defaultMessage:
                '{count, plural, =0 {No connections that you can read} one {# connection} other {# connections}} · {documents, plural, one {# document} other {# documents}}',
            },
            { count: items.length, documents: items.reduce((sum, { documents }) => sum + documents.all, 0) },
          )}
        </p>
      )}
    </>
  );
}

function UploadButton({ onClick }: { onClick: () => void }) {
  const { t } = useText();
  const off = useActionOff();
  return (
    <Button leftSection={<UploadIcon />} onClick={onClick} {...off}>
      {t({ id: 'documents.page.upload', defaultMessage: 'Upload files' })}
    </Button>
  );
}

function FileInput({
  input,
  isForMany,
  onFiles,
}: {
  input: RefObject<HTMLInputElement | null>;
  isForMany: boolean;
  onFiles: (files: Iterable<File>) => void;
}) {
  const { t } = useText();
  return (
    <input
      ref={input}
      type="file"
      multiple={isForMany}
      hidden
      accept={acceptedEndings.join(',')}
      aria-label={
        isForMany
          ? t({ id: 'documents.page.upload', defaultMessage: 'Upload files' })
          : t({ id: 'documents.page.newer', defaultMessage: 'Upload a newer version' })
      }
      onChange={(event) => {
        onFiles([...(event.currentTarget.files ?? [])]);
        event.currentTarget.value = '';
      }}
    />
  );
}

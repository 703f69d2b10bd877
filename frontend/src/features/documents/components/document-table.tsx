import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { Document } from '@parley/contracts';
import { keepDeletedDays } from '@parley/contracts/names';
import { FileText, FileUp, RotateCw, Trash2 } from 'lucide-react';
import { memo, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { useFormats } from '../../../lib/formats.ts';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useRight, useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { cutName } from '../../../ui/cut-name.tsx';
import { DownloadButton } from '../../../domain/document/download-button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { ListTable, Status } from '../../../ui/list-table.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import table from '../../../ui/table.module.css';
import { useErrorToast } from '../../../ui/error-toast.ts';
import { useToast } from '../../../ui/toast.tsx';
import { isFlaw, useFailureReasons } from '../../../domain/document/failure-reasons.ts';
import { UnreadAttachments } from './unread-attachments.tsx';
import { shapeOfStatus, useStatusNames } from './status-names.ts';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import classes from './documents.module.css';

const dayMs = 86_400_000;

type OnReplace = ((document: Document) => void) | null;

export function DocumentTable({ items, onReplace }: { items: readonly Document[]; onReplace: OnReplace }) {
  const { t } = useText();
  const columns = [
    { key: 'name', label: t({ id: 'documents.column.name', defaultMessage: 'Document' }) },
    { key: 'state', label: t({ id: 'documents.column.state', defaultMessage: 'State' }) },
    { key: 'passages', label: t({ id: 'documents.column.passages', defaultMessage: 'Passages' }), isFigure: true },
    { key: 'size', label: t({ id: 'documents.column.size', defaultMessage: 'Size' }), isFigure: true },
    { key: 'asOf', label: t({ id: 'documents.column.asOf', defaultMessage: 'As of' }) },
    { key: 'actions', label: t({ id: 'documents.column.actions', defaultMessage: 'Actions' }), isHidden: true },
  ];
  return (
    <ListTable
      columns={columns}
      items={items}
      cells={(document) => <Cells document={document} onReplace={onReplace} />}
    />
  );
}

const Cells = memo(function Cells({ document, onReplace }: { document: Document; onReplace: OnReplace }) {
  const { t } = useText();
  const { number, size, ago, exact } = useFormats();
  return (
    <>
      <td className={classes.whole}>
        <span className={`${table.named} ${classes.document}`}>
          <FileText size={18} className={classes.icon} />
          <span>
            <DocumentName document={document} />
            {document.address === null ? (
              <span className={table.second}>
                {t({ id: 'documents.row.by', defaultMessage: 'Upload by {name}' }, { name: document.uploadedBy })}
              </span>
            ) : (
              <bdi dir="ltr" className={`p-one-line ${table.second} p-mono ${classes.address}`}>
                {shortOf(document.address)}
              </bdi>
            )}
          </span>
        </span>
      </td>
      <td className={classes.whole}>
        <State document={document} />
      </td>
      <td
        className={`${table.figure} ${classes.fact}`}
        data-label={t({ id: 'documents.column.passages', defaultMessage: 'Passages' })}
      >
        {document.passageCount > 0 ? number(document.passageCount) : '—'}
      </td>
      <td className={`${table.figure} ${classes.oneLine} ${classes.fact}`}>
        {document.bytes > 0 ? <bdi>{size(document.bytes)}</bdi> : '—'}
      </td>
      <td className={`${table.quiet} ${classes.oneLine} ${classes.fact}`} title={exact(document.asOf)}>
        {ago(document.asOf)}
      </td>
      <td className={`${table.actions} ${classes.rowEnd}`}>
        <RowActions document={document} onReplace={onReplace} />
      </td>
    </>
  );
});

/** Opens it beside the list where there is something to read. */
function DocumentName({ document: { id, name, mediaType, bytes, passageCount } }: { document: Document }) {
  const [search] = useSearchParams();
  if (passageCount === 0 && (mediaType !== 'application/pdf' || bytes === 0))
    return <bdi className={table.name}>{name}</bdi>;
  const to = new URLSearchParams(search);
  to.set('document', id);
  return (
    <Link to={{ search: to.toString() }} className={`${table.name} ${classes.open}`}>
      <bdi>{name}</bdi>
    </Link>
  );
}

/** How far it is while it is read, and why it could not be. */
function State({ document: { status, failure, unreadAttachments, progress, passageCount } }: { document: Document }) {
  const { t } = useText();
  const names = useStatusNames();
  const reasons = useFailureReasons();
  const second = `${table.second} ${classes.reason}`;
  return (
    <>
      <Status kind={shapeOfStatus[status]}>{names[status]}</Status>
      {status === 'reading' && progress ? <Progress {...progress} /> : null}
      {failure ? <span className={second}>{reasons[failure]}</span> : null}
      {status === 'searchable' && unreadAttachments.length > 0 ? <UnreadAttachments all={unreadAttachments} /> : null}
      {status !== 'searchable' && passageCount > 0 ? (
        <span className={second}>
          {t({ id: 'documents.state.earlier', defaultMessage: 'Answers still quote the version before.' })}
        </span>
      ) : null}
    </>
  );
}

function Progress({ stage, done, of }: NonNullable<Document['progress']>) {
  const { t } = useText();
  const words =
    stage === 'reading'
      ? t({ id: 'documents.progress.reading', defaultMessage: 'Page {done, number} of {of, number}' }, { done, of })
      : t(
          {
            id: 'documents.progress.indexing',
            defaultMessage: 'Cut into {of, plural, one {# passage} other {# passages}}, {done, number} indexed',
          },
          { done, of },
        );
  return (
    <span className={table.second}>
      {words} <ProgressBar className={classes.progress} value={done} of={of} label={words} />
    </span>
  );
}

/** Of an address its path: the host is that of the connection. */
function shortOf(address: string): string {
  const url = /^https?:/.test(address) ? URL.parse(address) : null;
  return url ? url.pathname + url.search : address;
}

function RowActions({ document, onReplace }: { document: Document; onReplace: OnReplace }) {
  const { t, rich } = useText();
  const mayManage = useRight('data_connection:manage');
  const off = useActionOff();
  const { remove, retry, isRetrying } = useDocumentCommands(document);
  const download = <DownloadOriginal document={document} />;
  if (!mayManage)
    return (
      <div className={table.rowActions}>
        <span className={table.onHover}>{download}</span>
      </div>
    );
  const isOfFile = document.address === null && document.failure !== null && isFlaw(document.failure);
  const newer = t(
    { id: 'documents.row.replace', defaultMessage: 'Replace {name} by a newer version' },
    { name: document.name },
  );
  return (
    <div className={table.rowActions}>
      {document.status === 'failed' && (document.address !== null || isOfFile) ? (
        <IconButton
          icon={RotateCw}
          label={
            isOfFile
              ? t({ id: 'documents.row.readAgain', defaultMessage: 'Read {name} again' }, { name: document.name })
              : t({ id: 'documents.row.retryName', defaultMessage: 'Retry {name}' }, { name: document.name })
          }
          onClick={retry}
          {...off}
        />
      ) : null}
      {isOfFile && onReplace ? (
        <Button
          variant="default"
          size="xs"
          leftSection={<FileUp size={14} />}
          aria-label={newer}
          onClick={() => onReplace(document)}
          {...off}
        >
          {t({ id: 'documents.row.newer', defaultMessage: 'Replace' })}
        </Button>
      ) : null}
      {document.status === 'failed' && document.address === null && !isOfFile ? (
        <Button
          variant="default"
          size="xs"
          leftSection={<RotateCw size={14} />}
          loading={isRetrying}
          onClick={retry}
          {...off}
        >
          <span>
            {rich(
              { id: 'documents.row.retry', defaultMessage: 'Read <name>{file}</name> again' },
              { file: document.name, name: cutName },
            )}
          </span>
        </Button>
      ) : null}
      {document.address !== null ? <span className={table.onHover}>{download}</span> : null}
      {document.address === null ? (
        <span className={table.onHover}>
          {download}
          {onReplace && !isOfFile ? (
            <IconButton icon={FileUp} label={newer} onClick={() => onReplace(document)} {...off} />
          ) : null}
          <IconButton
            icon={Trash2}
            label={t({ id: 'documents.row.delete', defaultMessage: 'Delete {name}' }, { name: document.name })}
            onClick={remove}
            {...off}
          />
        </span>
      ) : null}
    </div>
  );
}

/** Nothing of what its source never gave. */
function DownloadOriginal({ document: { id, name, bytes } }: { document: Document }) {
  const { t } = useText();
  if (bytes === 0) return null;
  const label = t({ id: 'documents.row.download', defaultMessage: 'Download {name}' }, { name });
  return <DownloadButton viewed={{ documentId: id }} name={name} hasFile label={label} />;
}

function useDocumentCommands(document: Document) {
  const { rich } = useText();
  const { date } = useFormats();
  const toast = useToast();
  const showError = useErrorToast();
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  const [isRetrying, setRetrying] = useState(false);
  const one = { orgId, params: { documentId: document.id }, retries: 3 };
  const refresh = () => client.invalidateQueries({ queryKey: resourceKey('documents', orgId) });
  const undo = () => void api('POST /api/chat/documents/:documentId/restore', one).then(refresh, showError);
  const remove = () =>
    void api('DELETE /api/chat/documents/:documentId', one).then(() => {
      toast({
        text: rich(
          {
            id: 'documents.delete.done',
            defaultMessage: '“<name>{file}</name>” was deleted. You can restore it until {date}.',
          },
          { file: document.name, name: cutName, date: date(Date.now() + keepDeletedDays * dayMs) },
        ),
        undo,
      });
      return refresh();
    }, showError);
  const retry = () => {
    setRetrying(true);
    void api('POST /api/chat/documents/:documentId/retry', one)
      .then(refresh, showError)
      .finally(() => setRetrying(false));
  };
  return { remove, retry, isRetrying };
}

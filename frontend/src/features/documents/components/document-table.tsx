import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { Document } from '@parley/contracts';
import { FileText, RotateCw, Trash2 } from 'lucide-react';
import { memo, useEffect, useRef, useState } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { useRight, useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { StatusShape } from '../../../ui/status-shape.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import table from '../../../ui/table.module.css';
import { useToast } from '../../../ui/toast.tsx';
import { deleteDocument, documentsKey, restoreDocument, retryDocument } from '../api/documents.ts';
import { shapeOfStatus, useFailureReasons, useStatusNames } from './status-names.ts';
import classes from './documents.module.css';

export function DocumentTable({ items, onMore, isLoadingMore }: { items: readonly Document[]; onMore: (() => void) | null; isLoadingMore: boolean }) {
  const { t } = useText();
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!onMore || isLoadingMore || !end.current || typeof IntersectionObserver === 'undefined') return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onMore(), { rootMargin: '400px' });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [onMore, isLoadingMore]);
  return (
    <>
      <table className={`${table.table} p-data`}>
        <thead>
          <tr>
            <th>{t({ id: 'documents.column.name', defaultMessage: 'Document' })}</th>
            <th>{t({ id: 'documents.column.state', defaultMessage: 'State' })}</th>
            <th className={table.figure}>{t({ id: 'documents.column.passages', defaultMessage: 'Passages' })}</th>
            <th className={table.figure}>{t({ id: 'documents.column.size', defaultMessage: 'Size' })}</th>
            <th>{t({ id: 'documents.column.added', defaultMessage: 'Added' })}</th>
            <th><span className="p-hidden">{t({ id: 'documents.column.actions', defaultMessage: 'Actions' })}</span></th>
          </tr>
        </thead>
        <tbody>{items.map((document) => <Row key={document.id} document={document} />)}</tbody>
      </table>
      <div ref={end} />
    </>
  );
}

const Row = memo(function Row({ document }: { document: Document }) {
  const { t } = useText();
  const { number, size, ago, exact } = useFormats();
  const names = useStatusNames();
  const reasons = useFailureReasons();
  const mayManage = useRight('data_connection:manage');
  const off = useActionOff();
  const { remove, retry, isRetrying } = useDocumentCommands(document);
  return (
    <tr>
      <td>
        <span className={table.named}>
          <FileText size={18} strokeWidth={1.75} aria-hidden="true" className={classes.icon} />
          <span><bdi className={table.name}>{document.name}</bdi><span className={table.second}>{t({ id: 'documents.row.by', defaultMessage: 'Upload by {name}' }, { name: document.uploadedBy })}</span></span>
        </span>
      </td>
      <td>
        <span className={table.state}><StatusShape kind={shapeOfStatus[document.status]} />{names[document.status]}</span>
        {document.failure ? <span className={`${table.second} ${classes.reason}`}>{reasons[document.failure]}</span> : null}
      </td>
      <td className={table.figure} data-label={t({ id: 'documents.column.passages', defaultMessage: 'Passages' })}>{document.status === 'searchable' ? number(document.passageCount) : '—'}</td>
      <td className={table.figure}><bdi>{size(document.bytes)}</bdi></td>
      <td className={table.quiet} title={exact(document.createdAt)}>{ago(document.createdAt)}</td>
      <td className={table.actions}>
        <div className={table.rowActions}>
        {mayManage && document.status === 'failed' ? <Button variant="default" size="xs" leftSection={<RotateCw size={14} strokeWidth={1.75} />} loading={isRetrying} onClick={retry} {...off}>{t({ id: 'documents.row.retry', defaultMessage: 'Read again' })}</Button> : null}
        {mayManage ? <span className={table.onHover}><IconButton icon={Trash2} label={t({ id: 'documents.row.delete', defaultMessage: 'Delete {name}' }, { name: document.name })} onClick={remove} {...off} /></span> : null}
        </div>
      </td>
    </tr>
  );
});

function useDocumentCommands(document: Document) {
  const { t } = useText();
  const toast = useToast();
  const describe = useProblemText();
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  const [isRetrying, setRetrying] = useState(false);
  const refresh = () => client.invalidateQueries({ queryKey: documentsKey(orgId) });
  const fail = (error: unknown) => toast({ text: describe(error).text });
  const undo = () => void restoreDocument(orgId, document.id).then(refresh, fail);
  const remove = () =>
    void deleteDocument(orgId, document.id).then(() => {
      toast({ text: t({ id: 'documents.delete.done', defaultMessage: '“{name}” was deleted; answers no longer quote it.' }, { name: document.name }), undo });
      return refresh();
    }, fail);
  const retry = () => {
    setRetrying(true);
    void retryDocument(orgId, document.id).then(refresh, fail).finally(() => setRetrying(false));
  };
  return { remove, retry, isRetrying };
}

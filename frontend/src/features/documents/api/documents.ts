import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import type { Document, DocumentId, OrgId, ResponseOf, listDocuments } from '@parley/contracts';
import { headersOf, NetworkError, pathOf, request, toProblem, urlOf } from '../../../lib/http.ts';
import { orgKey } from '../../../lib/tab-organisation.tsx';

export type DocumentPage = ResponseOf<typeof listDocuments>;
export type DocumentFilter = { name: string; status: Document['status'] | null };

export const documentsKey = (orgId: OrgId) => orgKey(orgId, 'documents');

export const documentsQuery = (orgId: OrgId, filter: DocumentFilter) =>
  infiniteQueryOptions({
    queryKey: [...documentsKey(orgId), filter] as const,
    queryFn: ({ pageParam, signal }) =>
      request<DocumentPage>('/api/chat/documents', {
        orgId,
        query: { cursor: pageParam ?? undefined, name: filter.name || undefined, status: filter.status ?? undefined },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  });

const oneDocument = '/api/chat/documents/:documentId';
export const deleteDocument = (orgId: OrgId, documentId: DocumentId) =>
  request<void>(pathOf(oneDocument, { documentId }), { method: 'DELETE', orgId, retries: 3 });
export const restoreDocument = (orgId: OrgId, documentId: DocumentId) =>
  request<Document>(`${pathOf(oneDocument, { documentId })}/restore`, { method: 'POST', orgId, retries: 3 });
export const retryDocument = (orgId: OrgId, documentId: DocumentId) =>
  request<Document>(`${pathOf(oneDocument, { documentId })}/retry`, { method: 'POST', orgId, retries: 3 });

export type UploadTask = { orgId: OrgId; id: DocumentId; file: File; onProgress: (share: number) => void };

/** The raw file as body. XMLHttpRequest, because fetch tells nothing of what has been sent. */
export function uploadDocument({ orgId, id, file, onProgress }: UploadTask): {
  done: Promise<Document>;
  abort: () => void;
} {
  const call = new XMLHttpRequest();
  const done = new Promise<Document>((resolve, reject) => {
    call.open('POST', urlOf('/api/chat/documents', { id, name: file.name }));
    for (const [name, value] of Object.entries(headersOf('POST', { orgId }))) call.setRequestHeader(name, value);
    call.setRequestHeader('content-type', 'application/octet-stream');
    call.upload.addEventListener(
      'progress',
      (event) => event.lengthComputable && onProgress(event.loaded / event.total),
    );
    call.addEventListener('load', () =>
      call.status < 300
        ? resolve(JSON.parse(call.responseText) as Document)
        : reject(toProblem(call.status, call.responseText)),
    );
    call.addEventListener('error', () => reject(new NetworkError()));
    call.addEventListener('abort', () => reject(new DOMException('Upload stopped', 'AbortError')));
    call.send(file);
  });
  return { done, abort: () => call.abort() };
}

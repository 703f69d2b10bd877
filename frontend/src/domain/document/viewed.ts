import type { ChunkId, DocumentId, FileId, OpenedDocument } from '@parley/contracts';
import { useQuery } from '@tanstack/react-query';
import { fetchFile } from '../../lib/download.ts';
import { api } from '../../lib/http.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useTab } from '../../lib/tab-organisation.tsx';

/** What the viewer shows: a document of the organisation, or a file of a chat. */
export type Viewed = { readonly documentId: DocumentId } | { readonly fileId: FileId };
/** A file of a chat is never replaced, and comes from no web site. */
export type Opened = Omit<OpenedDocument, 'id' | 'mediaType'> & { readonly mediaType: string };

export const idOf = (viewed: Viewed): string => ('fileId' in viewed ? viewed.fileId : viewed.documentId);

/** What it is now: an event of the document fetches it again. */
export function useOpened(viewed: Viewed) {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('fileId' in viewed ? 'files' : 'documents', orgId, 'opened', idOf(viewed)),
    queryFn: async ({ signal }): Promise<Opened> => {
      if ('documentId' in viewed) {
        const { documentId } = viewed;
        return api('GET /api/chat/documents/:documentId', { orgId, params: { documentId }, signal });
      }
      const { fileId } = viewed;
      const { createdAt, ...file } = await api('GET /api/chat/files/:fileId', { orgId, params: { fileId }, signal });
      return { ...file, storedAt: createdAt, isAhead: false, hasFile: true, deletedAt: null, webAddress: null };
    },
    staleTime: 60_000,
  });
}

/** A passage of a document that an answer cites, with what is around it. */
export function usePassage(chunkId: ChunkId) {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('passages', orgId, chunkId),
    queryFn: ({ signal }) => api('GET /api/chat/passages/:chunkId', { orgId, params: { chunkId }, signal }),
    staleTime: 60_000,
  });
}

/** As `usePassage`, also of a file; nothing is fetched without one. */
export function useCited(viewed: Viewed, chunkId: ChunkId | null) {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('passages', orgId, ...('fileId' in viewed ? [viewed.fileId] : []), chunkId ?? 'none'),
    queryFn: ({ signal }): Promise<{ text: string; before: string; after: string }> =>
      'fileId' in viewed
        ? api('GET /api/chat/files/:fileId/passages/:chunkId', {
            orgId,
            params: { fileId: viewed.fileId, chunkId: chunkId! },
            signal,
          })
        : api('GET /api/chat/passages/:chunkId', { orgId, params: { chunkId: chunkId! }, signal }),
    staleTime: 60_000,
    enabled: chunkId !== null,
  });
}

type Organisation = ReturnType<typeof useTab>['organisation']['id'];
type Part = { readonly from?: number; readonly chunkId?: ChunkId };
type Asked = { readonly orgId: Organisation; readonly signal: AbortSignal };

/** A page of the text that was read of it. */
export const textOf = (viewed: Viewed, query: Part, asked: Asked) =>
  'fileId' in viewed
    ? api('GET /api/chat/files/:fileId/text', { ...asked, params: { fileId: viewed.fileId }, query })
    : api('GET /api/chat/documents/:documentId/text', { ...asked, params: { documentId: viewed.documentId }, query });

/** The original. */
export const contentOf = (viewed: Viewed, asked: Pick<Asked, 'orgId'> & { readonly signal?: AbortSignal }) =>
  'fileId' in viewed
    ? fetchFile('GET /api/chat/files/:fileId/content', { ...asked, params: { fileId: viewed.fileId } })
    : fetchFile('GET /api/chat/documents/:documentId/content', { ...asked, params: { documentId: viewed.documentId } });

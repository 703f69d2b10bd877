import { useQueryClient } from '@tanstack/react-query';
import type { ConnectionId, Document, DocumentId } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { documentEndings } from '@parley/contracts/names';
import { useCallback, useEffect, useRef, useState } from 'react';
import { newId } from '../../lib/new-id.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { resourceKey } from '../../lib/query-keys.ts';
import { upload as sendFile } from '../../lib/upload.ts';

export const acceptedEndings = Object.keys(documentEndings).map((ending) => `.${ending}`);
export const largestBytes = 25_000_000;
const atOnce = 2;

export type UploadRefusal = 'type' | 'size' | 'empty';
export type Upload = {
  /** Made before sending, so trying again is harmless. */
  id: DocumentId;
  file: File;
  /** Null: where uploads go that name no other connection. */
  into: ConnectionId | null;
  /** The document of which it is a newer version; null where it is a document of its own. */
  replaces: Pick<Document, 'id' | 'name'> | null;
  state: 'waiting' | 'sending' | 'failed' | 'refused';
  share: number;
  refusal?: UploadRefusal;
  error?: unknown;
};

/** Checked before a byte is sent. */
export function refusalOf(file: Pick<File, 'name' | 'size'>): UploadRefusal | undefined {
  if (!acceptedEndings.some((ending) => file.name.toLowerCase().endsWith(ending))) return 'type';
  if (file.size > largestBytes) return 'size';
  return file.size === 0 ? 'empty' : undefined;
}

function toUpload(file: File, { into, replaces }: Pick<Upload, 'into' | 'replaces'>): Upload {
  const refusal = refusalOf(file);
  const state = refusal ? 'refused' : 'waiting';
  return { id: newId('document'), file, into, replaces, state, share: 0, ...(refusal ? { refusal } : {}) };
}

function send({ id, file, into, replaces }: Upload, orgId: OrgId, onProgress: (share: number) => void) {
  const { name } = file;
  return replaces
    ? sendFile('PUT /api/chat/documents/:documentId/content', {
        orgId,
        params: { documentId: replaces.id },
        query: { name },
        file,
        onProgress,
      })
    : sendFile('POST /api/chat/documents', {
        orgId,
        query: { id, name, ...(into && { connectionId: into }) },
        file,
        onProgress,
      });
}

/** Several files, two at a time, each with its own progress. A sent one leaves this list and stands in the table. */
export function useUploads(connectionId: ConnectionId | null) {
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const [sent, setSent] = useState(0);
  const running = useRef(new Map<DocumentId, () => void>());
  const change = useCallback(
    (id: DocumentId, part: Partial<Upload>) =>
      setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...part } : upload))),
    [],
  );
  const remove = useCallback((id: DocumentId) => {
    running.current.get(id)?.();
    setUploads((all) => all.filter((upload) => upload.id !== id));
  }, []);
  const add = useCallback(
    (files: Iterable<File>, replaces: Upload['replaces'] = null) => {
      const added = [...files].map((file) => toUpload(file, { into: connectionId, replaces }));
      setUploads((all) => [...all, ...added]);
    },
    [connectionId],
  );
  useEffect(() => {
    for (const upload of uploads) {
      if (upload.state !== 'waiting' || running.current.size >= atOnce || running.current.has(upload.id)) continue;
      const { done, abort } = send(upload, orgId, (share) => change(upload.id, { share }));
      running.current.set(upload.id, abort);
      change(upload.id, { state: 'sending', share: 0 });
      done
        .then(async () => {
          await client.invalidateQueries({ queryKey: resourceKey('documents', orgId) });
          await client.invalidateQueries({ queryKey: resourceKey('connections', orgId) });
          setUploads((all) => all.filter(({ id }) => id !== upload.id));
          setSent((count) => count + 1);
        })
        .catch((error: unknown) => change(upload.id, { state: 'failed', error }))
        .finally(() => {
          running.current.delete(upload.id);
          // Wakes the next one that waits.
          setUploads((all) => [...all]);
        });
    }
  }, [uploads, orgId, change, client]);
  useEffect(() => {
    const all = running.current;
    return () => all.forEach((abort) => abort());
  }, []);
  return {
    uploads,
    /** Counts those that have arrived since the page was opened. */
    sent,
    add,
    remove,
    retry: (id: DocumentId) => change(id, { state: 'waiting', error: undefined }),
  };
}

import { useQueryClient } from '@tanstack/react-query';
import type { ConnectionId, DocumentId } from '@parley/contracts';
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

function toUpload(file: File, into: ConnectionId | null): Upload {
  const refusal = refusalOf(file);
  const state = refusal ? 'refused' : 'waiting';
  return { id: newId('document'), file, into, state, share: 0, ...(refusal ? { refusal } : {}) };
}

/** Several files, two at a time, each with its own progress. A sent one leaves this list and stands in the table. */
export function useUploads(connectionId: ConnectionId | null) {
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
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
    (files: Iterable<File>) => {
      const added = [...files].map((file) => toUpload(file, connectionId));
      setUploads((all) => [...all, ...added]);
    },
    [connectionId],
  );
  useEffect(() => {
    for (const upload of uploads) {
      if (upload.state !== 'waiting' || running.current.size >= atOnce || running.current.has(upload.id)) continue;
      const { done, abort } = sendFile('POST /api/chat/documents', {
        orgId,
        query: { id: upload.id, name: upload.file.name, ...(upload.into && { connectionId: upload.into }) },
        file: upload.file,
        onProgress: (share) => change(upload.id, { share }),
      });
      running.current.set(upload.id, abort);
      change(upload.id, { state: 'sending', share: 0 });
      done
        .then(async () => {
          await client.invalidateQueries({ queryKey: resourceKey('documents', orgId) });
          await client.invalidateQueries({ queryKey: resourceKey('connections', orgId) });
          setUploads((all) => all.filter(({ id }) => id !== upload.id));
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
  return { uploads, add, remove, retry: (id: DocumentId) => change(id, { state: 'waiting', error: undefined }) };
}

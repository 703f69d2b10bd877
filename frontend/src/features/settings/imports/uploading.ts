import type { ChatImport, ImportId } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { importPartBytes } from '@parley/contracts/names';
import { useSyncExternalStore } from 'react';
import { api, isPassing } from '../../../lib/http.ts';
import { upload } from '../../../lib/upload.ts';

/** Parts that are sent at the same time. */
const atOnce = 2;
/** A lost connection has so long to come back. */
const pausesMs = [1_000, 3_000, 10_000, 30_000, 60_000];

/** What this tab sends: it goes on while its person looks at other pages. */
export type Uploading = { readonly sent: number; readonly total: number; readonly error: unknown };

type Part = { readonly number: number; readonly part: number; readonly file: Blob };
type Running = { state: Uploading; readonly ending: AbortController };

const running = new Map<ImportId, Running>();
const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Undefined where this tab sends nothing of it. */
export const useUploading = (id: ImportId): Uploading | undefined =>
  useSyncExternalStore(subscribe, () => running.get(id)?.state);

/** Whether these are the files of the upload: then what is missing of them can be sent. */
export const areFilesOf = ({ files }: Pick<ChatImport, 'files'>, chosen: readonly File[]): boolean =>
  files.length === chosen.length && files.every(({ name, bytes }) => chosen.some(isSame({ name, bytes })));

const isSame =
  ({ name, bytes }: { name: string; bytes: number }) =>
  (file: File): boolean =>
    file.name === name && file.size === bytes;

/** Sends what is missing, then has it checked. `onEnd` is called in either case. */
export function startUploading(orgId: OrgId, item: ChatImport, { chosen, onEnd }: Chosen): void {
  if (running.has(item.id)) return;
  const total = item.files.reduce((sum, { bytes }) => sum + bytes, 0);
  const missing = partsOf(item, chosen);
  const left = missing.reduce((sum, { file }) => sum + file.size, 0);
  const one: Running = { state: { sent: total - left, total, error: null }, ending: new AbortController() };
  running.set(item.id, one);
  tell();
  sendAll(orgId, item.id, { missing, one })
    .then(
      () => running.delete(item.id),
      (error: unknown) => {
        if (one.ending.signal.aborted) running.delete(item.id);
        else one.state = { ...one.state, error };
      },
    )
    .finally(() => {
      tell();
      onEnd();
    });
}
type Chosen = { readonly chosen: readonly File[]; readonly onEnd: () => void };

/** What was sent stays on the server. */
export function stopUploading(id: ImportId): void {
  running.get(id)?.ending.abort();
  running.delete(id);
  tell();
}

function partsOf({ files }: ChatImport, chosen: readonly File[]): Part[] {
  return files.flatMap(({ name, bytes, received }, at) => {
    const file = chosen.find(isSame({ name, bytes }));
    if (!file) return [];
    const there = new Set(received);
    return Array.from({ length: Math.ceil(bytes / importPartBytes) }, (_, nth) => nth + 1)
      .filter((part) => !there.has(part))
      .map((part) => ({
        number: at + 1,
        part,
        file: file.slice((part - 1) * importPartBytes, part * importPartBytes),
      }));
  });
}

async function sendAll(
  orgId: OrgId,
  importId: ImportId,
  { missing, one }: { missing: readonly Part[]; one: Running },
): Promise<void> {
  const waiting = [...missing];
  const work = async () => {
    for (let part = waiting.shift(); part; part = waiting.shift()) {
      await sendPart(orgId, importId, { part, signal: one.ending.signal });
      one.state = { ...one.state, sent: one.state.sent + part.file.size };
      tell();
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, work));
  } catch (error) {
    waiting.length = 0;
    throw error;
  }
  await api('POST /api/chat/imports/:importId/check', { orgId, params: { importId }, retries: 3 });
}

/** Sent again where the connection was lost, or the server is busy. */
async function sendPart(
  orgId: OrgId,
  importId: ImportId,
  { part, signal }: { part: Part; signal: AbortSignal },
): Promise<void> {
  const params = { importId, number: part.number, part: part.part };
  for (let failures = 0; ; failures += 1) {
    signal.throwIfAborted();
    const { done, abort } = upload('PUT /api/chat/imports/:importId/files/:number/parts/:part', {
      orgId,
      params,
      file: part.file,
    });
    signal.addEventListener('abort', abort);
    try {
      return await done;
    } catch (error) {
      const pauseMs = pausesMs[failures];
      if (pauseMs === undefined || !isPassing(error) || signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }
}

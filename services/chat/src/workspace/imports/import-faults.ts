import { UnreadableExport } from '@parley/chat-exports';
import { problemCatalogue } from '@parley/contracts';
import { Problem } from '@parley/protocol';
import type { JobRun } from '@parley/platform/jobs';
import { isStorageFull, isStoreAway } from '@parley/platform/mongo';
import { isOverQuota } from '../../knowledge/documents/index.ts';
import { UploadGone } from './export-reader.ts';
import { mostFailures } from './import.ts';
import { AccessLost } from './import-rights.ts';
import { LostImport } from './imports.repository.ts';

/** Returns what is full; the person resumes the import once there is room. */
export function fullIn(error: unknown): 'storage-full' | 'over-quota' | null {
  if (isOverQuota(error)) return 'over-quota';
  const isDiskFull = isStorageFull(error) || (error instanceof Problem && error.code === 'platform.storage-full');
  return isDiskFull ? 'storage-full' : null;
}

/** Returns true where the store, the network, another service or the process failed: no chat is to blame. */
export function isOfServer(error: unknown): boolean {
  if (isStoreAway(error) || fullIn(error) !== null) return true;
  if (error instanceof Problem) return mayPass(problemCatalogue[error.code].status);
  const { name, code, $metadata: answered } = (error ?? {}) as Readonly<Record<string, unknown>>;
  const isOfSystem = typeof code === 'string' && /^E(?!RR_)[A-Z]+$/.test(code);
  return isOfSystem || name === 'AbortError' || name === 'TimeoutError' || answered !== undefined;
}

const mayPass = (status: number): boolean => status >= 500 || status === 409 || status === 429;

/** Returns true where the import leaves out one chat: it failed often enough, and only the chat can be the reason. */
export const isOfChat = ({ attempt }: Pick<JobRun, 'attempt'>, error: unknown): boolean =>
  attempt >= mostFailures && !isOfServer(error) && !endings.some((ending) => error instanceof ending);

const endings = [AccessLost, LostImport, UnreadableExport, UploadGone];

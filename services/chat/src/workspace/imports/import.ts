import {
  importPartBytes,
  type ChatImport,
  type ImportId,
  type ImportReport,
  type ImportStatus,
} from '@parley/contracts';
import type { OrgId, UserId } from '@parley/protocol';
import type { ImportRow } from './import.collection.ts';

const dayMs = 86_400_000;
/** An upload stays so long at most. */
const keepUploadMs = 7 * dayMs;
/** What is known of an import stays so long. */
const keepImportMs = 30 * dayMs;
/** An upload without any part is deleted after this time. */
const keepEmptyMs = dayMs;
/** So many imports of a person are kept; beyond that the oldest that ended are deleted. */
export const mostKept = 100;
/** So often in a row, without a chat between them, is something tried that fails for no reason of the server. */
export const mostFailures = 5;
/** So many losses of one import are kept; the others are counted. */
export const mostLosses = 10_000;

/** Where a file of an upload is kept; files are counted from 1. */
export const importKey = ({ _id, orgId }: Pick<ImportRow, '_id' | 'orgId'>, number: number): string =>
  `imports/${orgId}/${_id}/${number}`.toLowerCase();

export const partsOf = (bytes: number): number => Math.ceil(bytes / importPartBytes);
/** How long this part of a file is. */
export const bytesOfPart = (bytes: number, part: number): number =>
  Math.min(importPartBytes, bytes - (part - 1) * importPartBytes);

/** Whether all parts of all files are there. */
export const isComplete = ({ files }: Pick<ImportRow, 'files'>): boolean =>
  files.every(({ bytes, uploadId, received }) => uploadId === null || received.length === partsOf(bytes));

const over: readonly ImportStatus[] = ['done', 'stopped', 'failed'];
/** Counts the bytes of parts and of whole files. */
export const receivedBytes = ({ files }: Pick<ImportRow, 'files'>): number =>
  files.reduce((sum, file) => sum + receivedOf(file), 0);

const receivedOf = ({ bytes, uploadId, received }: ImportRow['files'][number]): number =>
  uploadId === null ? bytes : received.reduce((sum, part) => sum + bytesOfPart(bytes, part), 0);

/** Whether nothing more comes of it. */
export const isOver = ({ status }: Pick<ImportRow, 'status'>): boolean => over.includes(status);

/** Returns true where the server failed with it and the upload is still stored. */
export const isRepeatable = ({ status, failure, storedBytes }: Pick<ImportRow, 'status' | 'failure' | 'storedBytes'>) =>
  status === 'failed' && failure === 'internal' && storedBytes > 0;

/** Returns when an upload will be deleted; null once it is. One without any part is deleted with its row. */
const uploadEndsAt = ({ storedBytes, expiresAt, status, forgetAt }: ImportRow): Date | null =>
  storedBytes > 0 ? expiresAt : status === 'uploading' ? forgetAt : null;

/** Returns when the row of an import with uploaded parts is deleted. */
export const forgetAtOf = ({ createdAt }: Pick<ImportRow, 'createdAt'>): Date =>
  new Date(createdAt.getTime() + keepImportMs);

type New = {
  readonly id: ImportId;
  readonly orgId: OrgId;
  readonly person: { readonly userId: UserId; readonly name: string; readonly locale: string };
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly uploadId: string }[];
};

export const newImport = ({ id, orgId, person, files }: New, now: Date): ImportRow => ({
  _id: id,
  orgId,
  userId: person.userId,
  userName: person.name,
  groupIds: [],
  locale: person.locale,
  files: files.map((file) => ({ ...file, received: [] })),
  storedBytes: 0,
  isHeld: false,
  status: 'uploading',
  failure: null,
  source: null,
  report: null,
  checkedMs: null,
  at: 0,
  of: 0,
  isAgain: false,
  imported: { chats: 0, messages: 0, branches: 0, files: 0 },
  losses: 0,
  isStarted: false,
  isSettling: false,
  isWanted: false,
  wantedAt: now,
  isRunning: false,
  holder: null,
  createdAt: now,
  expiresAt: new Date(now.getTime() + keepUploadMs),
  forgetAt: new Date(now.getTime() + keepEmptyMs),
  revision: 1,
});

/** Returns the event for the person's tabs. */
export const toldOf = ({ orgId, userId, _id: importId, status }: ImportRow) => ({ orgId, userId, importId, status });

export function toImport(row: ImportRow): ChatImport {
  const isUnderWay = row.status === 'checking' || row.status === 'importing' || row.status === 'paused';
  return {
    id: row._id,
    files: row.files.map(({ name, bytes, uploadId, received }) => ({
      name,
      bytes,
      received: uploadId === null ? Array.from({ length: partsOf(bytes) }, (_, at) => at + 1) : received,
    })),
    status: row.status,
    failure: row.failure,
    source: row.source,
    report: row.report,
    progress: isUnderWay ? { chats: row.at, of: row.of } : null,
    imported: row.imported,
    losses: row.losses,
    createdAt: row.createdAt.toISOString(),
    checkedMs: row.checkedMs,
    expiresAt: uploadEndsAt(row)?.toISOString() ?? null,
    ...(row.chats && { chats: toChats(row.chats) }),
  };
}

const toChats = ({ state, restorableUntil }: NonNullable<ImportRow['chats']>): ChatImport['chats'] => ({
  state,
  restorableUntil: state === 'deleted' ? restorableUntil.toISOString() : null,
});

export type Target = NonNullable<ImportRow['projects']>[number];

/** Returns the project that gets the chats of a project of the export; undefined until that is decided. */
export const targetIn = ({ projects = [] }: Pick<ImportRow, 'projects'>, project: string): Target | undefined =>
  projects.find(({ source }) => source === project);

/** A report that can be counted up. */
export type Counting = { -readonly [Part in keyof ImportReport]: ImportReport[Part] };

export const emptyReport = (): Counting => ({
  chats: { found: 0, toImport: 0, known: 0, grown: 0, deleted: 0, empty: 0, broken: 0 },
  messages: { found: 0, toImport: 0 },
  branches: { found: 0, toImport: 0 },
  files: { found: 0, toImport: 0, missing: 0, unsupported: 0 },
  others: [],
});

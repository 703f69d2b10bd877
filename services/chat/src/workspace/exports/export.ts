import { keepExportDays, type ChatExport, type ExportId } from '@parley/contracts';
import type { OrgId, UserId } from '@parley/protocol';
import type { ExportRow } from './export.collection.ts';

const dayMs = 24 * 3_600_000;
type Begun = { readonly id: ExportId; readonly orgId: OrgId; readonly userId: UserId; readonly locale: string };

/** One that waits to be written. */
export const newExport = ({ id, ...whose }: Begun, now: Date): ExportRow => ({
  ...whose,
  _id: id,
  status: 'waiting',
  failure: null,
  chats: 0,
  files: 0,
  bytes: 0,
  createdAt: now,
  isPending: true,
  attempts: 0,
  eraseAt: null,
  isErasing: false,
});

/** When one that ends now is deleted. */
export const eraseAtOf = (now: Date): Date => new Date(now.getTime() + keepExportDays * dayMs);

/** Where the ZIP of an attempt is kept: an attempt that lost its turn replaces nothing. */
export const blobKey = ({ _id, orgId }: Pick<ExportRow, '_id' | 'orgId'>, attempt: number): string =>
  `exports/${orgId}/${_id}-${attempt}`.toLowerCase();

export const toExport = (row: ExportRow, progress: ChatExport['progress'] = null): ChatExport => ({
  id: row._id,
  status: row.status,
  failure: row.failure,
  progress,
  chats: row.chats,
  files: row.files,
  bytes: row.bytes,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.eraseAt?.toISOString() ?? null,
});

import { documentEndings, type ConnectionId, type Document, type DocumentId } from '@parley/contracts';
import { asKept, connectionOf } from '../../connections/index.ts';
import { fold } from '@parley/platform/text';
import { Problem } from '@parley/protocol';
import type { DocumentRow, NewDocument } from './document.collection.ts';

const typesByEnding: Readonly<Record<string, Document['mediaType']>> = documentEndings;
/** What servers call files of which they know no more than that. */
const vagueTypes = new Set(['', 'text/plain', 'application/octet-stream', 'application/zip', 'binary/octet-stream']);

const byEnding = (name: string): Document['mediaType'] | undefined =>
  typesByEnding[/\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''];

/** By what a source says it is, or else by the ending of its name; null for what no reader reads. */
export function mediaTypeIn(said: string | null, name: string): Document['mediaType'] | null {
  const type = said?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/xhtml+xml') return 'text/html';
  const known = Object.values(typesByEnding).find((each) => each === type);
  return (vagueTypes.has(type) ? (byEnding(name) ?? known) : known) ?? null;
}

/** By the name's ending; the reader checks that the content is what it says. */
export function mediaTypeOf(name: string): Document['mediaType'] {
  const mediaType = byEnding(name);
  if (mediaType) return mediaType;
  throw new Problem('chat.document-type-not-supported', {
    detail:
      'Upload PDF, Word (.docx), Excel (.xlsx), PowerPoint (.pptx), CSV, mail (.eml), Markdown (.md), text (.txt) or HTML (.html).',
  });
}

/** The name as shown: without folders, control characters and characters that turn the writing direction. */
export function cleanName(name: string): string {
  const [last = ''] = name.normalize('NFC').split(/[/\\]/).slice(-1);
  return last.replaceAll(/[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '').trim() || 'document';
}

/** `<organisation>|<word>` for each word of the name. */
export const nameKeys = (orgId: string, name: string): string[] =>
  fold(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => `${orgId}|${word}`);

/** Matches names with a word that starts like this. */
export function nameFilter(orgId: string, typed: string): RegExp {
  const [word = ''] = fold(typed)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  return new RegExp(`^${orgId}\\|${word}`);
}

const failuresOfSource = ['source-refused', 'source-failed', 'too-large'] as const;
/** What the source is to blame for: another sync may find it well again. */
export type FailureOfSource = (typeof failuresOfSource)[number];
export const isOfSource = ({ failure }: Pick<DocumentRow, 'failure'>): boolean =>
  failuresOfSource.some((each) => each === failure);

/** How keys of files of a document begin; up to 0.3.0 it was the whole key. */
export const keyStart = ({ _id, orgId }: Pick<DocumentRow, '_id' | 'orgId'>): string =>
  `documents/${orgId}/${_id}`.toLowerCase();

/** Where the file of a document is kept. */
export const blobKey = (row: Pick<DocumentRow, '_id' | 'orgId' | 'fileKey'>): string => row.fileKey ?? keyStart(row);

type UploadedFile = Pick<DocumentRow, 'orgId' | 'name' | 'mediaType' | 'bytes'> & {
  readonly id: DocumentId;
  readonly connectionId: ConnectionId;
  readonly fileKey?: string | null | undefined;
};

/** A document whose file is stored and that nobody has read yet. */
export function newDocument(
  { id, connectionId, fileKey = null, ...file }: UploadedFile,
  uploadedBy: string,
  now: Date,
  inSource: Partial<
    Pick<
      NewDocument,
      'queuedBy' | 'asOf' | 'address' | 'etag' | 'lastModified' | 'hash' | 'triedAt' | 'seenRun' | 'status' | 'failure'
    >
  > = {},
): NewDocument {
  return {
    ...file,
    _id: id,
    connectionId: asKept(file.orgId, connectionId),
    fileKey,
    nameKeys: nameKeys(file.orgId, file.name),
    status: 'stored',
    failure: null,
    unreadAttachments: [],
    progress: null,
    passageCount: 0,
    textBytes: 0,
    uploadedBy,
    createdAt: now,
    asOf: now,
    queuedAt: now,
    queuedBy: connectionId,
    indexedAt: null,
    isDeleted: false,
    deletedAt: null,
    leaseUntil: null,
    version: 1,
    address: null,
    etag: null,
    lastModified: null,
    hash: null,
    triedAt: null,
    seenRun: null,
    ...inSource,
  };
}

export function toDocument(row: DocumentRow): Document {
  return {
    id: row._id,
    connectionId: connectionOf(row),
    name: row.name,
    mediaType: row.mediaType,
    bytes: row.bytes,
    status: row.status,
    failure: row.failure,
    unreadAttachments: row.unreadAttachments ?? [],
    progress: row.progress ?? null,
    passageCount: row.passageCount,
    uploadedBy: row.uploadedBy,
    createdAt: row.createdAt.toISOString(),
    asOf: (row.asOf ?? row.createdAt).toISOString(),
    indexedAt: row.indexedAt?.toISOString() ?? null,
    address: row.address ?? null,
    triedAt: row.triedAt?.toISOString() ?? null,
    version: row.version,
  };
}

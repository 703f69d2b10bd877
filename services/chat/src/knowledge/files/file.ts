import { imageEndings, type ChatFile, type FileId, type MessageFile } from '@parley/contracts';
import { Problem } from '@parley/protocol';
import { mediaTypeIn } from '../documents/index.ts';
import type { Passage } from '../retrieval/index.ts';
import type { FileRow } from './file.collection.ts';

const hourMs = 3_600_000;
/** A file that nothing refers to stays so long. */
export const keepUnusedMs = 24 * hourMs;

type Place = Pick<FileRow, '_id' | 'orgId' | 'fileKey'>;

/** How keys of a file begin; of images of requests, and up to 0.3.0 of all, it is the whole key. */
export const keyStart = ({ _id, orgId }: Pick<FileRow, '_id' | 'orgId'>): string =>
  `files/${orgId}/${_id}`.toLowerCase();

/** Returns the key of a file's bytes. */
export const blobKey = (row: Place): string => row.fileKey ?? keyStart(row);

/** Where an image is kept as models see it. */
export const seenKey = (row: Place): string => `${blobKey(row)}-seen`;

type MediaType = FileRow['mediaType'];
const imageTypes: Readonly<Record<string, MediaType>> = imageEndings;

export const isImage = ({ mediaType }: Pick<FileRow, 'mediaType'>): boolean =>
  Object.values(imageTypes).includes(mediaType);

/** By the name's ending; the reader checks that the content matches. */
export function mediaTypeOf(name: string): MediaType {
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const mediaType = imageTypes[ending] ?? mediaTypeIn(null, name);
  if (mediaType) return mediaType;
  throw new Problem('chat.document-type-not-supported', {
    detail:
      'Upload PDF, Word (.docx), Excel (.xlsx), PowerPoint (.pptx), CSV, mail (.eml), Markdown (.md), text (.txt), HTML (.html), or an image (.png, .jpg, .webp, .gif, .avif).',
  });
}

type Uploaded = Pick<FileRow, 'orgId' | 'userId' | 'groupIds' | 'name' | 'mediaType' | 'bytes' | 'fileKey'> & {
  readonly id: FileId;
};

/** A file that is stored and that nobody has read yet. */
export const newFile = ({ id, ...file }: Uploaded, now: Date): FileRow => ({
  ...file,
  _id: id,
  status: 'stored',
  failure: null,
  progress: null,
  tokens: null,
  pages: null,
  image: null,
  passageCount: 0,
  textBytes: 0,
  createdAt: now,
  queuedBy: file.userId,
  leaseUntil: null,
  takesLong: false,
  checkAt: new Date(now.getTime() + keepUnusedMs),
  isErasing: false,
  version: 1,
});

export const toFile = (row: FileRow): ChatFile => ({
  id: row._id,
  name: row.name,
  mediaType: row.mediaType,
  bytes: row.bytes,
  status: row.status,
  failure: row.failure,
  progress: row.progress,
  tokens: row.tokens,
  pages: row.pages,
  image: row.image ? { ...row.image, bytes: row.textBytes } : null,
  passageCount: row.passageCount,
  createdAt: row.createdAt.toISOString(),
  version: row.version,
});

/** As a message names it. */
export const toMessageFile = <Use extends string>(
  { _id: id, name, mediaType, bytes, tokens, pages, passageCount }: FileRow,
  use: Use,
): Omit<MessageFile, 'use'> & { readonly use: Use } => ({
  id,
  name,
  mediaType,
  bytes,
  use,
  ...(tokens !== null && { tokens }),
  ...(pages !== null && { pages }),
  ...(passageCount > 0 && { passageCount }),
});

/** The whole text of a file, with its headings: what a model reads of it. */
export function wholeText(passages: readonly Passage[]): string {
  let heading: string | null = null;
  return passages
    .map((passage) => {
      const isNew = passage.heading !== null && passage.heading !== heading;
      ({ heading } = passage);
      return isNew ? `${passage.heading}\n\n${passage.text}` : passage.text;
    })
    .join('\n\n');
}

/** The highest page or slide that has text; null of what has neither. */
export const pagesOf = (passages: readonly Passage[]): number | null =>
  passages.reduce<number | null>(
    (most, { place }) => (place?.kind === 'page' || place?.kind === 'slide' ? Math.max(most ?? 0, place.number) : most),
    null,
  );

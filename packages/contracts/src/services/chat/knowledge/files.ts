import { defineEvent, defineRoute, orgId, patience, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { limits } from '../../../limits/sizes.ts';
import { chunkId, clientIdOf, type FileId, fileId } from '../../../ids.ts';
import { documentEndings, imageEndings } from '../../../names.ts';
import { plainName } from '../../../plain-text.ts';
import { documentFailure, documentProgress, passageLocation } from './documents.ts';
import { readDocumentText } from './opened-documents.ts';

/** The most files that one question or draft can have. */
export const mostFiles = 20;

/** stored → reading → ready | failed. */
export const fileStatus = z.enum(['stored', 'reading', 'ready', 'failed']);

const fileMediaType = z.enum([...Object.values(documentEndings), ...Object.values(imageEndings)]);

/** Why an image can't be used. The browser translates it. */
export const imageFailure = z.enum([
  'image-too-large', // more than 100 megapixels
  'image-unreadable', // no PNG, JPEG, WebP, GIF or AVIF whatever its name says, or not whole
]);
export const fileFailure = z.enum([...documentFailure.options, ...imageFailure.options]);
export type FileFailure = z.infer<typeof fileFailure>;

/** In pixels. */
export const imageSize = z.strictObject({ width: z.number().int(), height: z.number().int() });

/**
 * A file that a person attached to a question or draft, or added to a project. It isn't a document: answers to other
 * people don't use it.
 */
export const chatFile = z.strictObject({
  id: fileId,
  name: z.string(),
  mediaType: fileMediaType,
  bytes: z.number().int(),
  status: fileStatus,
  failure: fileFailure.nullable(),
  /** Set while the file is read and there is something to count; null otherwise. */
  progress: documentProgress.nullable(),
  /** Estimated for the whole text; null for an image, whose tokens depend on the model, and until the file is ready. */
  tokens: z.number().int().nullable(),
  /** For a ready image, as models see it: upright, at most 1,568 pixels on its longer side. Null otherwise. */
  image: imageSize.extend({ bytes: z.number().int() }).nullable(),
  /** For a ready file with pages; null otherwise. */
  pages: z.number().int().nullable(),
  passageCount: z.number().int(),
  createdAt: timestamp,
  version: z.number().int(),
});
export type ChatFile = z.infer<typeof chatFile>;

/**
 * `whole`: the model reads all of its text. `searched`: only passages that match the question. `image`: the model sees
 * it; a model that doesn't accept images gets its name.
 */
export const fileUse = z.enum(['whole', 'searched', 'image']);
export type FileUse = z.infer<typeof fileUse>;

/** A file of a question, as it was sent. */
export const messageFile = z.strictObject({
  id: fileId,
  name: z.string(),
  mediaType: fileMediaType,
  bytes: z.number().int(),
  use: fileUse,
  /** Estimated tokens as in `chatFile`. Missing if those are null, and in files of 0.3.0. */
  tokens: z.number().int().optional(),
  pages: z.number().int().optional(),
  passageCount: z.number().int().optional(),
});
export type MessageFile = z.infer<typeof messageFile>;

/** A file of a waiting question. `auto` is decided when the question is asked. */
export const waitingFile = messageFile.extend({ use: z.enum(['auto', ...fileUse.options]) });
export type WaitingFile = z.infer<typeof waitingFile>;

const areDistinct = (ids: readonly string[]): boolean => new Set(ids).size === ids.length;
const distinct = 'must not name a file twice';

export const fileIds = z.array(fileId).max(mostFiles).refine(areDistinct, distinct);

/**
 * The person's files of a question. `auto` uses files whole, in order, while their tokens together are at most a
 * quarter of the model's context. If files chosen as `whole` exceed that quarter, they become `searched` too. An image
 * is always `image`.
 */
export const askedFiles = z
  .array(waitingFile.pick({ id: true, use: true }))
  .max(mostFiles)
  .refine((files) => areDistinct(files.map(({ id }) => id)), distinct);
export type AskedFile = z.infer<typeof askedFiles>[number];

/** Returns whether a question has text or files. */
export const asksSomething = ({
  text,
  files = [],
}: {
  text: string;
  files?: readonly unknown[] | undefined;
}): boolean => text !== '' || files.length > 0;
export const asksNothing = { path: ['text'], message: 'must not be empty without a file' };

const idsIn = (text: string) => z.array(fileId).max(mostFiles).safeParse(text.split(','));
const areFileIds = (text: string): boolean => idsIn(text).success;
/** Returns the ids in the query of `listFiles`. */
export const fileIdsIn = (text: string): FileId[] => idsIn(text).data ?? [];

const oneFile = z.strictObject({ fileId });
const ask = { service: 'chat', scope: 'organisation', permission: 'chat:create' } as const;

/**
 * Uploads a file as the raw body (`application/octet-stream`). The client makes `id`, so repeating the upload is
 * harmless. The type follows from the name's ending. The file is erased if no question, draft or project uses it 24
 * hours later.
 */
export const uploadFile = defineRoute({
  ...ask,
  route: 'POST /api/chat/files',
  cost: 'upload',
  patienceMs: patience.long,
  status: 201,
  rawBodyLimit: limits.chatFileBytes,
  query: z.strictObject({ id: clientIdOf('file'), name: plainName(255) }),
  response: chatFile,
});

/** Lists the person's files with these ids that still exist, in the order of the ids. Ids are separated by commas. */
export const listFiles = defineRoute({
  ...ask,
  route: 'GET /api/chat/files',
  cost: 'read',
  query: z.strictObject({
    ids: z.string().refine(areFileIds, `must be up to ${mostFiles} fil_ ids with commas between`),
  }),
  response: z.strictObject({ items: z.array(chatFile) }),
});

/** Reads a failed file again. In any other state it stays as it is. */
export const retryFile = defineRoute({
  ...ask,
  route: 'POST /api/chat/files/:fileId/retry',
  cost: 'write',
  params: oneFile,
  response: chatFile,
});

/**
 * Returns the uploaded file to its owner, and to people who can read a chat with it. 404 `chat.file-not-found` for
 * others.
 */
export const downloadFile = defineRoute({
  ...ask,
  permission: 'chat:read',
  route: 'GET /api/chat/files/:fileId/content',
  cost: 'download',
  params: oneFile,
  download: true,
});

/** Returns a file's details to the same people as `downloadFile`; 404 `chat.file-not-found` for others. */
export const openFile = defineRoute({
  ...ask,
  permission: 'chat:read',
  route: 'GET /api/chat/files/:fileId',
  cost: 'read',
  params: oneFile,
  response: chatFile.pick({ id: true, name: true, mediaType: true, bytes: true, createdAt: true }),
});

/** Returns the text of a file in the form of `readDocumentText`, to the same people as `downloadFile`. */
export const readFileText = defineRoute({
  ...ask,
  permission: 'chat:read',
  route: 'GET /api/chat/files/:fileId/text',
  cost: 'read',
  params: oneFile,
  query: readDocumentText.query,
  response: readDocumentText.response,
});

/**
 * Returns an image as models see it: JPEG, upright, on white, without metadata; the first frame of a GIF. For the same
 * people as `downloadFile`. 404 `chat.file-not-found` also if the file isn't an image or isn't ready.
 */
export const getFileImage = defineRoute({
  ...ask,
  permission: 'chat:read',
  route: 'GET /api/chat/files/:fileId/image',
  cost: 'read',
  params: oneFile,
  bytes: 'image/jpeg',
});

/**
 * Returns the cited passage of a file, with the text before and after it, to the same people as `downloadFile`. 404
 * `chat.passage-not-found` if the file has no such passage.
 */
export const getFilePassage = defineRoute({
  ...ask,
  permission: 'chat:read',
  route: 'GET /api/chat/files/:fileId/passages/:chunkId',
  cost: 'read',
  params: oneFile.extend({ chunkId }),
  response: z.strictObject({
    fileId,
    chunkId,
    name: z.string(),
    heading: z.string().nullable(),
    place: passageLocation.optional(),
    before: z.string(),
    text: z.string(),
    after: z.string(),
  }),
});

/** A person's file was uploaded, is being read, is ready or has failed. */
export const filesChanged = defineEvent('files.changed.v1', 'chat', {
  data: z.object({ orgId, userId, fileId, status: fileStatus }),
  key: 'fileId',
  live: { room: 'person', resources: ['files'] },
  audit: "Files of people's own chats.",
});

export const fileRoutes = {
  uploadFile,
  listFiles,
  retryFile,
  openFile,
  readFileText,
  downloadFile,
  getFileImage,
  getFilePassage,
};

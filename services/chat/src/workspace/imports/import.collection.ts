import {
  conversationId,
  groupId,
  importFailure,
  importId,
  importReport,
  importSource,
  importStatus,
  lossReason,
  projectId,
} from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { binary, collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

const count = z.number().int();

/** An upload of a person, and the job that imports it. */
export const importRows = collection(
  'chat_imports',
  {
    _id: importId,
    orgId,
    /** Whose it is; with the name and groups that they had when they started it. */
    userId,
    userName: z.string(),
    groupIds: z.array(groupId),
    locale: z.string(),
    files: z.array(
      z.strictObject({
        name: z.string(),
        bytes: count,
        /** Of the blob port, while parts are missing; null once the file is whole. */
        uploadId: z.string().nullable(),
        received: z.array(count),
      }),
    ),
    /** Counts the parts that are there for storage; 0 once they are deleted. */
    storedBytes: count,
    /** Always false: tells release 0.4.0 to count parts only. */
    isHeld: z.boolean().optional(),
    status: importStatus,
    failure: importFailure.nullable(),
    source: importSource.nullable(),
    report: importReport.nullable(),
    checkedMs: count.nullable(),
    /** Chats of the export that have been dealt with, and how many there are; 0 while nobody knows. */
    at: count,
    of: count,
    /** Whether what was deleted here is imported again. */
    isAgain: z.boolean(),
    /** Projects as their person has named them at the start; null: their chats come without one. */
    wantedProjects: z.array(z.strictObject({ id: z.string(), name: z.string().nullable() })).optional(),
    /** Maps projects of the export to those here, once that is decided; null: their chats come without one. */
    projects: z
      .array(z.strictObject({ source: z.string(), name: z.string(), projectId: projectId.nullable() }))
      .optional(),
    /** All its chats are to be deleted or restored, or were deleted. */
    chats: z
      .strictObject({ state: z.enum(['deleting', 'deleted', 'restoring']), restorableUntil: z.date() })
      .nullable()
      .optional(),
    /** Files of projects that have been dealt with; null: all. Absent: none. */
    filesAt: count.nullable().optional(),
    imported: z.strictObject({ chats: count, messages: count, branches: count, files: count }),
    losses: count,
    /** It was started: its end is told. */
    isStarted: z.boolean(),
    /** It has ended, and its upload is still to be deleted. */
    isSettling: z.boolean(),
    /** Its job has something to do. */
    isWanted: z.boolean(),
    wantedAt: z.date(),
    /** An attempt has it, or had it when its process died. Of a person one at a time. */
    isRunning: z.boolean(),
    /** The last attempt: whatever an earlier one still wants to write is not written. */
    holder: z.string().nullable(),
    createdAt: z.date(),
    /** The upload is deleted then. */
    expiresAt: z.date(),
    /** The row is deleted then. */
    forgetAt: z.date(),
    revision: count,
  },
  {
    tenant: { organisation: 'orgId', person: 'userId' },
    indexes: [
      { orgId: 1, userId: 1, createdAt: -1, _id: -1 },
      [
        { orgId: 1, userId: 1 },
        { unique: true, partialFilterExpression: { isRunning: true } },
      ],
      { isSettling: 1 },
      { storedBytes: 1, expiresAt: 1 },
      { forgetAt: 1 },
    ],
  },
);
export type ImportRow = RowOf<typeof importRows>;

/** Something that an import leaves out. */
export const lossRows = collection(
  'chat_import_losses',
  {
    /** Import, place of the chat in the export, and number within it: so the order of ids is that of the export. */
    _id: z.string(),
    orgId,
    userId,
    importId,
    chatTitle: z.string(),
    /** The chat and the message in the source; null where it has none. */
    chat: z.string().nullable(),
    message: z.string().nullable(),
    reason: lossReason,
    name: z.string().nullable(),
  },
  { tenant: { organisation: 'orgId', person: 'userId' }, indexes: [{ importId: 1, _id: 1 }] },
);
export type LossRow = RowOf<typeof lossRows>;

/** A chat of a source that a person has imported. It stays when the conversation is erased, so that it is not imported again. */
export const importedChatRows = collection(
  'imported_chats',
  {
    /** Follows from organisation, person, source and the chat's id there. */
    _id: z.string(),
    orgId,
    userId,
    source: importSource,
    conversationId,
    /** How often it was imported again after it had been deleted here. */
    round: count,
    /** Eight bytes of a hash of the source id of each message that was imported, in no order. */
    messages: binary,
  },
  { tenant: { organisation: 'orgId', person: 'userId' }, indexes: [{ orgId: 1, userId: 1 }] },
);
export type ImportedChatRow = RowOf<typeof importedChatRows>;

/** A project of a source that a person has imported. It stays when the project is erased, so that it is not made again. */
export const importedProjectRows = collection(
  'imported_projects',
  {
    /** Follows from organisation, person, source and the project's id there. */
    _id: z.string(),
    orgId,
    userId,
    source: importSource,
    projectId,
    /** Counts how often imports created the project again after it had been deleted here. */
    round: count,
    /** Hashes of the ids of files that imports have added to it, so that they add none twice. Absent: none. */
    files: z.array(z.string()).optional(),
  },
  { tenant: { organisation: 'orgId', person: 'userId' }, indexes: [{ orgId: 1, userId: 1 }] },
);

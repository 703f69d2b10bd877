import { defineEvent, defineRoute, orgId, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { chatbotId, clientIdOf, connectionId, conversationId, projectId } from '../../../ids.ts';
import { plainName } from '../../../plain-text.ts';
import { quotaLimits } from '../../../limits/quotas.ts';
import { limits } from '../../../limits/sizes.ts';
import { problemCodes } from '../../../problems.ts';

/** Chats of one person under a name, with instructions and a chatbot for all of them. A chat is in one project at most. */
export const project = z.strictObject({
  id: projectId,
  name: z.string(),
  /** Told to the model in each chat of the project, after the instructions of its chatbot. */
  instructions: z.string(),
  /** The page begins new chats of the project with it; null: with the organisation's default chatbot. */
  chatbotId: chatbotId.nullable(),
  /** Lists connections that its answers search besides those of their chatbot, each as long as the asker can read it. Absent: none. */
  connectionIds: z.array(connectionId).optional(),
  /** Counts its files, which `listProjectFiles` lists. Absent: none. */
  files: z.number().int().optional(),
  /** Pages show it first. Absent: no. */
  pinned: z.boolean().optional(),
  /** True if only the list of archived projects (`only=archived`) shows it. Absent: false. */
  archived: z.boolean().optional(),
  /** It was deleted, and its chats are on their way out of it: nothing can be asked or changed in it. Absent: no. */
  deleting: z.boolean().optional(),
  createdAt: timestamp,
  /** Counts up with each change. */
  revision: z.number().int(),
});
export type Project = z.infer<typeof project>;

const inProject = z.strictObject({ projectId });
const ownProject = { service: 'chat', scope: 'organisation', permission: 'chat:update', cost: 'write' } as const;
const name = plainName(100);

/**
 * My projects, newest first: all that aren't archived, or only those that are. `only=deleted`: those that `restoreProject` can
 * restore, last deleted first; `deleted` says since when and until when.
 */
export const listProjects = defineRoute({
  ...ownProject,
  route: 'GET /api/chat/projects',
  permission: 'chat:read',
  cost: 'read',
  query: pageQuery.extend({ only: z.enum(['archived', 'deleted']).optional() }),
  response: pageOf(project.extend({ deleted: z.strictObject({ at: timestamp, eraseAt: timestamp }).optional() })),
});

/** `chats` and `unread` say how many of its chats there are and have an answer that I have not seen, up to 1,000. */
export const getProject = defineRoute({
  ...ownProject,
  route: 'GET /api/chat/projects/:projectId',
  permission: 'chat:read',
  cost: 'read',
  params: inProject,
  response: project.extend({ chats: z.number().int(), unread: z.number().int() }),
});

/** The client makes the id; repeating the call returns what is there. 409 `org.limit-reached` above the quota of projects. */
export const createProject = defineRoute({
  ...ownProject,
  route: 'POST /api/chat/projects',
  permission: 'chat:create',
  status: 201,
  body: z.strictObject({ id: clientIdOf('project'), name }),
  response: project,
});

/**
 * Changes what is named. 409 `platform.conflict` with `current` if it was changed since this revision; 410
 * `chat.project-deleted`. 404 `chat.chatbot-not-found` for another chatbot that I can't use, `chat.connection-not-found`
 * for a further connection that I can't read.
 */
export const updateProject = defineRoute({
  ...ownProject,
  route: 'PATCH /api/chat/projects/:projectId',
  params: inProject,
  body: z.strictObject({
    revision: z.number().int(),
    name: name.optional(),
    instructions: z.string().max(limits.projectInstructionCharacters).optional(),
    chatbotId: chatbotId.nullable().optional(),
    /** All of them. */
    connectionIds: z
      .array(connectionId)
      .max(quotaLimits.connections.highest)
      .refine((ids) => new Set(ids).size === ids.length, 'must not name a connection twice')
      .optional(),
    pinned: z.boolean().optional(),
    archived: z.boolean().optional(),
  }),
  response: project,
});

/**
 * Deletes it at once, and its chats leave it: they stay as chats without a project, or are deleted with it
 * (`chats=delete`). It is listed as `deleting` until all of them have. `restoreProject` takes both back for 7 days.
 * Idempotent.
 */
export const deleteProject = defineRoute({
  ...ownProject,
  route: 'DELETE /api/chat/projects/:projectId',
  permission: 'chat:delete',
  status: 204,
  params: inProject,
  query: z.strictObject({ chats: z.enum(['keep', 'delete']).optional() }),
});

/**
 * Takes its deletion back. Chats that left it come back, unless they have moved to another project meanwhile or were
 * erased; those that were deleted with it are restored. 410 `chat.project-deleted` after 7 days. Idempotent.
 */
export const restoreProject = defineRoute({
  ...ownProject,
  route: 'POST /api/chat/projects/:projectId/restore',
  permission: 'chat:delete',
  params: inProject,
  response: project,
});

/**
 * Moves up to 100 of my chats into a project of mine, or out of theirs. Each is a change of its own: `code` says why one
 * stays where it is, null where it was moved or was there already. 404 `chat.project-not-found` and 410
 * `chat.project-deleted` move none. No message changes.
 */
export const moveConversations = defineRoute({
  ...ownProject,
  route: 'PUT /api/chat/conversation-projects',
  cost: 'bulk',
  body: z.strictObject({
    conversationIds: z.array(conversationId).min(1).max(100),
    /** Null: out of any project. */
    projectId: projectId.nullable(),
  }),
  response: z.strictObject({
    results: z.array(z.strictObject({ conversationId, code: z.enum(problemCodes).nullable() })),
  }),
});

const told = { orgId, /** Whose it is. */ userId };
/** A project or what files it has changed, or it was deleted, or its deletion was taken back. */
export const projectChanged = defineEvent('project.changed.v1', 'chat', {
  data: z.object({ ...told, projectId, change: z.enum(['created', 'updated', 'deleted', 'restored']) }),
  key: 'projectId',
  live: { room: 'person', resources: ['projects', 'files'] },
  audit: "People's own chats.",
});
/** A chat is in another project now, or in none. */
export const conversationMoved = defineEvent('conversation.moved.v1', 'chat', {
  data: z.object({ ...told, conversationId, projectId: projectId.nullable() }),
  key: 'conversationId',
  live: { room: 'person', resources: ['conversations', 'projects'] },
  audit: "People's own chats.",
});

export const projectRoutes = {
  listProjects,
  getProject,
  createProject,
  updateProject,
  deleteProject,
  restoreProject,
  moveConversations,
};

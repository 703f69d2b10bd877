import { defineEvent, defineRoute, orgId, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { chatbotId, clientIdOf, connectionId, conversationId, projectId } from '../../../ids.ts';
import { plainName } from '../../../plain-text.ts';
import { quotaLimits } from '../../../limits/quotas.ts';
import { limits } from '../../../limits/sizes.ts';

/**
 * A project: chats of one person under a name, with shared instructions and chatbot. A chat is in one project at most.
 */
export const project = z.strictObject({
  id: projectId,
  name: z.string(),
  /** Sent to the model in each chat of the project, after the instructions of its chatbot. */
  instructions: z.string(),
  /** The chatbot that new chats of the project start with; null: the organisation's default one. */
  chatbotId: chatbotId.nullable(),
  /**
   * Connections that answers in the project search besides those of their chatbot, if the person can read them then.
   * Missing: none.
   */
  connectionIds: z.array(connectionId).optional(),
  /** Number of the project's files, which `listProjectFiles` lists. Missing: none. */
  files: z.number().int().optional(),
  /** True: the project is shown first. Missing: no. */
  pinned: z.boolean().optional(),
  /** True: the project is shown only in the list of archived projects (`only=archived`). Missing: no. */
  archived: z.boolean().optional(),
  /** The project was deleted, and its chats are leaving it: nothing can be asked or changed in it. Missing: no. */
  deleting: z.boolean().optional(),
  createdAt: timestamp,
  /** Grows with each change. */
  revision: z.number().int(),
});
export type Project = z.infer<typeof project>;

const inProject = z.strictObject({ projectId });
const ownProject = { service: 'chat', scope: 'organisation', permission: 'chat:update', cost: 'write' } as const;
const name = plainName(100);

/**
 * Lists the person's projects, newest first: all that aren't archived, or only archived ones. `only=deleted`: those that
 * `restoreProject` can restore, last deleted first; `deleted` has the times.
 */
export const listProjects = defineRoute({
  ...ownProject,
  route: 'GET /api/chat/projects',
  permission: 'chat:read',
  cost: 'read',
  query: pageQuery.extend({ only: z.enum(['archived', 'deleted']).optional() }),
  response: pageOf(project.extend({ deleted: z.strictObject({ at: timestamp, eraseAt: timestamp }).optional() })),
});

/**
 * Returns a project. `chats` counts its chats, `archivedChats` those that are archived, `unread` the chats with an
 * answer that the person hasn't read, each up to 1,000.
 */
export const getProject = defineRoute({
  ...ownProject,
  route: 'GET /api/chat/projects/:projectId',
  permission: 'chat:read',
  cost: 'read',
  params: inProject,
  response: project.extend({ chats: z.number().int(), archivedChats: z.number().int(), unread: z.number().int() }),
});

/**
 * Creates a project. The client makes the id, so a repeated call returns what exists, or 410 `chat.project-deleted` if
 * that was deleted. 409 `org.limit-reached` if the quota of projects is full.
 */
export const createProject = defineRoute({
  ...ownProject,
  route: 'POST /api/chat/projects',
  permission: 'chat:create',
  status: 201,
  body: z.strictObject({ id: clientIdOf('project'), name }),
  response: project,
});

/**
 * Changes the given fields. 409 `platform.conflict` with `current` if the revision is old; 410 `chat.project-deleted`;
 * 404 `chat.chatbot-not-found` for a new chatbot that the person can't use, `chat.connection-not-found` for an added
 * connection that they can't read.
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
 * Deletes a project immediately. Its chats stay without a project, or are deleted with it (`chats=delete`). The project
 * is listed as `deleting` until all chats have left. `restoreProject` restores project and chats for 7 days.
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
 * Restores a deleted project with its chats, also those that were deleted with it; chats that were erased or are in
 * another project by now don't come back. The first 20 chats come back at once, the rest soon after. 410
 * `chat.project-deleted` after 7 days. Idempotent.
 */
export const restoreProject = defineRoute({
  ...ownProject,
  route: 'POST /api/chat/projects/:projectId/restore',
  permission: 'chat:delete',
  params: inProject,
  response: project,
});

/**
 * Moves up to 100 of the person's chats together into one of their projects, or out of their projects. `code` of a
 * chat is null if it was moved or was there already, else `chat.conversation-not-found`: the person has no such chat or can't
 * read it. 404 `chat.project-not-found` and 410 `chat.project-deleted` move no chat. Messages don't change.
 */
export const moveConversations = defineRoute({
  ...ownProject,
  route: 'PUT /api/chat/conversation-projects',
  cost: 'bulk',
  body: z.strictObject({
    conversationIds: z.array(conversationId).min(1).max(100),
    /** The project to move to; null: out of any project. */
    projectId: projectId.nullable(),
  }),
  response: z.strictObject({
    results: z.array(z.strictObject({ conversationId, code: z.literal('chat.conversation-not-found').nullable() })),
  }),
});

const told = { orgId, /** Whose it is. */ userId };
/** A project or its files changed, or it was deleted or restored. */
export const projectChanged = defineEvent('project.changed.v1', 'chat', {
  data: z.object({ ...told, projectId, change: z.enum(['created', 'updated', 'deleted', 'restored']) }),
  key: 'projectId',
  live: { room: 'person', resources: ['projects', 'files'] },
  audit: "People's own chats.",
});
/** A chat moved to another project, or out of one. */
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

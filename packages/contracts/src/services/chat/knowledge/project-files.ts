import { defineRoute } from '@parley/protocol';
import { z } from 'zod';
import { fileId, projectId } from '../../../ids.ts';
import { chatFile } from './files.ts';

/** The most files that one project can have. */
export const mostProjectFiles = 20;

const ofProject = { service: 'chat', scope: 'organisation', permission: 'chat:update' } as const;
const inProject = z.strictObject({ projectId });
const oneFile = inProject.extend({ fileId });

/** Lists the files of one of the person's projects, oldest first. Answers search the files that are `ready`. */
export const listProjectFiles = defineRoute({
  ...ofProject,
  permission: 'chat:read',
  route: 'GET /api/chat/projects/:projectId/files',
  cost: 'read',
  params: inProject,
  response: z.strictObject({ items: z.array(chatFile) }),
});

/**
 * Adds one of the person's uploaded files (`uploadFile`) to a project, also while the file is being read. 404
 * `chat.file-not-found` for a missing file or one of someone else, 415 `chat.document-type-not-supported` for an image,
 * 409 `chat.project-files-full`. Idempotent.
 */
export const addProjectFile = defineRoute({
  ...ofProject,
  route: 'PUT /api/chat/projects/:projectId/files/:fileId',
  cost: 'write',
  params: oneFile,
  response: chatFile,
});

/**
 * Removes a file from a project. Unless a question, draft or another project uses the file, it is erased after 24
 * hours; until then it can be added again. Idempotent.
 */
export const removeProjectFile = defineRoute({
  ...ofProject,
  route: 'DELETE /api/chat/projects/:projectId/files/:fileId',
  cost: 'write',
  status: 204,
  params: oneFile,
});

export const projectFileRoutes = { listProjectFiles, addProjectFile, removeProjectFile };

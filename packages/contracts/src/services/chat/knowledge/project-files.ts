import { defineRoute } from '@parley/protocol';
import { z } from 'zod';
import { fileId, projectId } from '../../../ids.ts';
import { chatFile } from './files.ts';

/** The most files that one project can have. */
export const mostProjectFiles = 20;

const ofProject = { service: 'chat', scope: 'organisation', permission: 'chat:update' } as const;
const inProject = z.strictObject({ projectId });
const oneFile = inProject.extend({ fileId });

/** The files of a project of mine, those that were added first first. Answers search those that are `ready`. */
export const listProjectFiles = defineRoute({
  ...ofProject,
  permission: 'chat:read',
  route: 'GET /api/chat/projects/:projectId/files',
  cost: 'read',
  params: inProject,
  response: z.strictObject({ items: z.array(chatFile) }),
});

/**
 * Adds a file that I have uploaded (`uploadFile`), also one that is still being read. 404 `chat.file-not-found` for
 * somebody else's and one that is gone, 415 `chat.document-type-not-supported` for an image, 409
 * `chat.project-files-full`. Idempotent.
 */
export const addProjectFile = defineRoute({
  ...ofProject,
  route: 'PUT /api/chat/projects/:projectId/files/:fileId',
  cost: 'write',
  params: oneFile,
  response: chatFile,
});

/** Takes a file out of a project. Unless something else has it, it is erased after 24 hours; until then it can be added again. Idempotent. */
export const removeProjectFile = defineRoute({
  ...ofProject,
  route: 'DELETE /api/chat/projects/:projectId/files/:fileId',
  cost: 'write',
  status: 204,
  params: oneFile,
});

export const projectFileRoutes = { listProjectFiles, addProjectFile, removeProjectFile };

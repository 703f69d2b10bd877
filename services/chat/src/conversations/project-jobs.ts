import { projectId } from '@parley/contracts';
import { defineJob } from '@parley/platform/jobs';
import { orgId, userId } from '@parley/protocol';
import { z } from 'zod';
import type { ProjectRow } from './project.collection.ts';

const ofProject = {
  input: z.strictObject({ projectId, orgId, userId }),
  keyOf: ({ projectId: id }: { readonly projectId: string }) => id,
  slots: { all: 2 },
  leaseMs: 60_000,
  attempts: 1_440,
  pauseMs: () => 60_000,
} as const;

/** Moves the chats of a deleted project out of it, or those of a restored project back, in batches. */
export const moveProjectChats = defineJob('move-project-chats', {
  ...ofProject,
  ownerOf: ({ orgId: organisation, userId: person }) => ({ orgId: organisation, person }),
  sliceMs: 1_000,
});

/** Erases a deleted project once it can't be restored any more. */
export const eraseProject = defineJob('erase-project', {
  ...ofProject,
  ownerOf: ({ orgId: organisation, userId: person }) => ({ orgId: organisation, person }),
});

/** Returns the input of the jobs that move a project's chats and erase the project. */
export const jobOf = ({ _id, orgId: organisation, ownerId }: ProjectRow) => ({
  projectId: _id,
  orgId: organisation,
  userId: ownerId,
});

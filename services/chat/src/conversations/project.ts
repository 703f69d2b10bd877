import type { Project, ProjectId } from '@parley/contracts';
import type { OrgId, UserId } from '@parley/protocol';
import { keepDeletedMs } from '../keep-deleted.ts';
import type { ProjectRow } from './project.collection.ts';

/** Returns a new project without instructions. */
export const newProject = (
  { orgId, ownerId, id, name }: { orgId: OrgId; ownerId: UserId; id: ProjectId; name: string },
  now: Date,
): ProjectRow => ({
  _id: id,
  orgId,
  ownerId,
  name,
  instructions: '',
  chatbotId: null,
  isPinned: false,
  isArchived: false,
  deletedAt: null,
  chats: 'keep',
  moving: null,
  isListed: true,
  joined: 0,
  createdAt: now,
  revision: 1,
});

/** Returns a deleted project for the list of those that can be restored. */
export const toDeletedProject = (row: ProjectRow) => {
  const at = row.deletedAt ?? row.createdAt;
  const eraseAt = new Date(at.getTime() + keepDeletedMs);
  return { ...toProject(row), deleted: { at: at.toISOString(), eraseAt: eraseAt.toISOString() } };
};

/** Returns a project for its owner. */
export const toProject = (row: ProjectRow): Project => ({
  id: row._id,
  name: row.name,
  instructions: row.instructions,
  chatbotId: row.chatbotId,
  ...(row.connectionIds?.length && { connectionIds: row.connectionIds }),
  ...(row.files?.length && { files: row.files.length }),
  ...(row.isPinned && { pinned: true }),
  ...(row.isArchived && { archived: true }),
  ...(row.deletedAt && { deleting: true }),
  createdAt: row.createdAt.toISOString(),
  revision: row.revision,
});

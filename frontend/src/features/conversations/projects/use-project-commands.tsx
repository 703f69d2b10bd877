import { useQueryClient } from '@tanstack/react-query';
import type { Project, ProjectId } from '@parley/contracts';
import { keepDeletedDays } from '@parley/contracts/names';
import { useNavigate } from 'react-router-dom';
import { useFormats } from '../../../lib/formats.ts';
import { api } from '../../../lib/http.ts';
import { usePaths } from '../../../lib/paths.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { cutName } from '../../../ui/cut-name.tsx';
import { useErrorToast } from '../../../ui/error-toast.ts';
import { useToast } from '../../../ui/toast.tsx';
import { readProjectsAgain, useChangeProject, type ProjectFields } from '../state/projects.ts';

const dayMs = 86_400_000;
export type WhatOfChats = 'keep' | 'delete';

/** Restores a deleted project, even while its chats are still leaving it. */
function useRestore(id: ProjectId): () => Promise<void> {
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  const showError = useErrorToast();
  const readAgain = useReadAgain();
  return async () => {
    try {
      const call = { orgId, params: { projectId: id }, retries: 3 };
      await api('POST /api/chat/projects/:projectId/restore', call);
      // Removes an error from the page immediately, but keeps a page that shows the project, with what was typed there.
      const queryKey = resourceKey('projects', orgId, 'one', id);
      await client.resetQueries({ queryKey, predicate: ({ state }) => state.status !== 'success' });
    } catch (error) {
      showError(error);
    } finally {
      void readAgain();
    }
  };
}

function useReadAgain(): () => Promise<void> {
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  return async () => {
    await Promise.all([
      readProjectsAgain(client, orgId),
      client.invalidateQueries({ queryKey: resourceKey('conversations', orgId) }),
      client.invalidateQueries({ queryKey: resourceKey('deleted-conversations', orgId) }),
    ]);
  };
}

/** Returns the actions on a project for its page. */
export function useProjectCommands(project: Project | Pick<Project, 'id'>) {
  const orgId = useTab().organisation.id;
  const toast = useToast();
  const showError = useErrorToast();
  const { rich } = useText();
  const { date } = useFormats();
  const navigate = useNavigate();
  const paths = usePaths();
  const write = useChangeProject();
  const restore = useRestore(project.id);
  const readAgain = useReadAgain();
  /** Changes a project and shows a refusal. Archiving shows a toast with Undo. */
  const change = async (fields: Partial<ProjectFields>): Promise<void> => {
    if (!('revision' in project)) return;
    try {
      const changed = await write(project, fields);
      if (!fields.archived) return;
      const undo = () => {
        const before = { archived: false, pinned: project.pinned ?? false };
        write(changed, before).catch(showError);
      };
      toast({
        text: rich(
          { id: 'project.archive.done', defaultMessage: '“<name>{project}</name>” was archived.' },
          { project: project.name, name: cutName },
        ),
        undo,
      });
    } catch (error) {
      showError(error);
    }
  };
  /** Deletes the project; throws if the server refuses. */
  const remove = async (chats: WhatOfChats): Promise<void> => {
    if (!('name' in project)) return;
    const call = { orgId, params: { projectId: project.id }, query: { chats }, retries: 3 };
    await api('DELETE /api/chat/projects/:projectId', call);
    void navigate(paths.to('chat'));
    await readAgain();
    const values = { project: project.name, name: cutName, date: date(Date.now() + keepDeletedDays * dayMs) };
    const text =
      chats === 'keep'
        ? rich(
            { id: 'project.delete.done', defaultMessage: '“<name>{project}</name>” was deleted. Its chats are kept.' },
            values,
          )
        : rich(
            {
              id: 'project.delete.doneAll',
              defaultMessage:
                '“<name>{project}</name>” and its chats were deleted. Chats can be restored until {date}.',
            },
            values,
          );
    const undo = () => {
      void restore().then(() => navigate(paths.project(project.id)));
    };
    toast({ text, undo });
  };
  return { change, remove, restore };
}

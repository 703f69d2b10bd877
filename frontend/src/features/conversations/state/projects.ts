import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { Project, ProjectId } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { useCallback } from 'react';
import { newId } from '../../../lib/new-id.ts';
import { api, isProblem, type Answer } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';

export type CountedProject = Answer<'GET /api/chat/projects/:projectId'>;
/** The fields of a project that its owner sets. */
export type ProjectFields = Pick<Project, 'name' | 'instructions' | 'chatbotId'> & {
  readonly pinned: boolean;
  readonly archived: boolean;
};

const projectKey = (orgId: OrgId, projectId: ProjectId) => resourceKey('projects', orgId, 'one', projectId);

/** Returns a project with its counts; reads it again after changes. Reads nothing while `enabled` is false. */
export function useProject(projectId: ProjectId, enabled = true) {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: projectKey(orgId, projectId),
    queryFn: ({ signal }) => api('GET /api/chat/projects/:projectId', { orgId, params: { projectId }, signal }),
    enabled,
  });
}

/** Marks lists of projects, and the shown project, to be read again. */
export const readProjectsAgain = (client: QueryClient, orgId: OrgId): Promise<void> =>
  client.invalidateQueries({ queryKey: resourceKey('projects', orgId) });

/** Creates a project. */
export function useCreateProject(): (name: string) => Promise<Project> {
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  return useCallback(
    async (name) => {
      const project = await api('POST /api/chat/projects', {
        orgId,
        body: { id: newId('project'), name: name.trim() },
        retries: 2,
      });
      client.setQueryData<CountedProject>(projectKey(orgId, project.id), {
        ...project,
        chats: 0,
        archivedChats: 0,
        unread: 0,
      });
      await readProjectsAgain(client, orgId);
      return project;
    },
    [client, orgId],
  );
}

/**
 * Changes fields of a project, based on the project from when the person began to change them. Keeps another device's
 * changes to other fields. If that device changed one of these fields, throws `platform.conflict` with the current
 * values.
 */
export function useChangeProject(): (known: Project, fields: Partial<ProjectFields>) => Promise<Project> {
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  return useCallback(
    async (known, fields) => {
      const params = { projectId: known.id };
      const send = ({ revision }: Project) =>
        api('PATCH /api/chat/projects/:projectId', { orgId, params, body: { revision, ...fields }, retries: 2 });
      const show = (next: Project) =>
        client.setQueryData<CountedProject>(projectKey(orgId, known.id), (before) => before && { ...before, ...next });
      try {
        const next = await send(known).catch((error: unknown) => {
          const now = projectNow(error);
          if (now && isSame(now, fields)) return now;
          if (now && isSame(now, fieldsOf(known, fields))) return send(now);
          throw error;
        });
        show(marked(next));
        return next;
      } catch (error) {
        const now = projectNow(error);
        if (now) show(marked(now));
        throw error;
      } finally {
        void readProjectsAgain(client, orgId);
      }
    },
    [client, orgId],
  );
}

/** Returns the project as another device saved it, if that is why a change was refused; otherwise null. */
export const projectNow = (error: unknown): Project | null =>
  isProblem(error, 'platform.conflict') ? ((error.problem.current as Project | undefined) ?? null) : null;

/** Sets missing marks to false, because the server leaves unset marks out. */
const marked = ({ pinned = false, archived = false, ...project }: Project): Project => ({
  ...project,
  pinned,
  archived,
});

const fieldsOf = (project: Project, { ...fields }: Partial<ProjectFields>): Partial<ProjectFields> =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, marked(project)[name as keyof ProjectFields]]));

const isSame = (project: Project, fields: Partial<ProjectFields>): boolean =>
  Object.entries(fields).every(([name, value]) => marked(project)[name as keyof ProjectFields] === value);

import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { ChatFile, FileId, ProjectId } from '@parley/contracts';
import { documentEndings } from '@parley/contracts/names';
import type { OrgId } from '@parley/protocol';
import { useMemo, useSyncExternalStore } from 'react';
import { api } from '../../../../lib/http.ts';
import { resourceKey } from '../../../../lib/query-keys.ts';
import { useTab } from '../../../../lib/tab-organisation.tsx';
import { useText } from '../../../../lib/text.ts';
import { upload } from '../../../../lib/upload.ts';
import { cutName } from '../../../../ui/cut-name.tsx';
import { useErrorToast } from '../../../../ui/error-toast.ts';
import { useToast } from '../../../../ui/toast.tsx';
import { refusalOf, Uploads } from '../../state/uploads.ts';

/** The most files of a project, as in the contract. */
export const mostProjectFiles = 20;
const lookEveryMs = 1_500;
/** One object per app, because uploads continue on all pages. */
const ofClients = new WeakMap<QueryClient, Map<OrgId, Uploads<ProjectId>>>();

const keyOf = (orgId: OrgId, projectId: ProjectId) => resourceKey('files', orgId, 'project', projectId);
const filesIn = (client: QueryClient, orgId: OrgId, projectId: ProjectId): readonly ChatFile[] =>
  client.getQueryData<{ items: ChatFile[] }>(keyOf(orgId, projectId))?.items ?? [];

const isText = (name: string): boolean =>
  Object.keys(documentEndings).some((ending) => name.toLowerCase().endsWith(`.${ending}`));

/** Uploads a file, then adds it to the project by a separate route; the upload ends only after both. */
const newUploads = (client: QueryClient, orgId: OrgId): Uploads<ProjectId> =>
  new Uploads<ProjectId>({
    drafts: {
      read: (projectId) => ({ files: filesIn(client, orgId, projectId) }),
      attach: (projectId) => void client.invalidateQueries({ queryKey: keyOf(orgId, projectId) }),
    },
    refuse: (file) => (isText(file.name) ? refusalOf(file) : 'onlyText'),
    send: ({ id, where: projectId, file }, onProgress) => {
      const { done, abort } = upload('POST /api/chat/files', {
        orgId,
        query: { id, name: file.name },
        file,
        onProgress,
      });
      return { done: done.then(() => addFile(orgId, projectId, id)), abort };
    },
  });

const addFile = (orgId: OrgId, projectId: ProjectId, fileId: FileId) =>
  api('PUT /api/chat/projects/:projectId/files/:fileId', { orgId, params: { projectId, fileId }, retries: 2 });

function useUploads(): Uploads<ProjectId> {
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  const known = ofClients.get(client) ?? new Map<OrgId, Uploads<ProjectId>>();
  ofClients.set(client, known);
  const uploads = known.get(orgId) ?? newUploads(client, orgId);
  known.set(orgId, uploads);
  return uploads;
}

/** Returns the files of a project and its uploads, with their actions. */
export function useProjectFiles(projectId: ProjectId) {
  const orgId = useTab().organisation.id;
  const uploads = useUploads();
  const all = useSyncExternalStore(uploads.watch, () => uploads.all);
  const own = useMemo(() => all.filter(({ where }) => where === projectId), [all, projectId]);
  const { data, error, isLoading, refetch } = useQuery({
    queryKey: keyOf(orgId, projectId),
    queryFn: ({ signal }) => api('GET /api/chat/projects/:projectId/files', { orgId, params: { projectId }, signal }),
    refetchInterval: ({ state }) => (state.data?.items.some(isBeingRead) ? lookEveryMs : false),
  });
  return {
    files: data?.items ?? none,
    uploads: own,
    isLoading,
    error: data ? null : error,
    retry: () => void refetch(),
    ...useCommands(projectId, uploads),
  };
}

const none: readonly ChatFile[] = [];
const isBeingRead = ({ status }: ChatFile): boolean => status === 'stored' || status === 'reading';

function useCommands(projectId: ProjectId, uploads: Uploads<ProjectId>) {
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();
  const { t, rich } = useText();
  const changed = () => client.invalidateQueries({ queryKey: resourceKey('files', orgId) });
  /** Runs an action. Shows a refusal as a toast, because the file's row has no room for it. */
  const tried = (act: () => Promise<unknown>) => act().catch(showError).then(changed);
  return {
    add: (files: readonly File[]) => {
      const left = uploads.add(projectId, files);
      if (left > 0)
        toast({
          text: t(
            {
              id: 'knowledge.files.tooMany',
              defaultMessage:
                'A project can have {most, number} files. {left, plural, one {# file was} other {# files were}} left out.',
            },
            { most: mostProjectFiles, left },
          ),
        });
    },
    stop: (id: FileId) => uploads.remove(id),
    sendAgain: (id: FileId) => uploads.retry(id),
    readAgain: (fileId: FileId) =>
      void tried(() => api('POST /api/chat/files/:fileId/retry', { orgId, params: { fileId } })),
    remove: ({ id: fileId, name }: Pick<ChatFile, 'id' | 'name'>) => {
      const params = { projectId, fileId };
      void tried(async () => {
        await api('DELETE /api/chat/projects/:projectId/files/:fileId', { orgId, params, retries: 2 });
        toast({
          text: rich(
            { id: 'knowledge.files.removed', defaultMessage: '<name>{file}</name> removed' },
            { file: name, name: cutName },
          ),
          undo: () => void tried(() => addFile(orgId, projectId, fileId)),
        });
      });
    },
  };
}

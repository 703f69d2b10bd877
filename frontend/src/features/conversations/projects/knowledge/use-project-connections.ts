import { useQueryClient } from '@tanstack/react-query';
import type { ConnectionId, Project } from '@parley/contracts';
import { useState } from 'react';
import { api, isProblem } from '../../../../lib/http.ts';
import { resourceKey } from '../../../../lib/query-keys.ts';
import { useTab } from '../../../../lib/tab-organisation.tsx';
import { useText } from '../../../../lib/text.ts';
import { cutName } from '../../../../ui/cut-name.tsx';
import { useErrorToast } from '../../../../ui/error-toast.ts';
import { useToast } from '../../../../ui/toast.tsx';
import { useReadableConnections } from '../../state/use-readable-connections.ts';

/**
 * The most attempts to save. Another device's change is no conflict, because any list can gain or lose one connection.
 */
const mostTries = 3;

type Change = (ids: readonly ConnectionId[]) => ConnectionId[];

/** Returns the connections of a project, those that people can add, and functions to add and remove them. */
export function useProjectConnections(given: Project) {
  const [changed, setChanged] = useState(given);
  // Use this page's own change until the page has read the project again.
  const project = changed.id === given.id && changed.revision > given.revision ? changed : given;
  const { readable, ...reading } = useReadableConnections();
  const ids = project.connectionIds ?? [];
  const change = useChange(project, setChanged);
  return {
    chosen: ids.map((id) => readable.find((one) => one.id === id) ?? { id, name: null }),
    addable: readable.filter(({ id }) => !ids.includes(id)),
    ...reading,
    ...change,
  };
}

function useChange(project: Project, onChanged: (project: Project) => void) {
  const { t, rich } = useText();
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();
  const [isSaving, setSaving] = useState(false);
  const write = async (to: Change): Promise<void> => {
    let current = project;
    for (let tries = 1; ; tries += 1)
      try {
        const body = { revision: current.revision, connectionIds: to(current.connectionIds ?? []) };
        const params = { projectId: project.id };
        return onChanged(await api('PATCH /api/chat/projects/:projectId', { orgId, params, body }));
      } catch (error) {
        if (tries === mostTries || !isProblem(error, 'platform.conflict') || !error.problem.current) throw error;
        current = error.problem.current as Project;
      }
  };
  /** Resolves with true if the change was saved; otherwise shows why not. */
  const save = async (to: Change): Promise<boolean> => {
    setSaving(true);
    try {
      await write(to);
      return true;
    } catch (error) {
      showError(error);
      return false;
    } finally {
      setSaving(false);
      void client.invalidateQueries({ queryKey: resourceKey('projects', orgId) });
    }
  };
  const add = (id: ConnectionId) => save((ids) => [...ids.filter((one) => one !== id), id]);
  return {
    isSaving,
    add: (id: ConnectionId) => void add(id),
    remove: async (id: ConnectionId, name: string | null) => {
      if (!(await save((ids) => ids.filter((one) => one !== id)))) return;
      toast({
        text: name
          ? rich(
              { id: 'knowledge.connections.removed', defaultMessage: '<name>{connection}</name> removed' },
              { connection: name, name: cutName },
            )
          : t({ id: 'knowledge.connections.removedUnseen', defaultMessage: 'Data connection removed' }),
        // No Undo for a connection that the person can't read: adding it again would be refused.
        ...(name && { undo: () => void add(id) }),
      });
    },
  };
}

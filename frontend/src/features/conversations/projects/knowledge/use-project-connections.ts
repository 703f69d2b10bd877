import { useQueryClient } from '@tanstack/react-query';
import type { ConnectionId, Project } from '@parley/contracts';
import { useState } from 'react';
import { api, isProblem } from '../../../../lib/http.ts';
import { useProblemText } from '../../../../lib/problem-texts.ts';
import { resourceKey } from '../../../../lib/query-keys.ts';
import { useTab } from '../../../../lib/tab-organisation.tsx';
import { useText } from '../../../../lib/text.ts';
import { cutName } from '../../../../ui/cut-name.tsx';
import { useToast } from '../../../../ui/toast.tsx';
import { useReadableConnections } from '../../state/use-readable-connections.ts';

/** Another change in between is no reason to give up: one connection more or less fits any list. */
const mostTries = 3;

type Change = (ids: readonly ConnectionId[]) => ConnectionId[];

/** Returns the connections of a project, those that can be added, and functions for that. */
export function useProjectConnections(given: Project) {
  const [changed, setChanged] = useState(given);
  // The page shows its own change before it has read the project again.
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
  const describe = useProblemText();
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
  /** Resolves with whether it was saved; shows why not. */
  const save = async (to: Change): Promise<boolean> => {
    setSaving(true);
    try {
      await write(to);
      return true;
    } catch (error) {
      toast({ text: describe(error).text });
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
        // A connection that the person can't read couldn't be added again.
        ...(name && { undo: () => void add(id) }),
      });
    },
  };
}

import { useQueryClient } from '@tanstack/react-query';
import type { ProjectId, ServerToClient } from '@parley/contracts';
import { useCallback, useEffect, useRef } from 'react';
import { useLiveEvent } from '../../../lib/live.tsx';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';

const pauseMs = 1_000;
const countless: ReadonlySet<string> = new Set(['message', 'renamed']);

/** Reads a project's counts again after changes of chats on any device, at most once per second. */
export function useLiveCounts(projectId: ProjectId): void {
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [projectId],
  );
  const changed = useCallback<ServerToClient['conversation.changed']>(
    ({ kind, generation }) => {
      const isGoing = generation?.status === 'queued' || generation?.status === 'running';
      if (countless.has(kind) || isGoing) return;
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        void client.invalidateQueries({ queryKey: resourceKey('projects', orgId, 'one', projectId) });
      }, pauseMs);
    },
    [client, orgId, projectId],
  );
  useLiveEvent('conversation.changed', changed);
}

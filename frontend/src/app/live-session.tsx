import { useQueryClient, type InvalidateQueryFilters } from '@tanstack/react-query';
import type { ServerToClient } from '@parley/contracts';
import { resources, type Resource } from '@parley/contracts/names';
import { useCallback, useEffect, useRef } from 'react';
import { useLiveEvent } from '../lib/live.tsx';
import { checkSession } from '../domain/session/own-session.ts';
import { resourceKey, resourceOf } from '../lib/query-keys.ts';
import { endSession, loadSession } from '../domain/session/session.ts';
import { loadMenus } from '../ui/menu.tsx';

/** These have messages of their own with a sequence, by which they find out what they missed. */
const sequenced: ReadonlySet<Resource> = new Set<Resource>(['conversations', 'messages']);
/** A folder of files sends a change for each: all of a short while are one read of what is shown. */
const changesPauseMs = 400;

/** What the server says about this session and about what is shown, wherever one is in the product. */
export function LiveSession() {
  const client = useQueryClient();
  const changed = useResourceChanges();
  const ended = useCallback<ServerToClient['session.ended']>(
    ({ reason }) => {
      if (reason !== 'access-lost') return endSession(reason, Date.now());
      void loadSession();
      // What is closed to one is shown no longer than it has to be.
      void client.invalidateQueries({ queryKey: resourceKey('organisations', null) });
    },
    [client],
  );
  // What changed before the connection was there, or while it was lost; what failed meanwhile is asked for again.
  const connected = useCallback(() => {
    void client.invalidateQueries({
      predicate: ({ queryKey, state }) => state.status === 'error' || !sequenced.has(resourceOf(queryKey)),
    });
    // All that one waits for is there.
    loadMenus().catch(() => undefined);
  }, [client]);
  // A session that ended while the tab was asleep: the server lets no socket in and cannot say why.
  const unreached = useCallback(() => void checkSession(), []);
  useLiveEvent('connected', connected);
  useLiveEvent('unreached', unreached);
  useLiveEvent('session.ended', ended);
  useLiveEvent('resource.changed', changed);
  return null;
}

/** Matches a resource in all organisations: the event belongs to none. */
const everyOrganisation = (resource: Resource): InvalidateQueryFilters => ({
  predicate: ({ queryKey }) => queryKey[0] === 'organisation' && queryKey[2] === resource,
});

/** Makes old what the server says is old: keys begin with whose resource it is. */
function useResourceChanges(): ServerToClient['resource.changed'] {
  const client = useQueryClient();
  const waiting = useRef(new Map<string, InvalidateQueryFilters>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return useCallback(
    ({ orgId, resources: changed }) => {
      for (const resource of changed) {
        const ofOrganisation =
          orgId === null ? everyOrganisation(resource) : { queryKey: ['organisation', orgId, resource] };
        const which = resources[resource] === 'organisation' ? ofOrganisation : { queryKey: ['person', resource] };
        waiting.current.set(`${orgId} ${resource}`, which);
      }
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        for (const which of waiting.current.values()) void client.invalidateQueries(which);
        waiting.current.clear();
      }, changesPauseMs);
    },
    [client],
  );
}

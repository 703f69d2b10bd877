import { useQueryClient } from '@tanstack/react-query';
import type { ServerToClient } from '@parley/contracts';
import { useCallback } from 'react';
import { useLiveEvent } from '../lib/live.tsx';
import { loadSession, setSession } from '../lib/session.ts';
import { organisationsKey, orgKey, useTab } from '../lib/tab-organisation.tsx';

/** What the server says about this session and its organisations, wherever one is in the product. */
export function LiveSession() {
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  const ended = useCallback<ServerToClient['session.ended']>(
    ({ reason }) => {
      if (reason !== 'access-lost') return setSession({ status: 'visitor' });
      void loadSession();
      void client.invalidateQueries({ queryKey: organisationsKey });
    },
    [client],
  );
  const changed = useCallback<ServerToClient['organisation.changed']>(
    (message) => {
      if (message.kind === 'providers') {
        void client.invalidateQueries({ queryKey: orgKey(message.orgId, 'models') });
        void client.invalidateQueries({ queryKey: orgKey(message.orgId, 'providers') });
      } else void client.invalidateQueries({ queryKey: organisationsKey });
    },
    [client],
  );
  // A document more or less changes what answers can draw on.
  const documentChanged = useCallback<ServerToClient['document.changed']>(
    () => void client.invalidateQueries({ queryKey: orgKey(orgId, 'models') }),
    [client, orgId],
  );
  // The connection is back: whatever failed meanwhile is asked for again.
  const connected = useCallback(
    () => void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' }),
    [client],
  );
  useLiveEvent('connected', connected);
  useLiveEvent('session.ended', ended);
  useLiveEvent('organisation.changed', changed);
  useLiveEvent('document.changed', documentChanged);
  return null;
}

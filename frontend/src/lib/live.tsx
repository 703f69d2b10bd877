import type { OrgId, ProblemDetails } from '@parley/protocol';
import { createContext, useContext, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import { LiveConnection, type LiveEvents, type LiveStatus } from './live-connection.ts';

const context = createContext<LiveConnection | null>(null);

/** Give it `key={orgId}`: another organisation is another socket. */
export function LiveProvider({ orgId, children }: { orgId: OrgId; children: ReactNode }) {
  const [connection] = useState(() => new LiveConnection(orgId));
  useEffect(() => {
    connection.start().catch((error: unknown) => globalThis.reportError?.(error));
    return () => connection.close();
  }, [connection]);
  return <context.Provider value={connection}>{children}</context.Provider>;
}

export function useConnection(): LiveConnection {
  const connection = useContext(context);
  if (!connection) throw new Error('useConnection outside of LiveProvider');
  return connection;
}

export function useLiveStatus(): LiveStatus {
  const connection = useConnection();
  return useSyncExternalStore(connection.watch, () => connection.status);
}

/** Why the server does not let this tab in; null while it does. */
export function useRefusal(): ProblemDetails | null {
  const connection = useConnection();
  return useSyncExternalStore(connection.watch, () => connection.refusal);
}

const watchNothing = () => () => undefined;

/** Since when what is shown is old, in ms; null while it is not, and outside of an organisation. */
export function useStaleSince(): number | null {
  const connection = useContext(context);
  return useSyncExternalStore(connection?.watch ?? watchNothing, () => connection?.staleSince ?? null);
}

/** Calls the handler for every message of that name while the component is there. */
export function useLiveEvent<Name extends keyof LiveEvents>(name: Name, handler: LiveEvents[Name]): void {
  const connection = useConnection();
  useEffect(() => connection.on(name, handler), [connection, name, handler]);
}

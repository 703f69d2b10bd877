import { presenceBell } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import type { Platform } from '@parley/platform/service';
import { rooms, watchPermission, type Sockets } from './sockets.ts';

/**
 * Tells those who may watch that somebody's presence changed: each BFF says so once a second at most. Listens for an
 * organisation while a tab of somebody who may is open here. Returns how to stop.
 */
export function relayPresence({ doorbell }: Pick<Platform, 'doorbell'>, { io, gate }: Sockets): () => void {
  const listening = new Map<string, () => void>();
  const adapter = io.of('/').adapter;
  const begin = (room: string) => {
    const orgId = organisationOf(room);
    if (orgId)
      listening.set(
        room,
        doorbell.on(presenceBell(orgId), () => tell(room, orgId)),
      );
  };
  const tell = (room: string, orgId: OrgId) =>
    gate.pass(() => io.to(room).emit('resource.changed', { orgId, resources: ['active-users'] }));
  const end = (room: string) => {
    listening.get(room)?.();
    listening.delete(room);
  };
  adapter.on('create-room', begin).on('delete-room', end);
  return () => {
    adapter.off('create-room', begin).off('delete-room', end);
    for (const stop of listening.values()) stop();
  };
}

/** Null for a room of others. */
function organisationOf(room: string): OrgId | null {
  const orgId = /^o:(.+)\//.exec(room)?.[1] as OrgId | undefined;
  return orgId && room === rooms.permitted(orgId, watchPermission) ? orgId : null;
}

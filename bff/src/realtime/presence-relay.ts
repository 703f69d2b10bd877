import { presenceBell } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import type { Platform } from '@parley/platform/service';
import { rooms, watchPermission, type Sockets } from './sockets.ts';

const leastMs = 1_000;

/**
 * Tells those who may watch that somebody's presence changed, once a second at most. Listens for organisations in which
 * somebody here may, and no others. Returns how to stop.
 */
export function relayPresence({ doorbell }: Pick<Platform, 'doorbell'>, { io, gate }: Sockets): () => void {
  const listening = new Map<string, () => void>();
  const adapter = io.of('/').adapter;
  const begin = (room: string) => {
    const orgId = organisationOf(room);
    if (orgId)
      listening.set(
        room,
        doorbell.on(
          presenceBell(orgId),
          atMostEach(leastMs, () => tell(room, orgId)),
        ),
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

/** Calls at once, and again after the pause if it was asked for meanwhile. */
function atMostEach(pauseMs: number, call: () => void): () => void {
  let calledAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const now = () => {
    timer = undefined;
    calledAt = performance.now();
    call();
  };
  return () => {
    timer ??= setTimeout(now, Math.max(0, calledAt + pauseMs - performance.now())).unref();
  };
}

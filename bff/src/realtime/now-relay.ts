import { getNow } from '@parley/contracts';
import { every, type Upkeep } from '@parley/platform/every';
import type { OrgId } from '@parley/protocol';
import type { Platform } from '@parley/platform/service';
import { rooms, type Sockets } from './sockets.ts';

const everyMs = 1_000;
const asking = { deadlineMs: 2_000, failMode: 'refuse' } as const;

/**
 * Tells those who watch an organisation what happens in it, each second while there is one of them, and asks for nothing
 * otherwise. What monitoring does not tell in time is left out: pages say how old their figures are. Returns how to stop.
 */
export function relayNow({ peers, logger }: Pick<Platform, 'peers' | 'logger'>, { io, gate }: Sockets): () => void {
  const watched = new Map<string, Upkeep>();
  const adapter = io.of('/').adapter;
  const tell = async (room: string, orgId: OrgId): Promise<void> => {
    const now = await peers.call(getNow, { params: { orgId } }, asking);
    if (watched.has(room)) gate.pass(() => io.to(room).volatile.emit('monitoring.now', now));
  };
  const begin = (room: string) => {
    const orgId = rooms.watchedOf(room);
    if (!orgId) return;
    const telling = every('relays what happens now', everyMs, () => tell(room, orgId));
    watched.set(room, telling);
    telling.start(logger);
  };
  const end = (room: string) => {
    void watched.get(room)?.stop();
    watched.delete(room);
  };
  adapter.on('create-room', begin).on('delete-room', end);
  return () => {
    adapter.off('create-room', begin).off('delete-room', end);
    for (const room of watched.keys()) end(room);
  };
}

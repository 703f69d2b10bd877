import { Module } from '@nestjs/common';
import { ConnectionsRepository } from './connections.repository.ts';
import { ReadableConnections } from './readable-connections.ts';

export { connectionQuota } from './connection-quota.ts';
export type { ConnectionRow } from './connection.collection.ts';
export {
  defaultConnection,
  isTooMuch,
  newConnection,
  nextSync,
  noProgress,
  stateOf,
  toConnection,
} from './connection.ts';
export { ConnectionsRepository, type Lease } from './connections.repository.ts';
export { asKept, connectionOf, defaultConnectionIdOf, inConnections } from './default-connection.ts';
export { ReadableConnections } from './readable-connections.ts';

/** Rung when a data connection waits for its sync. */
export const connectionsWaiting = 'chat:connections-waiting';

/** An organisation's data connections, and who may read which (`readable-connections.ts` alone knows). */
@Module({
  providers: [ConnectionsRepository, ReadableConnections],
  exports: [ConnectionsRepository, ReadableConnections],
})
export class ConnectionsModule {}

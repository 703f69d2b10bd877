import { Module } from '@nestjs/common';
import { ConnectionsRepository } from './connections.repository.ts';
import { ReadableConnections } from './readable-connections.ts';

export { connectionsToJobs, eraseConnection, syncConnections } from './connection-jobs.ts';
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
export { ConnectionsRepository } from './connections.repository.ts';
export { asKept, connectionOf, defaultConnectionIdOf, inConnections } from './default-connection.ts';
export { ReadableConnections } from './readable-connections.ts';

/** An organisation's data connections, and who may read which (`readable-connections.ts` alone knows). */
@Module({
  providers: [ConnectionsRepository, ReadableConnections],
  exports: [ConnectionsRepository, ReadableConnections],
})
export class ConnectionsModule {}

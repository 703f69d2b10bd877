import { Module } from '@nestjs/common';
import { ReadableConnections } from './readable-connections.ts';

export { asKept, connectionOf, defaultConnectionIdOf, inConnections } from './default-connection.ts';
export { ReadableConnections } from './readable-connections.ts';

/** An organisation's data connections, and who may read which (`readable-connections.ts` alone knows). */
@Module({ providers: [ReadableConnections], exports: [ReadableConnections] })
export class ConnectionsModule {}

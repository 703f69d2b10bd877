import { Global, Module, type DynamicModule, type Provider, type Type } from '@nestjs/common';
import { Blobs } from '../blobs/index.ts';
import { Sealer } from '../crypto/index.ts';
import { Doorbell } from '../doorbell/index.ts';
import { EventStrategy } from '../event-bus/index.ts';
import { Kv } from '../kv/index.ts';
import { Mongo } from '../mongo/index.ts';
import { MongoOutbox, Outbox, OutboxRelay } from '../outbox/index.ts';
import { Platform, type RunningService } from './platform.ts';
import { startNestService } from './start-nest-service.ts';

@Global()
@Module({})
class PortsModule {}

export type OwnerOptions = {
  readonly platform: Platform;
  readonly modules: readonly Type[];
  /** The service's own settings and anything else that its features inject. */
  providers(mongo: Mongo): Provider[];
  /** The consumer group of its event handlers; null where it reacts to nothing. */
  readonly group: string | null;
};

/**
 * Starts a service that owns data: its database with indexes, its outbox with the relay, its consumers, its routes. Closing ends
 * them in the reverse order: requests and consumers first, the store last.
 */
export async function startOwner(options: OwnerOptions): Promise<RunningService> {
  const { platform, group } = options;
  const { bus, doorbell, failpoint, logger, isAlone } = platform;
  const source = platform.deployable;
  const mongo = await Mongo.connect(platform.mongoUri);
  const outbox = new MongoOutbox({ mongo, doorbell, source });
  const relay = new OutboxRelay({ mongo, bus, doorbell, source, logger, isAlone, failpoint });
  const consumers = group === null ? undefined : new EventStrategy({ bus, mongo, group, logger, failpoint });
  const ports: Provider[] = [
    { provide: Platform, useValue: platform },
    { provide: Mongo, useValue: mongo },
    { provide: Outbox, useValue: outbox },
    { provide: Kv, useValue: platform.kv },
    { provide: Doorbell, useValue: doorbell },
    { provide: Blobs, useValue: platform.blobs },
    { provide: Sealer, useValue: platform.sealer },
    ...options.providers(mongo),
  ];
  const portsModule: DynamicModule = { module: PortsModule, providers: ports, exports: ports };
  const service = await startNestService({
    platform,
    modules: [portsModule, ...options.modules],
    consumers,
    beforeStart: async () => {
      await mongo.applyIndexes();
      relay.start();
    },
  });
  let closing: Promise<void> | null = null;
  const close = async () => {
    await service.close();
    await relay.close();
    await mongo.close();
  };
  return { url: service.url, close: () => (closing ??= close()) };
}

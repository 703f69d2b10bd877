import { deployables, type Deployable, type Service } from '@parley/contracts';
import { startEmbeddedMongo, type EmbeddedMongo } from '@parley/embedded-mongo';
import { FolderBlobs, type Blobs } from '@parley/platform/blobs';
import { publicKeysOf, Sealer, TokenSigner, TokenVerifier } from '@parley/platform/crypto';
import { MemoryDoorbell } from '@parley/platform/doorbell';
import { EmbeddedEventBus } from '@parley/platform/event-bus';
import { MemoryKv } from '@parley/platform/kv';
import { MemoryLiveStream } from '@parley/platform/live-stream';
import type { Logger } from '@parley/platform/logging';
import { FolderMailer, openMailer, type mailConfig } from '@parley/platform/mailer';
import { Mongo } from '@parley/platform/mongo';
import { Peers } from '@parley/platform/peers';
import { NoReporter, type Reporter } from '@parley/platform/reporter';
import { RevocationFeed } from '@parley/platform/revocations';
import { DataMigrations, type ReportProgress } from '@parley/platform/schema';
import type { Failpoint, Platform, RunningService } from '@parley/platform/service';
import { NoMetrics, type Metrics } from '@parley/platform/telemetry';
import type { z } from 'zod';
import { raiseFormat, type DataFolder } from './data-folder.ts';

export type PlatformOptions = {
  readonly folder: DataFolder;
  readonly logger: Logger;
  readonly failpoint: Failpoint;
  readonly checkResponses: boolean;
  /** Takes what migrations of stored data say of themselves; nobody unless given. */
  readonly report?: ReportProgress;
  /** Gets the measurements; missing: none are kept. */
  readonly metrics?: Metrics;
  /** How mails are sent; into the folder unless they name a server. */
  readonly mail?: z.output<typeof mailConfig>;
  /** Gets reports of faults; missing: none are sent. */
  readonly reporter?: Reporter;
  /** Keeps expired rows for this time after the start; missing: a minute. */
  readonly keepsExpiredMs?: number;
  /** Stores documents; missing: in the folder. */
  readonly openStore?: () => Promise<EmbeddedMongo>;
};

/**
 * On a full disk people sign in and out, read and delete; all other writes wait for room. A transaction of another service
 * is refused before it comes to its events.
 */
const reserve = { bytes: 16 * 1024 * 1024, databases: ['parley_auth', 'parley_events'] };

/** The parts that each deployable has of its own. */
type OwnParts = Pick<Platform, 'logger' | 'signer' | 'verifier' | 'peers'>;
type SharedParts = Pick<
  Platform,
  'bus' | 'log' | 'kv' | 'doorbell' | 'liveStream' | 'sealer' | 'mailer' | 'metrics' | 'reporter'
> & { readonly blobs: Blobs };

/**
 * The technical parts of the one-process edition, shared by its six deployables; keys and databases are each one's own.
 */
export class EmbeddedPlatform {
  readonly store: EmbeddedMongo;
  private readonly options: PlatformOptions;
  private readonly busStore: Mongo;
  private readonly parts: SharedParts;
  private readonly deployables: ReadonlyMap<Deployable, OwnParts>;
  private readonly addresses: Addresses;
  /** One for all: what the BFF would be told, everybody is. */
  readonly revocations: RevocationFeed;

  private constructor(
    options: PlatformOptions,
    stores: { store: EmbeddedMongo; busStore: Mongo },
    parts: { shared: SharedParts; own: ReadonlyMap<Deployable, OwnParts>; addresses: Addresses },
  ) {
    this.options = options;
    this.store = stores.store;
    this.busStore = stores.busStore;
    this.parts = parts.shared;
    this.deployables = parts.own;
    this.addresses = parts.addresses;
    const { doorbell } = parts.shared;
    this.revocations = new RevocationFeed({
      peers: this.ownOf('bff').peers,
      doorbell,
      logger: options.logger,
      isAlone: true,
    });
  }

  static async open(options: PlatformOptions): Promise<EmbeddedPlatform> {
    const { openStore, keepsExpiredMs } = options;
    const store = await (openStore?.() ?? startEmbeddedMongo({ file: options.folder.store, reserve, keepsExpiredMs }));
    // The store is this process's now, and nothing in it has changed yet.
    raiseFormat(options.folder);
    const busStore = await Mongo.connect(store.uri('parley_events'), { link: store.link });
    const metrics = options.metrics ?? new NoMetrics();
    metrics.gauge('parley_store_longest_hold_seconds', { service: 'store' }, () => longestHold(busStore));
    const addresses = new Addresses();
    const { logger, failpoint } = options;
    const bus = await EmbeddedEventBus.open({ mongo: busStore, logger, failpoint });
    const shared = {
      bus,
      log: bus,
      blobs: await FolderBlobs.open(options.folder.blobs),
      kv: new MemoryKv(),
      doorbell: new MemoryDoorbell(),
      liveStream: new MemoryLiveStream(),
      metrics,
      reporter: options.reporter ?? new NoReporter(),
      sealer: new Sealer(Buffer.from(options.folder.keys.sealingKey, 'base64')),
      mailer: await openMailer(options.mail ?? {}, (from) => FolderMailer.open(options.folder.mail, from)),
    };
    const own = await Promise.all(
      deployables.map(async (deployable) => [deployable, await openOwn(deployable, options, addresses)] as const),
    );
    return new EmbeddedPlatform(options, { store, busStore }, { shared, own: new Map(own), addresses });
  }

  /** The parts that one deployable gets. */
  of(deployable: Deployable, listen: Platform['listen'] = { host: '127.0.0.1', port: 0 }): Platform {
    const { failpoint, checkResponses, report } = this.options;
    return {
      ...this.parts,
      ...this.ownOf(deployable),
      deployable,
      listen,
      openStore: () => Mongo.connect(this.store.uri(`parley_${deployable}`), { isAlone: true, link: this.store.link }),
      revocations: this.revocations,
      prepareStore: async (mongo, migrations) => {
        await mongo.applyIndexes();
        // Without a lease: the store is this process's alone.
        await new DataMigrations(mongo, migrations, { failpoint, report }).run();
      },
      isAlone: true,
      failpoint,
      checkResponses,
    };
  }

  /** Starts a service; from the moment that it listens its peers know where. */
  async start(service: Service, start: (platform: Platform) => Promise<RunningService>): Promise<RunningService> {
    const running = await start(this.of(service));
    this.addresses.tell(service, running.url);
    return running;
  }

  async close(): Promise<void> {
    this.revocations.close();
    await this.parts.bus.close();
    await Promise.all([...this.deployables.values()].map(({ peers }) => peers.close()));
    await Promise.all([
      this.parts.kv.close(),
      this.parts.doorbell.close(),
      this.parts.liveStream.close(),
      this.parts.blobs.close(),
      this.parts.mailer?.close(),
    ]);
    await this.busStore.close();
    await this.store.close();
  }

  private ownOf(deployable: Deployable): OwnParts {
    const own = this.deployables.get(deployable);
    if (!own) throw new Error(`${deployable} has no parts.`);
    return own;
  }
}

/** In seconds. */
async function longestHold({ connection }: Mongo): Promise<number> {
  const { longest } = await connection.db!.admin().command({ parleyStoreHolds: 1 });
  return (longest as { ms: number }).ms / 1_000;
}

async function openOwn(
  deployable: Deployable,
  { folder, logger: shared }: PlatformOptions,
  addresses: Addresses,
): Promise<OwnParts> {
  const logger = shared.child({ deployable });
  const signer = await TokenSigner.create(deployable, folder.keys.signing[deployable].private);
  const verifier = await TokenVerifier.create(deployable, publicKeysOf(folder.keys));
  const peers = new Peers({ deployable, addressOf: (service) => addresses.of(service), signer, logger });
  return { logger, signer, verifier, peers };
}

/** The addresses of the services in this process. They start at the same time: early callers wait. */
class Addresses {
  private readonly told = new Map<Service, PromiseWithResolvers<string>>();

  of(service: Service): Promise<string> {
    return this.entryOf(service).promise;
  }

  tell(service: Service, url: string): void {
    this.entryOf(service).resolve(url);
  }

  private entryOf(service: Service): PromiseWithResolvers<string> {
    const entry = this.told.get(service) ?? Promise.withResolvers<string>();
    this.told.set(service, entry);
    return entry;
  }
}

import type { Deployable } from '@parley/contracts';
import type { Blobs } from '../ports/blobs/index.ts';
import { Sealer, TokenSigner, TokenVerifier } from '../base/crypto/index.ts';
import { RedisDoorbell } from '../ports/doorbell/redis/index.ts';
import { KafkaEventBus } from '../events/event-bus/kafka/index.ts';
import { RedisKv } from '../ports/kv/redis/index.ts';
import { RedisLiveStream } from '../ports/live-stream/redis/index.ts';
import type { Logger } from '../base/logging/index.ts';
import type { Mailer } from '../ports/mailer/index.ts';
import { Mongo } from '../rows/mongo/index.ts';
import { Peers } from '../edge/peers/index.ts';
import type { Reporter } from '../ports/reporter/index.ts';
import { RevocationFeed } from '../edge/revocations/index.ts';
import { SchemaMigration, type DataMigration } from '../rows/schema/index.ts';
import { Platform } from '../edge/service/platform.ts';
import type { Health, Metrics } from '../base/telemetry/index.ts';
import { WatchedEventBus } from './consumer-progress.ts';
import { databaseUrl, kafkaOf, addressIn, type ProcessConfig } from './process-config.ts';

export type DistributedOptions = {
  readonly deployable: Deployable;
  /** The name of the process: two roles of one deployable have two names. */
  readonly name: string;
  readonly config: ProcessConfig;
  readonly logger: Logger;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly reporter: Reporter;
  readonly sealingKey: Buffer | null;
  readonly openBlobs: (() => Promise<Blobs>) | null;
  readonly mailer: Mailer | null;
  /** Called when a part has ended that only a new process can start again. */
  readonly onCrash: (error: Error) => void;
};

const connected = 1;

/** The technical parts of one process of the distributed edition: Kafka, Redis, its own database, its own keys. */
export class DistributedPlatform extends Platform {
  readonly isAlone = false;
  readonly log = null;
  readonly checkResponses = false;
  readonly deployable: Deployable;
  readonly logger: Logger;
  readonly listen: Platform['listen'];
  readonly metrics: Metrics;
  readonly reporter: Reporter;
  readonly peers: Peers;
  readonly revocations: RevocationFeed;
  readonly bus: WatchedEventBus;
  readonly kv: Platform['kv'];
  readonly doorbell: Platform['doorbell'];
  readonly liveStream: Platform['liveStream'];
  readonly blobs: Platform['blobs'];
  readonly mailer: Platform['mailer'];
  readonly signer: TokenSigner;
  readonly verifier: TokenVerifier;
  readonly sealer: Sealer | null;
  private readonly health: Health;
  private readonly mongoUrl: string | undefined;

  private constructor(
    { config, deployable, logger, metrics, reporter, health, sealingKey, mailer }: DistributedOptions,
    parts: Connections,
  ) {
    super();
    this.deployable = deployable;
    this.logger = logger;
    this.metrics = metrics;
    this.reporter = reporter;
    this.health = health;
    this.listen = { host: config.PARLEY_HOST, port: config.PARLEY_PORT };
    this.mongoUrl = config.PARLEY_MONGO_URL;
    this.sealer = sealingKey && new Sealer(sealingKey);
    this.mailer = mailer;
    this.bus = parts.bus;
    this.kv = parts.kv;
    this.doorbell = parts.doorbell;
    this.liveStream = parts.liveStream;
    this.blobs = parts.blobs;
    this.signer = parts.signer;
    this.verifier = parts.verifier;
    this.peers = new Peers({
      deployable,
      addressOf: async (service) => addressIn(config, service),
      signer: this.signer,
      logger,
    });
    this.revocations = new RevocationFeed({ peers: this.peers, doorbell: this.doorbell, logger, isAlone: false });
  }

  /** Rejects if Kafka or Redis can't be reached. */
  static async open(options: DistributedOptions): Promise<DistributedPlatform> {
    const platform = new DistributedPlatform(options, await connect(options));
    options.health.aliveWhile('consumers', () => platform.bus.standstill(performance.now()));
    // Auth and org can start later. Until they have answered no permissions can be checked, and everyone is refused.
    void platform.revocations.start();
    return platform;
  }

  async openStore(): Promise<Mongo> {
    if (this.mongoUrl === undefined) throw new Error(`${this.deployable} has no database.`);
    return Mongo.connect(databaseUrl(this.mongoUrl, this.deployable));
  }

  readonly failpoint: Platform['failpoint'] = async () => {};

  /**
   * Waits for `parley migrate-schema`, which creates collections and indexes and migrates data. Until then the process
   * is up and not ready.
   */
  async prepareStore(mongo: Mongo, migrations: readonly DataMigration[]): Promise<void> {
    const { connection } = mongo;
    const migration = new SchemaMigration(mongo, migrations);
    let isApplied = false;
    this.health.readyWhile('store', () =>
      connection.readyState === connected && !mongo.isAway ? null : 'not connected',
    );
    this.health.readyWhile('schema', () =>
      isApplied ? null : `version ${migration.version} is not there: run \`parley migrate-schema\``,
    );
    this.health.started();
    if (!(await migration.isApplied()))
      this.logger.warn({ version: migration.version }, 'waiting for the schema: run `parley migrate-schema`');
    await migration.untilApplied();
    isApplied = true;
  }

  async close(): Promise<void> {
    this.revocations.close();
    await this.bus.close();
    await Promise.all([
      this.kv.close(),
      this.doorbell.close(),
      this.liveStream.close(),
      this.blobs?.close(),
      this.mailer?.close(),
      this.peers.close(),
    ]);
  }
}

type Connections = Pick<
  DistributedPlatform,
  'bus' | 'kv' | 'doorbell' | 'liveStream' | 'blobs' | 'signer' | 'verifier'
>;

async function connect({
  config,
  deployable,
  name,
  logger,
  metrics,
  openBlobs,
  onCrash,
}: DistributedOptions): Promise<Connections> {
  const redis = { url: config.PARLEY_REDIS_URL, logger };
  const kafka = KafkaEventBus.open({ ...kafkaOf(config), clientId: `parley-${name}`, logger, onCrash });
  const [bus, kv, doorbell, liveStream] = await Promise.all([
    kafka,
    RedisKv.connect(redis),
    RedisDoorbell.connect(redis),
    RedisLiveStream.connect(redis),
  ]);
  return {
    bus: new WatchedEventBus(bus, logger, ({ group, lag }) =>
      metrics.gauge('parley_kafka_consumer_lag', { service: deployable, group }, lag),
    ),
    kv,
    doorbell,
    liveStream,
    blobs: openBlobs && (await openBlobs()),
    signer: await TokenSigner.create(deployable, config.PARLEY_SIGNING_KEY.private),
    verifier: await TokenVerifier.create(deployable, config.PARLEY_PUBLIC_KEYS),
  };
}

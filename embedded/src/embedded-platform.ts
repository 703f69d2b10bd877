import type { Deployable } from '@parley/contracts';
import { startEmbeddedMongo, type EmbeddedMongo } from '@parley/embedded-mongo';
import { FolderBlobs, type Blobs } from '@parley/platform/blobs';
import { publicKeysOf, Sealer, TokenSigner, TokenVerifier } from '@parley/platform/crypto';
import { MemoryDoorbell } from '@parley/platform/doorbell';
import { EmbeddedEventBus } from '@parley/platform/event-bus';
import { HttpClient } from '@parley/platform/http-client';
import { MemoryKv } from '@parley/platform/kv';
import { MemoryLiveStream } from '@parley/platform/live-stream';
import type { Logger } from '@parley/platform/logging';
import { Mongo } from '@parley/platform/mongo';
import type { RevocationFeed } from '@parley/platform/revocations';
import type { Failpoint, Platform } from '@parley/platform/service';
import { NoMetrics, type Metrics } from '@parley/platform/telemetry';
import type { Revocation } from '@parley/contracts';
import type { DataFolder } from './data-folder.ts';

export type PlatformOptions = {
  readonly folder: DataFolder;
  readonly logger: Logger;
  readonly failpoint: Failpoint;
  readonly checkResponses: boolean;
  /** Where what can be measured is said; nowhere unless given. */
  readonly metrics?: Metrics;
  /** Where documents are; the folder's own store unless a test has another. */
  readonly openStore?: () => Promise<EmbeddedMongo>;
};

/**
 * The technical parts of the one-process edition, shared by its six deployables; keys and databases are each one's own.
 */
export class EmbeddedPlatform {
  readonly store: EmbeddedMongo;
  private readonly options: PlatformOptions;
  private readonly busStore: Mongo;
  private readonly parts: Pick<Platform, 'bus' | 'kv' | 'doorbell' | 'liveStream' | 'http' | 'sealer' | 'metrics'> & {
    readonly blobs: Blobs;
  };
  private feed: RevocationFeed | null = null;
  private readonly waiting = new Set<(revocation: Revocation) => void>();

  private constructor(
    options: PlatformOptions,
    stores: { store: EmbeddedMongo; busStore: Mongo },
    parts: EmbeddedPlatform['parts'],
  ) {
    this.options = options;
    this.store = stores.store;
    this.busStore = stores.busStore;
    this.parts = parts;
  }

  static async open(options: PlatformOptions): Promise<EmbeddedPlatform> {
    const store = await (options.openStore?.() ?? startEmbeddedMongo({ file: options.folder.store }));
    const busStore = await Mongo.connect(store.uri('parley_events'));
    return new EmbeddedPlatform(
      options,
      { store, busStore },
      {
        bus: await EmbeddedEventBus.open({ mongo: busStore, logger: options.logger }),
        blobs: await FolderBlobs.open(options.folder.blobs),
        kv: new MemoryKv(),
        doorbell: new MemoryDoorbell(),
        liveStream: new MemoryLiveStream(),
        http: new HttpClient(),
        metrics: options.metrics ?? new NoMetrics(),
        sealer: new Sealer(Buffer.from(options.folder.keys.sealingKey, 'base64')),
      },
    );
  }

  /** What one deployable gets. */
  async of(deployable: Deployable, listen: Platform['listen'] = { host: '127.0.0.1', port: 0 }): Promise<Platform> {
    const { folder, logger, failpoint, checkResponses } = this.options;
    return {
      ...this.parts,
      deployable,
      listen,
      logger: logger.child({ deployable }),
      mongoUri: this.store.uri(`parley_${deployable}`),
      signer: await TokenSigner.create(deployable, folder.keys.signing[deployable].private),
      verifier: await TokenVerifier.create(deployable, publicKeysOf(folder.keys)),
      revocations: () => this.revocations(),
      onRevocations: (listener) => this.onRevocations(listener),
      prepareStore: (mongo) => mongo.applyIndexes(),
      isAlone: true,
      failpoint,
      checkResponses,
    };
  }

  /** Auth and org are up: from now on revocations are known. */
  useRevocations(feed: RevocationFeed): void {
    this.feed = feed;
    for (const listener of this.waiting) feed.onRevoked(listener);
  }

  async close(): Promise<void> {
    this.feed?.close();
    await this.parts.bus.close();
    await this.parts.http.close();
    await Promise.all([
      this.parts.kv.close(),
      this.parts.doorbell.close(),
      this.parts.liveStream.close(),
      this.parts.blobs.close(),
    ]);
    await this.busStore.close();
    await this.store.close();
  }

  private revocations(): RevocationFeed {
    if (!this.feed) throw new Error('Revocations are asked for before auth and org run.');
    return this.feed;
  }

  private onRevocations(listener: (revocation: Revocation) => void): () => void {
    if (this.feed) return this.feed.onRevoked(listener);
    this.waiting.add(listener);
    return () => this.waiting.delete(listener);
  }
}

import type { Deployable } from '@parley/contracts';
import type { Blobs } from '../../ports/blobs/blobs.ts';
import type { Sealer, TokenSigner, TokenVerifier } from '../../base/crypto/index.ts';
import type { Doorbell } from '../../ports/doorbell/doorbell.ts';
import type { EventBus } from '../../events/event-bus/event-bus.ts';
import type { LocalLog } from '../../events/event-bus/local-log.ts';
import type { Kv } from '../../ports/kv/kv.ts';
import type { LiveStream } from '../../ports/live-stream/live-stream.ts';
import type { Logger } from '../../base/logging/index.ts';
import type { Mailer } from '../../ports/mailer/index.ts';
import type { Mongo } from '../../rows/mongo/index.ts';
import type { Peers } from '../peers/index.ts';
import type { Reporter } from '../../ports/reporter/index.ts';
import type { RevocationFeed } from '../revocations/index.ts';
import type { DataMigration } from '../../rows/schema/index.ts';
import type { Metrics } from '../../base/telemetry/metrics.ts';
import type { Failpoint } from '../../base/failpoint.ts';

/**
 * Holds the technical parts that a deployable needs. A composition root chooses them, so services can't tell the
 * editions apart. Each deployable has its own `Platform`, with its own signer and verifier.
 */
export abstract class Platform {
  abstract readonly deployable: Deployable;
  abstract readonly logger: Logger;
  /** The address to listen on; port 0 takes any free one. */
  abstract readonly listen: { readonly host: string; readonly port: number };
  /** Connects to this deployable's own database. */
  abstract openStore(): Promise<Mongo>;
  abstract readonly bus: EventBus;
  /** The bus's event log if it is in the same store as the services; otherwise null. */
  abstract readonly log: LocalLog | null;
  abstract readonly kv: Kv;
  abstract readonly doorbell: Doorbell;
  abstract readonly liveStream: LiveStream;
  /** Null if the deployable stores no files: a feature that injects `Blobs` then fails at the start. */
  abstract readonly blobs: Blobs | null;
  /** Null if the deployable sends no emails: a feature that injects `Mailer` then fails at the start. */
  abstract readonly mailer: Mailer | null;
  abstract readonly signer: TokenSigner;
  abstract readonly verifier: TokenVerifier;
  /** Null if the deployable has no sealing key: a feature that injects `Sealer` then fails at the start. */
  abstract readonly sealer: Sealer | null;
  /** The other services that this deployable can call by `peersOf`. */
  abstract readonly peers: Peers;
  abstract readonly metrics: Metrics;
  /** Takes reports of internal errors. */
  abstract readonly reporter: Reporter;
  /**
   * Resolves when the database has the collections and indexes of all models, which have to be registered by now, and
   * its data is migrated.
   */
  abstract prepareStore(mongo: Mongo, migrations: readonly DataMigration[]): Promise<void>;
  /** Knows which sessions and permissions were revoked. Everyone is refused until auth and org have answered once. */
  abstract readonly revocations: RevocationFeed;
  /** True if this is the only process: leases of any other holder belong to a dead process. */
  abstract readonly isAlone: boolean;
  abstract readonly failpoint: Failpoint;
  /** Tests check every response by its contract; production trusts the type checker. */
  abstract readonly checkResponses: boolean;
}

/** A started deployable. `close` is graceful and idempotent. */
export type RunningService = { readonly url: string; close(): Promise<void> };

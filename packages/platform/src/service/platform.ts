import type { Deployable } from '@parley/contracts';
import type { Blobs } from '../blobs/blobs.ts';
import type { Sealer, TokenSigner, TokenVerifier } from '../crypto/index.ts';
import type { Doorbell } from '../doorbell/doorbell.ts';
import type { EventBus } from '../event-bus/event-bus.ts';
import type { HttpClient } from '../http-client/index.ts';
import type { Kv } from '../kv/kv.ts';
import type { LiveStream } from '../live-stream/live-stream.ts';
import type { Logger } from '../logging/index.ts';
import type { RevocationFeed } from '../revocations/index.ts';

/** Named places where the kill acceptance stops the process; does nothing otherwise. */
export type Failpoint = (name: 'effect-committed' | 'relayed-not-marked' | 'claimed-no-frame') => Promise<void>;

/**
 * Everything technical that a deployable needs, chosen by a composition root: services cannot tell the editions apart.
 * One per deployable: signer and verifier are its own.
 */
export type Platform = {
  readonly deployable: Deployable;
  readonly logger: Logger;
  /** Connection string of this deployable's own database. */
  readonly mongoUri: string;
  readonly bus: EventBus;
  readonly kv: Kv;
  readonly doorbell: Doorbell;
  readonly liveStream: LiveStream;
  readonly blobs: Blobs;
  readonly signer: TokenSigner;
  readonly verifier: TokenVerifier;
  readonly sealer: Sealer;
  readonly http: HttpClient;
  /** Auth and org start before it exists; it is there when the first person's request arrives. */
  revocations(): RevocationFeed;
  readonly failpoint: Failpoint;
  /** Tests check every answer against its contract; production trusts the type checker. */
  readonly checkResponses: boolean;
};

/** A started deployable. `close` is graceful and may be called again. */
export type RunningService = { readonly url: string; close(): Promise<void> };

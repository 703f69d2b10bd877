import type { Deployable } from '@parley/contracts';
import { Blobs } from '@parley/platform/blobs';
import { createKeyRing, publicKeysOf, Sealer, TokenSigner, TokenVerifier } from '@parley/platform/crypto';
import { MemoryDoorbell } from '@parley/platform/doorbell';
import { EventBus } from '@parley/platform/event-bus';
import { MemoryKv } from '@parley/platform/kv';
import { MemoryLiveStream } from '@parley/platform/live-stream';
import { createLogger } from '@parley/platform/logging';
import { NoMailer } from '@parley/platform/mailer';
import { Mongo } from '@parley/platform/mongo';
import { Peers } from '@parley/platform/peers';
import { NoReporter } from '@parley/platform/reporter';
import { RevocationFeed } from '@parley/platform/revocations';
import type { Platform } from '@parley/platform/service';
import { NoMetrics } from '@parley/platform/telemetry';

/**
 * What an operator's command gives a service so that it can be constructed on its database. Nothing of it runs: its
 * events wait in the outbox for the running service, or its next start, and its keys are good for nothing.
 */
export async function operatorPlatform(mongoUri: string, deployable: Deployable): Promise<Platform> {
  const ring = await createKeyRing();
  const logger = createLogger({ name: 'parley', level: 'silent' });
  const signer = await TokenSigner.create(deployable, ring.signing[deployable].private);
  const peers = new Peers({ deployable, addressOf: async () => notHere(), signer, logger });
  const doorbell = new MemoryDoorbell();
  return {
    deployable,
    logger,
    listen: { host: '127.0.0.1', port: 0 },
    openStore: () => Mongo.connect(mongoUri),
    bus: new NoBus(),
    log: null,
    blobs: new NoBlobs(),
    kv: new MemoryKv(),
    doorbell,
    liveStream: new MemoryLiveStream(),
    metrics: new NoMetrics(),
    reporter: new NoReporter(),
    sealer: new Sealer(Buffer.from(ring.sealingKey, 'base64')),
    mailer: new NoMailer(),
    signer,
    peers,
    // Never started: nobody's requests are answered here.
    revocations: new RevocationFeed({ peers, doorbell, logger, isAlone: false }),
    verifier: await TokenVerifier.create(deployable, publicKeysOf(ring)),
    prepareStore: () => notHere(),
    isAlone: false,
    failpoint: async () => {},
    checkResponses: false,
  };
}

function notHere(): never {
  throw new Error("An operator's command has no running parts.");
}

class NoBus extends EventBus {
  publish(): Promise<void> {
    return notHere();
  }
  subscribe(): Promise<never> {
    return notHere();
  }
  async close(): Promise<void> {}
}

class NoBlobs extends Blobs {
  put(): Promise<number> {
    return notHere();
  }
  get(): Promise<null> {
    return notHere();
  }
  getRange(): Promise<null> {
    return notHere();
  }
  delete(): Promise<void> {
    return notHere();
  }
  beginParts(): Promise<string> {
    return notHere();
  }
  putPart(): Promise<number> {
    return notHere();
  }
  completeParts(): Promise<number> {
    return notHere();
  }
  abortParts(): Promise<void> {
    return notHere();
  }
  async close(): Promise<void> {}
}

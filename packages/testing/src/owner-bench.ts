import type { Deployable, PersonPrincipal, Principal } from '@parley/contracts';
import { createKeyRing, publicKeysOf, TokenSigner, TokenVerifier, type KeyRing } from '@parley/platform/crypto';
import { MemoryDoorbell } from '@parley/platform/doorbell';
import { newId } from '@parley/platform/ids';
import { MemoryKv } from '@parley/platform/kv';
import { MemoryLiveStream } from '@parley/platform/live-stream';
import { Mongo } from '@parley/platform/mongo';
import type { Peers } from '@parley/platform/peers';
import { NoReporter } from '@parley/platform/reporter';
import type { RevocationFeed } from '@parley/platform/revocations';
import { startOwner, type OwnerParts, type Platform, type RunningService } from '@parley/platform/service';
import { NoMetrics } from '@parley/platform/telemetry';
import { principalHeader, type EventEnvelope, type RouteContract } from '@parley/protocol';
import { silentLogger } from './builders.ts';
import { makeEmbeddedEventLog } from './bus-harness.ts';
import { recordedEvents } from './recorded-events.ts';
import type { TestStore } from './test-store.ts';

type Call = { readonly as?: Principal; readonly path?: string; readonly body?: unknown; readonly traceparent?: string };

const nothingRevoked = {
  check: () => Promise.resolve(),
  isFresh: () => true,
  isRevoked: () => false,
  onRevoked: () => () => undefined,
};

/** One service as `startOwner` runs it, with the BFF's key at hand. */
export class OwnerBench {
  private constructor(
    readonly mongo: Mongo,
    private readonly running: RunningService,
    private readonly platform: Platform,
    private readonly keys: KeyRing,
  ) {}

  /** With parts of the platform given, those instead of its own. */
  static async start(
    store: TestStore,
    deployable: Exclude<Deployable, 'bff'>,
    { platform: given, ...parts }: OwnerParts & { readonly platform?: Partial<Platform> },
  ): Promise<OwnerBench> {
    const keys = await createKeyRing();
    const uri = store.freshDatabase();
    const openStore = () => Mongo.connect(uri, { link: store.link });
    const log = await makeEmbeddedEventLog(store);
    const platform: Platform = {
      deployable,
      openStore,
      logger: silentLogger(),
      listen: { host: '127.0.0.1', port: 0 },
      bus: await log.open(),
      // Events stay in the outbox, where `recorded` finds them.
      log: null,
      kv: new MemoryKv(),
      doorbell: new MemoryDoorbell(),
      liveStream: new MemoryLiveStream(),
      blobs: null,
      sealer: null,
      mailer: null,
      peers: {} as Peers,
      metrics: new NoMetrics(),
      reporter: new NoReporter(),
      signer: await TokenSigner.create(deployable, keys.signing[deployable].private),
      verifier: await TokenVerifier.create(deployable, publicKeysOf(keys)),
      prepareStore: (mongo) => mongo.applyIndexes(),
      revocations: nothingRevoked as unknown as RevocationFeed,
      isAlone: false,
      failpoint: () => Promise.resolve(),
      checkResponses: true,
      ...given,
    };
    const running = await startOwner(platform, parts);
    return new OwnerBench(await openStore(), running, platform, keys);
  }

  /** Asks as the BFF does for that person, or as that service. */
  async call(route: RouteContract, { as, path = route.path, body, traceparent }: Call = {}): Promise<Response> {
    const issuer = as?.kind === 'service' ? as.service : 'bff';
    const signer = await TokenSigner.create(issuer, this.keys.signing[issuer].private);
    return fetch(this.running.url + path, {
      method: route.method,
      headers: {
        ...(as && { [principalHeader]: await signer.sign(as, this.platform.deployable) }),
        ...(traceparent && { traceparent }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  /** What the service has recorded so far, oldest first. */
  recorded(): Promise<EventEnvelope[]> {
    return recordedEvents(this.mongo);
  }

  async close(): Promise<void> {
    await this.running.close();
    await this.platform.bus.close();
    await this.mongo.close();
  }
}

/** Somebody signed in; inside an organisation where one is given. */
export function aPerson(more: Partial<PersonPrincipal> = {}): PersonPrincipal {
  return {
    kind: 'person',
    userId: newId('user'),
    name: 'Somebody',
    locale: 'en',
    sessionKey: 'session',
    platformRole: null,
    mayCreateOrganisations: false,
    organisation: null,
    ...more,
  };
}

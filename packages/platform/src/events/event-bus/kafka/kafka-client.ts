import { Kafka, logLevel, type Admin, type LogEntry, type SASLOptions } from 'kafkajs';
import type { Logger } from '../../../base/logging/index.ts';
import { calmRequestQueues } from './request-queue.ts';

calmRequestQueues();

/** The address of a cluster and how to sign in. */
export type KafkaCluster = {
  /** host:port of some brokers of the cluster, by which the others are found. */
  readonly brokers: readonly string[];
  /** True for TLS. The brokers' certificates are from authorities that Node trusts, including `NODE_EXTRA_CA_CERTS`. */
  readonly tls?: boolean;
  /** The SASL login; missing if the brokers ask for none. */
  readonly login?: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
    readonly username: string;
    readonly password: string;
  };
};

export type KafkaConnection = KafkaCluster & {
  /** Names this process in the brokers' logs and quotas. */
  readonly clientId: string;
  readonly logger: Logger;
};

/**
 * Returns a new client for each producer, consumer and admin, because two consumers of one client and one group would
 * clear each other's offsets. Pauses between retries are short, because a person's next event waits.
 */
export function kafkaClientOf({ brokers, tls = false, login, clientId, logger }: KafkaConnection): Kafka {
  return new Kafka({
    brokers: [...brokers],
    clientId,
    ssl: tls,
    ...(login && { sasl: saslOf(login) }),
    connectionTimeout: 3_000,
    requestTimeout: 30_000,
    enforceRequestTimeout: true,
    retry: { initialRetryTime: 100, multiplier: 2, factor: 0.2, maxRetryTime: 1_000, retries: 5 },
    logLevel: logger.isLevelEnabled('debug') ? logLevel.DEBUG : logLevel.ERROR,
    logCreator: () => (entry) => tell(logger, entry),
  });
}

/** Returns the login as kafkajs's options, whose type needs one fixed mechanism. */
function saslOf({ mechanism, username, password }: NonNullable<KafkaCluster['login']>): SASLOptions {
  return { mechanism, username, password } as SASLOptions;
}

/** Connects for reading and changing topics and groups. The caller disconnects it. */
export async function connectAdmin(connection: KafkaConnection): Promise<Admin> {
  const admin = kafkaClientOf(connection).admin();
  await admin.connect();
  return admin;
}

/**
 * Logs what nothing else reports. kafkajs usually retries what it calls an error; if it gives up, that arrives as a
 * rejection or a crash and is logged there. Only a reset offset is reported by nothing else: events were deleted before
 * they were read.
 */
function tell(
  logger: Logger,
  { namespace, level, log: { message, timestamp: _at, logger: _name, ...rest } }: LogEntry,
): void {
  if (!logger.isLevelEnabled('debug') && level > logLevel.ERROR) return;
  if (message.startsWith('Offset out of range'))
    logger.error(
      { namespace, ...rest },
      'events were deleted before this group had read them; it goes on with the oldest that is left',
    );
  else logger.debug({ namespace, ...rest }, message);
}

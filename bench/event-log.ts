import { organisationUpdated, topics } from '@parley/contracts';
import type { EventBus } from '@parley/platform/event-bus';
import {
  applyTopics,
  connectAdmin,
  declaredTopics,
  KafkaEventBus,
  type KafkaEventBusOptions,
} from '@parley/platform/event-bus/kafka';
import { newId } from '@parley/platform/ids';
import { createLogger } from '@parley/platform/logging';
import type { EventEnvelope } from '@parley/protocol';

/** The organisation topic under a name of its own, on a broker. */
export type EventLog = { readonly broker: string; readonly prefix: string };

export const topicOf = ({ prefix }: EventLog): string => `${prefix}${topics.org}`;

export function busOptions({ broker, prefix }: EventLog): KafkaEventBusOptions {
  return {
    brokers: [broker],
    clientId: 'bench',
    prefix,
    logger: createLogger({ name: 'bench', level: 'silent' }),
    onCrash: (error) => {
      throw error;
    },
  };
}

/** With the settings and partitions that `parley topics apply` gives it. */
export async function makeLog(broker: string, prefix: string): Promise<EventLog> {
  const log = { broker, prefix };
  const admin = await connectAdmin(busOptions(log));
  await applyTopics(
    admin,
    declaredTopics()
      .filter(({ name }) => name === topics.org)
      .map((topic) => ({ ...topic, name: topicOf(log) })),
  );
  await admin.disconnect();
  return log;
}

export const openBus = (log: EventLog): Promise<KafkaEventBus> => KafkaEventBus.open(busOptions(log));

/** Spread over all partitions, and several of them in each transaction of a consumer. */
const subjects = Array.from({ length: 1_000 }, () => newId('organisation'));

/** Made at this moment, as its `time` tells. */
export function makeEvents(count: number): EventEnvelope[] {
  return Array.from({ length: count }, (_unused, at) => {
    const [id, orgId] = [newId('event'), subjects[at % subjects.length]!];
    return {
      specversion: '1.0',
      id,
      source: 'bench',
      type: organisationUpdated.type,
      time: new Date().toISOString(),
      subject: orgId,
      tenantid: orgId,
      sequence: at + 1,
      actor: null,
      onbehalfof: null,
      correlationid: id,
      causationid: null,
      traceparent: null,
      data: { orgId, version: at + 1 },
    };
  });
}

/** As many as the outbox relay takes at once. */
const perPublish = 500;

export async function publishAll(bus: EventBus, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += perPublish)
    await bus.publish(topics.org, makeEvents(Math.min(perPublish, count - sent)));
}

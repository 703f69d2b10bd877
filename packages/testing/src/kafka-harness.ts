import {
  applyTopics,
  connectAdmin,
  declaredTopics,
  KafkaEventBus,
  type KafkaEventBusOptions,
} from '@parley/platform/event-bus/kafka';
import { randomUUID } from 'node:crypto';
import { silentLogger } from './builders.ts';
import type { EventLog } from './bus-harness.ts';
import type { TestServer } from './servers/test-server.ts';

export type KafkaLog = EventLog & {
  readonly options: KafkaEventBusOptions;
  /** What subscriptions gave up on. */ readonly crashes: readonly Error[];
  open(): Promise<KafkaEventBus>;
};

/** Keys are spread, and yet several of them meet in one partition. */
const partitions = 3;

/** Topics that nobody has used, on a cluster that others use too. */
export async function makeKafkaLog(server: TestServer): Promise<KafkaLog> {
  const crashes: Error[] = [];
  const prefix = `t${randomUUID().slice(0, 8)}.`;
  const options: KafkaEventBusOptions = {
    brokers: [server.url],
    clientId: 'test',
    logger: silentLogger(),
    prefix,
    redeliveryMs: 20,
    onCrash: (error) => crashes.push(error),
  };
  const admin = await connectAdmin(options);
  await applyTopics(
    admin,
    declaredTopics().map((topic) => ({ ...topic, name: `${prefix}${topic.name}`, partitions })),
  );
  await admin.disconnect();
  return { options, crashes, open: () => KafkaEventBus.open(options) };
}

import {
  applyTopics,
  connectAdmin,
  declaredTopics,
  durabilityFaults,
  durabilityFor,
  inSyncSetting,
  planTopics,
  readDurability,
  readTopics,
  withInSync,
  type KafkaCluster,
  type TopicsPlan,
  type WantedDurability,
} from '@parley/platform/event-bus/kafka';
import { createLogger } from '@parley/platform/logging';
import { z } from 'zod';

const brokers = z.coerce.number().int().positive().max(99).optional();

/** For `topics apply` alone. */
export const durabilityConfig = z.object({
  PARLEY_KAFKA_COPIES: brokers.describe('On how many brokers a new topic lies.'),
  PARLEY_KAFKA_IN_SYNC: brokers.describe('How many of them must have a write before it counts.'),
});
export const durabilityOf = (config: z.infer<typeof durabilityConfig>): WantedDurability => ({
  copies: config.PARLEY_KAFKA_COPIES ?? null,
  inSync: config.PARLEY_KAFKA_IN_SYNC ?? null,
});

type Admin = Awaited<ReturnType<typeof connectAdmin>>;

async function withAdmin<Result>(cluster: KafkaCluster, work: (admin: Admin) => Promise<Result>): Promise<Result> {
  const admin = await connectAdmin({
    ...cluster,
    clientId: 'parley-operator',
    logger: createLogger({ name: 'parley', level: 'silent' }),
  });
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}

/** Makes the topics of `topics.json` as declared there; says what it did and what still differs. */
export async function makeTopics(cluster: KafkaCluster, wanted: WantedDurability): Promise<string[]> {
  return withAdmin(cluster, async (admin) => {
    const declared = declaredTopics();
    const names = declared.map(({ name }) => name);
    const before = await readDurability(admin, names);
    const durability = durabilityFor(before.brokers, wanted);
    const plan = await applyTopics(admin, withInSync(declared, durability, before.topics), durability.copies);
    const done = stepsOf(plan);
    const { brokers: count, topics: read } = await readDurability(admin, names);
    // Another broker may not have heard yet of what was set a moment ago.
    const setNow = plan.set.filter(({ setting }) => setting === inSyncSetting);
    const topics = read.map((topic) => ({
      ...topic,
      inSync: Number(setNow.find(({ name }) => name === topic.name)?.to ?? topic.inSync),
    }));
    return [
      ...(done.length === 0 ? ['All topics are as declared.'] : done),
      ...plan.differs.map((difference) => `Left as it is: ${difference}.`),
      ...durabilityFaults(count, topics).map((fault) => `FAULT: ${fault}. ${durabilityAdvice}`),
    ];
  });
}

export const durabilityAdvice =
  'Add copies with kafka-reassign-partitions.sh, then run `parley topics apply` again: docs/how-to/deploy-distributed.md.';

/** What the loss of a broker may take away; changes nothing. */
export async function weakTopics(cluster: KafkaCluster): Promise<string[]> {
  const names = declaredTopics().map(({ name }) => name);
  return withAdmin(cluster, async (admin) => {
    const { brokers: count, topics } = await readDurability(admin, names);
    return durabilityFaults(count, topics);
  });
}

/** What `makeTopics` would do; changes nothing. */
export async function missingTopics(cluster: KafkaCluster): Promise<string[]> {
  const declared = declaredTopics();
  return withAdmin(cluster, async (admin) =>
    stepsOf(
      planTopics(
        declared,
        await readTopics(
          admin,
          declared.map(({ name }) => name),
        ),
      ),
    ),
  );
}

function stepsOf({ create, addPartitions, set }: TopicsPlan): string[] {
  return [
    ...create.map(({ name, partitions }) => `create ${name} with ${partitions} partitions`),
    ...addPartitions.map(({ name, from, to }) => `${name}: from ${from} to ${to} partitions`),
    ...set.map(({ name, setting, from, to }) => `${name}: ${setting} from ${from ?? "the cluster's"} to ${to}`),
  ];
}

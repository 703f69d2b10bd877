import {
  applyTopics,
  connectAdmin,
  declaredTopics,
  planTopics,
  readTopics,
  type KafkaCluster,
  type TopicsPlan,
} from '@parley/platform/event-bus/kafka';
import { createLogger } from '@parley/platform/logging';

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
export async function makeTopics(cluster: KafkaCluster): Promise<string[]> {
  const plan = await withAdmin(cluster, (admin) => applyTopics(admin, declaredTopics()));
  const done = stepsOf(plan);
  return [
    ...(done.length === 0 ? ['All topics are as declared.'] : done),
    ...plan.differs.map((difference) => `Left as it is: ${difference}.`),
  ];
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

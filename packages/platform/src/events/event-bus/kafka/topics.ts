import kafkajs, { type Admin } from 'kafkajs';
import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';

/**
 * A topic in its declared or present state. `settings` are those of the topic itself; all other settings are the
 * cluster's.
 */
export type KafkaTopic = {
  readonly name: string;
  readonly partitions: number;
  readonly settings: Readonly<Record<string, string>>;
};

/** The changes that the topics need, and the differences that stay: nothing is ever deleted or reduced. */
export type TopicsPlan = {
  readonly create: readonly KafkaTopic[];
  readonly addPartitions: readonly { readonly name: string; readonly from: number; readonly to: number }[];
  readonly set: readonly {
    readonly name: string;
    readonly setting: string;
    readonly from: string | null;
    readonly to: string;
  }[];
  readonly differs: readonly string[];
};

const declaration = z.strictObject({
  settings: z.record(z.string(), z.string()),
  topics: z.array(
    z.strictObject({
      name: z.string(),
      partitions: z.int().positive(),
      retentionDays: z.number().positive(),
      key: z.string(),
      about: z.string(),
    }),
  ),
});
export const inSyncSetting = 'min.insync.replicas';
const dayMs = 24 * 3_600_000;
const topicSource = 1;
const leadersWithinMs = 30_000;
const leaderPollMs = 50;

/** Returns the topics of `topics.json` in the contracts. */
export function declaredTopics(): KafkaTopic[] {
  const { settings, topics } = declaration.parse(createRequire(import.meta.url)('@parley/contracts/topics.json'));
  return topics.map(({ name, partitions, retentionDays }) => ({
    name,
    partitions,
    settings: { ...settings, 'retention.ms': String(retentionDays * dayMs) },
  }));
}

/** Compares; changes nothing. */
export function planTopics(declared: readonly KafkaTopic[], actual: readonly KafkaTopic[]): TopicsPlan {
  const known = new Map(actual.map((topic) => [topic.name, topic]));
  const pairs = declared.flatMap((topic) => {
    const there = known.get(topic.name);
    return there ? [{ topic, there }] : [];
  });
  return {
    create: declared.filter(({ name }) => !known.has(name)),
    addPartitions: pairs
      .filter(({ topic, there }) => there.partitions < topic.partitions)
      .map(({ topic, there }) => ({ name: topic.name, from: there.partitions, to: topic.partitions })),
    set: pairs.flatMap(({ topic, there }) =>
      Object.entries(topic.settings)
        .filter(([setting, to]) => there.settings[setting] !== to)
        .map(([setting, to]) => ({ name: topic.name, setting, from: there.settings[setting] ?? null, to })),
    ),
    differs: pairs.flatMap(({ topic, there }) => [
      ...(there.partitions > topic.partitions
        ? [
            `${topic.name} has ${there.partitions} partitions, declared are ${topic.partitions}; partitions cannot be taken away`,
          ]
        : []),
      ...Object.entries(there.settings)
        .filter(([setting]) => !(setting in topic.settings) && setting !== inSyncSetting)
        .map(([setting, value]) => `${topic.name} sets ${setting} to ${value}, which is not declared`),
    ]),
  };
}

/** Returns the topics of these names on the cluster, without missing ones. */
export async function readTopics(admin: Admin, names: readonly string[]): Promise<KafkaTopic[]> {
  const existing = new Set(await admin.listTopics());
  const wanted = names.filter((name) => existing.has(name));
  if (wanted.length === 0) return [];
  const { topics } = await admin.fetchTopicMetadata({ topics: wanted });
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: wanted.map((name) => ({ type: kafkajs.ConfigResourceTypes.TOPIC, name })),
  });
  return topics.map(({ name, partitions }) => {
    const entries = resources.find((resource) => resource.resourceName === name)?.configEntries ?? [];
    const own = entries.filter((entry) => Number(entry.configSource) === topicSource);
    return {
      name,
      partitions: partitions.length,
      settings: Object.fromEntries(own.map((entry) => [entry.configName, entry.configValue])),
    };
  });
}

/**
 * Creates or changes the topics as declared, and returns what it did and what still differs. Idempotent. New partitions
 * move keys, so later events of a key can be read beside its earlier ones: add partitions when the topic is drained.
 * `copies`: brokers that have each new topic; null: the cluster's default.
 */
export async function applyTopics(
  admin: Admin,
  declared: readonly KafkaTopic[],
  copies: number | null = null,
): Promise<TopicsPlan> {
  const actual = await readTopics(
    admin,
    declared.map(({ name }) => name),
  );
  const plan = planTopics(declared, actual);
  if (plan.create.length > 0) {
    const topics = plan.create.map(({ name, partitions, settings }) => ({
      topic: name,
      numPartitions: partitions,
      replicationFactor: copies ?? -1,
      configEntries: entriesOf(settings),
    }));
    await admin.createTopics({ topics, waitForLeaders: false });
    await untilLed(admin, plan.create);
  }
  if (plan.addPartitions.length > 0)
    await admin.createPartitions({
      topicPartitions: plan.addPartitions.map(({ name, to }) => ({ topic: name, count: to })),
    });
  // Sends all settings of a topic, including those that aren't Parley's, because they are replaced as a whole.
  const changed = [...new Set(plan.set.map(({ name }) => name))].map((name) => ({
    ...settingsIn(actual, name),
    ...settingsIn(declared, name),
    name,
  }));
  if (changed.length > 0) {
    const resources = changed.map(({ name, ...settings }) => ({
      type: kafkajs.ConfigResourceTypes.TOPIC,
      name,
      configEntries: entriesOf(settings),
    }));
    await admin.alterConfigs({ validateOnly: false, resources });
  }
  return plan;
}

/**
 * kafkajs waits for leaders itself, but gives up if a broker doesn't know a topic yet that its controller has just
 * created.
 */
async function untilLed(admin: Admin, made: readonly KafkaTopic[]): Promise<void> {
  const isLed = async (): Promise<boolean> => {
    const { topics } = await admin.fetchTopicMetadata({ topics: made.map(({ name }) => name) });
    return made.every(
      ({ name, partitions }) =>
        topics.find((topic) => topic.name === name)?.partitions.filter(({ leader }) => leader >= 0).length ===
        partitions,
    );
  };
  for (const endsAt = performance.now() + leadersWithinMs; ;) {
    try {
      if (await isLed()) return;
    } catch (error) {
      if (performance.now() > endsAt) throw error;
    }
    if (performance.now() > endsAt)
      throw new Error(
        `These topics were made but have no leaders after ${leadersWithinMs / 1_000} s: ${made.map(({ name }) => name).join(', ')}.`,
      );
    await wait(leaderPollMs);
  }
}

function settingsIn(topics: readonly KafkaTopic[], name: string): Readonly<Record<string, string>> {
  return topics.find((topic) => topic.name === name)?.settings ?? {};
}

function entriesOf(settings: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(settings).map(([name, value]) => ({ name, value }));
}

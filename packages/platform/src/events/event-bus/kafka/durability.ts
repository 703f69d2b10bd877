import kafkajs, { type Admin } from 'kafkajs';
import { inSyncSetting, type KafkaTopic } from './topics.ts';

/** The durability that an operator asks for; null: the default. */
export type WantedDurability = { readonly copies: number | null; readonly inSync: number | null };
/** The number of brokers that have a topic, and of brokers that must have a write before it is acknowledged. */
export type TopicDurability = { readonly name: string; readonly copies: number; readonly inSync: number };

const safeCopies = 3;
const safeInSync = 2;

/** Returns the durability of these topics, without missing ones. */
export async function readDurability(
  admin: Admin,
  names: readonly string[],
): Promise<{ readonly brokers: number; readonly topics: readonly TopicDurability[] }> {
  const { brokers } = await admin.describeCluster();
  const existing = new Set(await admin.listTopics());
  const wanted = names.filter((name) => existing.has(name));
  if (wanted.length === 0) return { brokers: brokers.length, topics: [] };
  const { topics } = await admin.fetchTopicMetadata({ topics: wanted });
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: wanted.map((name) => ({ type: kafkajs.ConfigResourceTypes.TOPIC, name, configNames: [inSyncSetting] })),
  });
  return {
    brokers: brokers.length,
    topics: topics.map(({ name, partitions }) => ({
      name,
      copies: Math.min(...partitions.map(({ replicas }) => replicas.length)),
      inSync: Number(resources.find(({ resourceName }) => resourceName === name)?.configEntries[0]?.configValue ?? 1),
    })),
  };
}

/**
 * Returns the durability for new topics. The default is three copies, two of them in sync, as soon as there are three
 * brokers.
 */
export function durabilityFor(brokers: number, wanted: WantedDurability): WantedDurability {
  const copies = wanted.copies ?? (brokers >= safeCopies ? safeCopies : null);
  return { copies, inSync: wanted.inSync ?? ((copies ?? 1) > safeInSync ? safeInSync : null) };
}

/**
 * Returns the topics with the number of copies that have to be in sync, if losing one broker then stops no write. An
 * existing topic keeps its copies.
 */
export const withInSync = (
  declared: readonly KafkaTopic[],
  { copies, inSync }: WantedDurability,
  actual: readonly TopicDurability[],
): KafkaTopic[] =>
  declared.map((topic) => {
    const held = actual.find(({ name }) => name === topic.name)?.copies ?? copies ?? 1;
    return inSync === null || held <= inSync
      ? topic
      : { ...topic, settings: { ...topic.settings, [inSyncSetting]: String(inSync) } };
  });

/**
 * Returns a sentence for each topic that can be lost with one of several brokers. An installation with one broker has
 * no choice.
 */
export const durabilityFaults = (brokers: number, topics: readonly TopicDurability[]): string[] =>
  brokers < 2
    ? []
    : topics
        .filter(({ copies, inSync }) => copies < safeCopies || inSync < safeInSync)
        .map(
          ({ name, copies, inSync }) =>
            `${name} has ${copies} of ${safeCopies} copies, and ${inSync} of ${safeInSync} must have a write before it counts`,
        );

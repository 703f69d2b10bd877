import { readConfig } from '@parley/platform/config';
import { DeadLetters } from '@parley/platform/event-bus';
import type { KafkaCluster } from '@parley/platform/event-bus/kafka';
import { Mongo } from '@parley/platform/mongo';
import { databaseUrl, kafkaConfig, kafkaOf, processConfig } from '@parley/platform/process-config';
import { describeRedis } from '@parley/platform/process/redis';
import { z } from 'zod';
import { deployableConfigs, keyFaultOf } from './deployable-configs.ts';
import { reactingOwners } from './letters.ts';
import { examineQuotas, examineTrees, type Finding } from './examine-data.ts';
import { countingOwners } from './limits.ts';
import { ownerNames, withMigration, type Owner } from './migrate-schema.ts';
import { durabilityAdvice, missingTopics, weakTopics } from './topics.ts';

const oldestNode = 24;
const oldestRedis = 7;
/** Internal tokens live for 60 s, sessions are compared between machines. */
const clockLimitMs = 2_000;
const askMs = 10_000;
/** A process that is killed in a transaction blocks what it was changing for as long; ours take less than a second. */
const longestTransactionSeconds = 10;

const mongoConfig = processConfig.pick({ PARLEY_MONGO_URL: true });
const redisConfig = processConfig.pick({ PARLEY_REDIS_URL: true });
const surroundings = z.object({ ...mongoConfig.shape, ...kafkaConfig.shape, ...redisConfig.shape }).partial();

/**
 * Looks at everything that a distributed installation rests on. With a deployable's name also at all of its settings.
 * Changes nothing but counters of quotas that are wrong.
 */
export async function examine(deployable: string | undefined): Promise<Finding[]> {
  const findings = [examineNode(), examineSettings(deployable)];
  const [mongo, kafka, redis] = [readValid(mongoConfig), readValid(kafkaConfig), readValid(redisConfig)];
  const looks = [
    mongo ? examineMongo(mongo.PARLEY_MONGO_URL) : missing('MongoDB', 'PARLEY_MONGO_URL'),
    kafka ? examineKafka(kafkaOf(kafka)) : missing('Kafka', 'PARLEY_KAFKA_BROKERS'),
    redis ? examineRedis(redis.PARLEY_REDIS_URL) : missing('Redis', 'PARLEY_REDIS_URL'),
  ];
  return [...findings, ...(await Promise.all(looks)).flat()];
}

/** One line for people. */
export const reportOf = ({ part, found, advice }: Finding): string =>
  `${advice === null ? 'ok   ' : 'FAULT'} ${part}: ${found}${advice === null ? '' : `\n      → ${advice}`}`;

function examineNode(version = process.versions.node): Finding {
  const isOld = Number.parseInt(version, 10) < oldestNode;
  return { part: 'Node', found: version, advice: isOld ? `Use Node ${oldestNode} or newer.` : null };
}

/** Null when something is missing or not valid: it is named with the settings, the rest is looked at all the same. */
function readValid<Schema extends z.ZodType>(schema: Schema): z.output<Schema> | null {
  try {
    return readConfig(schema);
  } catch {
    return null;
  }
}

function examineSettings(deployable: string | undefined): Finding {
  const part = deployable === undefined ? 'Settings' : `Settings of ${deployable}`;
  const schema =
    deployable === undefined ? surroundings : deployableConfigs[deployable as keyof typeof deployableConfigs];
  if (!schema)
    return { part, found: 'no such deployable', advice: `Name one of ${Object.keys(deployableConfigs).join(', ')}.` };
  try {
    const config: unknown = readConfig(schema);
    const fault = deployable === undefined ? null : keyFaultOf(config, deployable);
    return {
      part,
      found: fault ?? 'valid',
      advice: fault && 'Give it the files that one run of `parley keys init` wrote.',
    };
  } catch (error) {
    return {
      part,
      found: (error as Error).message,
      advice: 'Correct these variables; each may also be a file that PARLEY_…_FILE names.',
    };
  }
}

async function missing(part: string, variable: string): Promise<Finding[]> {
  return [{ part, found: 'not looked at', advice: `Set ${variable} to a valid value.` }];
}

async function examineMongo(url: string): Promise<Finding[]> {
  const seen = await inTime(helloOf(url)).catch((error: unknown) => error as Error);
  if (seen instanceof Error) {
    return [
      {
        part: 'MongoDB',
        found: `cannot be reached (${seen.message})`,
        advice: 'Start it, check PARLEY_MONGO_URL, user and network; from this machine too.',
      },
    ];
  }
  if (seen.setName === undefined)
    return [
      {
        part: 'MongoDB',
        found: 'is no replica set',
        advice: 'Start it with --replSet and run rs.initiate(), also with one member: transactions need it.',
      },
    ];
  return [
    { part: 'MongoDB', found: `replica set ${seen.setName}`, advice: null },
    examineClock(seen.skewMs),
    ...examineTransactions(seen.transactionSeconds),
    ...(await Promise.all(ownerNames.map((owner) => examineSchema(url, owner)))),
    ...(await Promise.all(reactingOwners.map((owner) => examineLetters(url, owner)))),
    ...(await Promise.all(countingOwners.map((owner) => examineQuotas(url, owner)))),
    await examineTrees(url),
  ];
}

async function helloOf(
  url: string,
): Promise<{ setName: string | undefined; skewMs: number; transactionSeconds: number | null }> {
  const mongo = await Mongo.connect(databaseUrl(url, 'auth'));
  try {
    const askedAt = Date.now();
    const admin = mongo.connection.db!.admin();
    const hello = await admin.command({ hello: 1 });
    const middle = (askedAt + Date.now()) / 2;
    // Not every user may read it.
    const read = await admin.command({ getParameter: 1, transactionLifetimeLimitSeconds: 1 }).catch(() => null);
    const seconds: unknown = read?.['transactionLifetimeLimitSeconds'];
    return {
      transactionSeconds: typeof seconds === 'number' ? seconds : null,
      setName: hello['setName'] as string | undefined,
      skewMs: hello['localTime'] instanceof Date ? hello['localTime'].getTime() - middle : 0,
    };
  } finally {
    await mongo.close();
  }
}

function examineClock(skewMs: number): Finding {
  const isOff = Math.abs(skewMs) > clockLimitMs;
  return {
    part: 'Clock',
    found: `${Math.abs(Math.round(skewMs))} ms from MongoDB's`,
    advice: isOff ? 'Let all machines follow the same time (NTP): tokens live for a minute.' : null,
  };
}

function examineTransactions(seconds: number | null): Finding[] {
  if (seconds === null) return [];
  const advice =
    seconds > longestTransactionSeconds
      ? 'Set transactionLifetimeLimitSeconds to 3 (mongod --setParameter): what a killed process was changing is blocked for so long.'
      : null;
  return [{ part: 'Transactions', found: `end after ${seconds} s at the latest`, advice }];
}

async function examineSchema(url: string, owner: (typeof ownerNames)[number]): Promise<Finding> {
  const part = `Schema of ${owner}`;
  try {
    const { version, isThere } = await withMigration({ url, owner }, async (migration) => ({
      version: migration.version,
      isThere: await migration.isApplied(),
    }));
    return {
      part,
      found: isThere ? version : `${version} is not there`,
      advice: isThere ? null : 'Run `parley migrate-schema`.',
    };
  } catch (error) {
    return {
      part,
      found: `cannot be read (${(error as Error).message})`,
      advice: `Give the user of PARLEY_MONGO_URL the right to parley_${owner}.`,
    };
  }
}

async function examineLetters(url: string, owner: Owner): Promise<Finding> {
  const part = `Dead letters of ${owner}`;
  const mongo = await Mongo.connect(databaseUrl(url, owner));
  try {
    const letters = new DeadLetters(mongo);
    const [count, keys] = await Promise.all([letters.count(), letters.countParkedKeys()]);
    return {
      part,
      found: `${count}, keys that wait ${keys}`,
      advice: count === 0 ? null : `Run \`parley letters list --service ${owner}\`: docs/runbooks/dead-letters.md.`,
    };
  } catch (error) {
    return {
      part,
      found: `cannot be read (${(error as Error).message})`,
      advice: `Give the user of PARLEY_MONGO_URL the right to parley_${owner}.`,
    };
  } finally {
    await mongo.close();
  }
}

async function examineKafka(cluster: KafkaCluster): Promise<Finding[]> {
  try {
    const [steps, weak] = await inTime(Promise.all([missingTopics(cluster), weakTopics(cluster)]));
    return [
      { part: 'Kafka', found: 'answers', advice: null },
      {
        part: 'Topics',
        found: steps.length === 0 ? 'as declared' : steps.join('; '),
        advice: steps.length === 0 ? null : 'Run `parley topics apply`.',
      },
      {
        part: 'Copies of topics',
        found: weak.length === 0 ? 'enough for these brokers' : weak.join('; '),
        advice: weak.length === 0 ? null : durabilityAdvice,
      },
    ];
  } catch (error) {
    return [
      {
        part: 'Kafka',
        found: `cannot be reached (${(error as Error).message})`,
        advice:
          'Start it, check PARLEY_KAFKA_BROKERS, PARLEY_KAFKA_TLS, PARLEY_KAFKA_LOGIN and what the brokers advertise (advertised.listeners).',
      },
    ];
  }
}

async function examineRedis(url: string): Promise<Finding[]> {
  try {
    const { version, major } = await inTime(describeRedis(url));
    return [
      {
        part: 'Redis',
        found: version,
        advice: major >= oldestRedis ? null : `Use Redis ${oldestRedis} or newer, or Valkey.`,
      },
    ];
  } catch (error) {
    return [
      {
        part: 'Redis',
        found: `cannot be reached (${(error as Error).message})`,
        advice: 'Start it, check PARLEY_REDIS_URL and its password.',
      },
    ];
  }
}

/** A client that tries again for ever must not keep the doctor. */
async function inTime<Answer>(asked: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${askMs / 1_000} s`)), askMs);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

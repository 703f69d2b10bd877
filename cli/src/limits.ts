import { ceilingNames, quotaLimits, type CeilingName } from '@parley/contracts';
import { chatConfig } from '@parley/chat';
import { readConfig } from '@parley/platform/config';
import { jobScope, Mongo } from '@parley/platform/mongo';
import { recountQuota, Quotas } from '@parley/platform/quotas';
import type { OrgId } from '@parley/protocol';
import { openDatabases, type Databases } from './databases.ts';
import { ownerNames, owners, type Owner } from './migrate-schema.ts';
import { mendTrees } from './trees.ts';

/** Which organisation, by id or URL name; in a data folder or in MongoDB. */
export type LimitOptions = { readonly organisation: string; readonly data?: string };

const gigabyte = 1_000_000_000;
const job = jobScope("an operator's command");

/** One line for each quota of an organisation: what it has, and how much it can have. */
export async function listLimits({ organisation, data }: LimitOptions): Promise<string[]> {
  return withDatabases(data, async (databases) => {
    const orgId = await organisationOf(databases, organisation);
    const lines: string[] = [];
    for (const quota of ceilingNames)
      await inOwner(databases, quotaLimits[quota].service, async (mongo) => {
        const defaultCeiling = defaultOf(quota);
        const counted = owners[quotaLimits[quota].service].countedQuotas ?? [];
        const shownOf = { quota: quota, counted, defaultCeiling };
        const { used, ceiling } = await new Quotas(mongo).show(job.in(orgId), shownOf);
        const isSet = ceiling !== defaultCeiling;
        const has = used === null ? 'at most' : `${shown(quota, used)} of`;
        lines.push(`${quota}  ${has} ${shown(quota, ceiling)}${isSet ? ', set for this organisation' : ''}`);
      });
    return lines;
  });
}

/** Sets how much of a quota an organisation can have; takes effect at once. `default` goes back to the default. */
export async function setLimit(quota: string, value: string, { organisation, data }: LimitOptions): Promise<string[]> {
  if (!isCeilingName(quota)) throw new Error(`There is no limit ${quota}: choose one of ${ceilingNames.join(', ')}.`);
  const ceiling = value === 'default' ? null : ceilingOf(quota, value);
  return withDatabases(data, async (databases) => {
    const orgId = await organisationOf(databases, organisation);
    await inOwner(databases, quotaLimits[quota].service, (mongo) =>
      new Quotas(mongo).setCeiling(job.in(orgId), quota, ceiling),
    );
    return [`${orgId} can have ${shown(quota, ceiling ?? defaultOf(quota))} of ${quota}.`];
  });
}

/** Tells how the recount of a service's quotas went. */
export type RecountedQuotas = {
  readonly counters: number;
  /** One line for each counter that was wrong and is right now. */
  readonly corrected: readonly string[];
  /** Counters that changed all the time. */
  readonly busy: readonly string[];
};

/** Counts the quotas of one service again and corrects the counters that differ; safe while it runs. */
export async function recountOwner(databases: Databases, owner: Owner): Promise<RecountedQuotas> {
  const [corrected, busy]: [string[], string[]] = [[], []];
  let counters = 0;
  const { counter } = owners[owner];
  await inOwner(databases, owner, async (mongo) => {
    if (!counter) return;
    for await (const { quota, orgId, before, after } of recountQuota(mongo, counter)) {
      counters += 1;
      const name = `${quota} of ${orgId}`;
      if (after === null) busy.push(name);
      else if (after !== before) corrected.push(`${name}: ${before}, counted ${after}`);
    }
  });
  return { counters, corrected, busy };
}

/** Services that count quotas. */
export const countingOwners = ownerNames.filter((name) => owners[name].counter);

/** Counts all quotas of a stopped data folder again, and looks at its trees of messages. */
export async function recountFolder(data: string): Promise<string[]> {
  return withDatabases(data, async (databases) => {
    const lines: string[] = [];
    for (const owner of countingOwners) {
      const { counters, corrected } = await recountOwner(databases, owner);
      lines.push(`${owner}: ${counters} counters, ${corrected.length} corrected`, ...corrected);
    }
    return [...lines, ...(await mendTrees(databases.uriOf('chat')))];
  });
}

async function withDatabases<Result>(
  data: string | undefined,
  act: (databases: Databases) => Promise<Result>,
): Promise<Result> {
  const databases = await openDatabases(data);
  return act(databases).finally(() => databases.close());
}

async function inOwner<Result>(
  databases: Databases,
  owner: Owner,
  act: (mongo: Mongo) => Promise<Result>,
): Promise<Result> {
  const mongo = await Mongo.connect(databases.uriOf(owner));
  return act(mongo).finally(() => mongo.close());
}

async function organisationOf(databases: Databases, named: string): Promise<OrgId> {
  return inOwner(databases, 'org', async (mongo) => {
    const organisations = mongo.connection.collection<{ _id: string; slug: string }>('organisations');
    const found = (await organisations.findOne({ _id: named })) ?? (await organisations.findOne({ slug: named }));
    if (!found) throw new Error(`There is no organisation with the id or URL name ${named}.`);
    return found._id as OrgId;
  });
}

const isCeilingName = (name: string): name is CeilingName => (ceilingNames as readonly string[]).includes(name);
const isInBytes = (quota: CeilingName): boolean => quotaLimits[quota].unit === 'bytes';
const shown = (quota: CeilingName, amount: number): string =>
  isInBytes(quota) ? `${Number((amount / gigabyte).toPrecision(4))} GB` : String(amount);

function defaultOf(quota: CeilingName): number {
  if (quota !== 'storage') return quotaLimits[quota].ceiling;
  const config = readConfig(chatConfig.pick({ PARLEY_STORAGE_PER_ORGANISATION_GB: true }));
  return Math.round(config.PARLEY_STORAGE_PER_ORGANISATION_GB * gigabyte);
}

function ceilingOf(quota: CeilingName, value: string): number {
  const { highest } = quotaLimits[quota];
  const ceiling = isInBytes(quota) ? Math.round(Number(value) * gigabyte) : Number(value);
  if (!/^\d+(\.\d+)?$/.test(value) || !Number.isInteger(ceiling) || ceiling > highest)
    throw new Error(
      `Give a ${isInBytes(quota) ? 'number of GB' : 'number'} up to ${shown(quota, highest)}, or default.`,
    );
  return ceiling;
}

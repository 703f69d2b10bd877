import { ceilingNames, stockLimits, type CeilingName } from '@parley/contracts';
import { chatConfig } from '@parley/chat';
import { readConfig } from '@parley/platform/config';
import { jobScope, Mongo } from '@parley/platform/mongo';
import { recountStocks, Stocks } from '@parley/platform/stocks';
import type { OrgId } from '@parley/protocol';
import { openDatabases, type Databases } from './databases.ts';
import { ownerNames, owners, type Owner } from './migrate-schema.ts';
import { mendTrees } from './trees.ts';

/** Which organisation, by id or URL name; in a data folder or in MongoDB. */
export type LimitOptions = { readonly organisation: string; readonly data?: string };

const gigabyte = 1_000_000_000;
const job = jobScope("an operator's command");

/** One line for each stock of an organisation: what it has, and how much it can have. */
export async function listLimits({ organisation, data }: LimitOptions): Promise<string[]> {
  return withDatabases(data, async (databases) => {
    const orgId = await organisationOf(databases, organisation);
    const lines: string[] = [];
    for (const stock of ceilingNames)
      await inOwner(databases, stockLimits[stock].service, async (mongo) => {
        const defaultCeiling = defaultOf(stock);
        const counted = owners[stockLimits[stock].service].countedQuotas ?? [];
        const shownOf = { quota: stock, counted, defaultCeiling };
        const { used, ceiling } = await new Stocks(mongo).show(job.in(orgId), shownOf);
        const isSet = ceiling !== defaultCeiling;
        const has = used === null ? 'at most' : `${shown(stock, used)} of`;
        lines.push(`${stock}  ${has} ${shown(stock, ceiling)}${isSet ? ', set for this organisation' : ''}`);
      });
    return lines;
  });
}

/** Sets how much of a stock an organisation can have; takes effect at once. `default` goes back to the default. */
export async function setLimit(stock: string, value: string, { organisation, data }: LimitOptions): Promise<string[]> {
  if (!isCeilingName(stock)) throw new Error(`There is no limit ${stock}: choose one of ${ceilingNames.join(', ')}.`);
  const ceiling = value === 'default' ? null : ceilingOf(stock, value);
  return withDatabases(data, async (databases) => {
    const orgId = await organisationOf(databases, organisation);
    await inOwner(databases, stockLimits[stock].service, (mongo) =>
      new Stocks(mongo).setCeiling(job.in(orgId), stock, ceiling),
    );
    return [`${orgId} can have ${shown(stock, ceiling ?? defaultOf(stock))} of ${stock}.`];
  });
}

/** What counting a service's stocks again came to. */
export type RecountedStocks = {
  readonly counters: number;
  /** One line for each counter that was wrong and is right now. */
  readonly corrected: readonly string[];
  /** Counters that changed all the time. */
  readonly busy: readonly string[];
};

/** Counts the stocks of one service again and corrects the counters that differ; safe while it runs. */
export async function recountOwner(databases: Databases, owner: Owner): Promise<RecountedStocks> {
  const [corrected, busy]: [string[], string[]] = [[], []];
  let counters = 0;
  await inOwner(databases, owner, async (mongo) => {
    for await (const { stock, orgId, before, after } of recountStocks(mongo, owners[owner].stocks ?? [])) {
      counters += 1;
      const name = `${stock} of ${orgId}`;
      if (after === null) busy.push(name);
      else if (after !== before) corrected.push(`${name}: ${before}, counted ${after}`);
    }
  });
  return { counters, corrected, busy };
}

/** Services that count stocks. */
export const countingOwners = ownerNames.filter((name) => (owners[name].stocks ?? []).length > 0);

/** Counts all stocks of a stopped data folder again, and looks at its trees of messages. */
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
const isInBytes = (stock: CeilingName): boolean => stockLimits[stock].unit === 'bytes';
const shown = (stock: CeilingName, amount: number): string =>
  isInBytes(stock) ? `${Number((amount / gigabyte).toPrecision(4))} GB` : String(amount);

function defaultOf(stock: CeilingName): number {
  if (stock !== 'storage') return stockLimits[stock].ceiling;
  const config = readConfig(chatConfig.pick({ PARLEY_STORAGE_PER_ORGANISATION_GB: true }));
  return Math.round(config.PARLEY_STORAGE_PER_ORGANISATION_GB * gigabyte);
}

function ceilingOf(stock: CeilingName, value: string): number {
  const { highest } = stockLimits[stock];
  const ceiling = isInBytes(stock) ? Math.round(Number(value) * gigabyte) : Number(value);
  if (!/^\d+(\.\d+)?$/.test(value) || !Number.isInteger(ceiling) || ceiling > highest)
    throw new Error(
      `Give a ${isInBytes(stock) ? 'number of GB' : 'number'} up to ${shown(stock, highest)}, or default.`,
    );
  return ceiling;
}

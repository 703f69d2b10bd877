import { databaseUrl } from '@parley/platform/process-config';
import { recountOwner } from './limits.ts';
import { withMigration, type Owner } from './migrate-schema.ts';
import { mendTrees } from './trees.ts';

/** What was found of one part. `advice` is what to do; null when all is well. */
export type Finding = { readonly part: string; readonly found: string; readonly advice: string | null };

/** Counts quotas again and corrects counters that are wrong: processes of an earlier release do not count. */
export async function examineQuotas(url: string, owner: Owner): Promise<Finding> {
  const part = `Counters of ${owner}`;
  try {
    if (!(await withMigration({ url, owner }, (migration) => migration.isApplied())))
      return { part, found: 'not looked at', advice: 'Run `parley migrate-schema`.' };
    const databases = { uriOf: (name: Owner) => databaseUrl(url, name), close: async () => {} };
    const { counters, corrected, busy } = await recountOwner(databases, owner);
    const found = [`${counters} counted again`, ...corrected.map((line) => `${line} (corrected)`)].join('; ');
    return {
      part,
      found: busy.length === 0 ? found : `${found}; changed all the time: ${busy.join(', ')}`,
      advice: busy.length === 0 ? null : 'Run it again when less is going on.',
    };
  } catch (error) {
    return {
      part,
      found: `cannot be counted (${(error as Error).message})`,
      advice: `Give the user of PARLEY_MONGO_URL the right to parley_${owner}.`,
    };
  }
}

/** Checks the place of every message and rebuilds the trees in which one doesn't match the parents. */
export async function examineTrees(url: string): Promise<Finding> {
  const part = 'Trees of messages';
  try {
    if (!(await withMigration({ url, owner: 'chat' }, (migration) => migration.isApplied())))
      return { part, found: 'not looked at', advice: 'Run `parley migrate-schema`.' };
    return { part, found: (await mendTrees(databaseUrl(url, 'chat'))).join('; '), advice: null };
  } catch (error) {
    return {
      part,
      found: `cannot be looked at (${(error as Error).message})`,
      advice: 'Give the user of PARLEY_MONGO_URL the right to parley_chat.',
    };
  }
}

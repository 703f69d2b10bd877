import { republish } from '@parley/platform/service';
import { openDatabases } from './databases.ts';
import { ownerNames, owners, type Owner } from './migrate-schema.ts';
import { operatorPlatform } from './operator-platform.ts';

const tellers: readonly Owner[] = ownerNames.filter((name) => owners[name].snapshots);

/** Has a service tell what it owns once more. Doing it twice does no harm. Says what it did. */
export async function republishAll(service: string, data: string | undefined): Promise<string[]> {
  const owner = tellers.find((name) => name === service);
  if (!owner) throw new Error(`${service} has nothing to publish again: choose one of ${tellers.join(', ')}.`);
  const databases = await openDatabases(data);
  try {
    const count = await republish(await operatorPlatform(databases.uriOf(owner), owner), owners[owner]);
    return [`${owner}: ${count} events go out again as soon as it runs.`];
  } finally {
    await databases.close();
  }
}

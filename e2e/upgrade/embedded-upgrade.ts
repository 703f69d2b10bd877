import { freePort } from '@parley/testing/servers';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bothHooks } from '../accept-kill/kill-points.ts';
import { Product } from '../accept-kill/product.ts';
import type { Checks } from './checks.ts';
import type { Fixture } from './fixture.ts';
import { checkInstallation, type Opened } from './installation-checks.ts';
import { killMigrations } from './kill-migrations.ts';
import { outsideAddress, startOutside, type Outside } from './outside.ts';
import { clockHook, inStore, runParleyUntilEnd } from './processes.ts';

/** The databases of a data folder. */
export const databases = ['parley_auth', 'parley_org', 'parley_chat', 'parley_billing', 'parley_monitoring'] as const;

/** Opens the data folder of a fixture after kills in its migrations, and its backup. */
export async function checkEmbedded(checks: Checks, fixture: Fixture, work: string): Promise<void> {
  await withOutside((outside) => checkFolder(checks, fixture, { outside, data: join(work, 'data') }));
  if (fixture.expected.isBetween) return;
  await withOutside((outside) => checkBackup(checks, fixture, { outside, work }));
}

async function withOutside(act: (outside: Outside) => Promise<void>): Promise<void> {
  const outside = await startOutside();
  await act(outside).finally(() => outside.close());
}

async function checkFolder(
  checks: Checks,
  fixture: Fixture,
  { outside, data }: { readonly outside: Outside; readonly data: string },
): Promise<void> {
  const label = `${fixture.expected.version}, data folder`;
  const unpack = () => {
    rmSync(data, { recursive: true, force: true });
    fixture.unpackTo('data', data);
  };
  unpack();
  const product = await productOn(data, fixture, outside);
  const kill = () =>
    checks.that(`${label}: migrations are killed at three points`, async () => {
      const { kills, isRewound } = await killMigrations({
        runUntil: async (point) => !(await startedOrKilled(product, point)),
        rewind: async () => {
          await product.stop();
          unpack();
          for (const database of databases)
            await inStore(data, (mongo) => mongo.connection.collection('data_migrations').deleteMany({}), database);
        },
      });
      console.log(saying(kills, isRewound));
    });
  try {
    if (!fixture.expected.isBetween) await kill();
    await product.stop();
    await serve(checks, fixture, { product, data, outside, label, isBackup: false });
  } finally {
    await product.kill();
  }
}

export const saying = (kills: number, isRewound: boolean): string =>
  `        ${kills} kills${isRewound ? '; nothing was left to migrate, so all migrations ran again' : ''}`;

async function checkBackup(
  checks: Checks,
  fixture: Fixture,
  { outside, work }: { readonly outside: Outside; readonly work: string },
): Promise<void> {
  const label = `${fixture.expected.version}, backup`;
  const [restored, backup] = [join(work, 'restored'), join(work, 'backup.tar')];
  fixture.writeBackup(backup);
  await checks.that(`${label}: is restored`, async () => {
    const { code, output } = await runParleyUntilEnd(['restore', backup, '--data', restored]);
    if (code !== 0) throw new Error(output);
  });
  const product = await productOn(restored, fixture, outside);
  await serve(checks, fixture, { product, data: restored, outside, label, isBackup: true }).finally(() =>
    product.kill(),
  );
}

const productOn = async (folder: string, { expected }: Fixture, { hook }: Outside): Promise<Product> =>
  new Product({
    folder,
    port: await freePort(),
    variables: { PARLEY_OUTBOUND_ALLOW: outsideAddress },
    hook: bothHooks(clockHook(expected.takenAt), hook),
  });

/** True when it has started. Throws when it ended by anything but the kill. */
async function startedOrKilled(product: Product, failpoint: string): Promise<boolean> {
  if (await product.start({ PARLEY_TEST_FAILPOINT: failpoint })) return true;
  const { code, signal } = await product.ended(60_000);
  if (signal !== 'SIGKILL') throw new Error(`It ended with ${code}: ${product.said}`);
  return false;
}

type Serving = Pick<Opened, 'label' | 'outside' | 'isBackup'> & { readonly product: Product; readonly data: string };

async function serve(checks: Checks, { expected }: Fixture, { product, ...opened }: Serving): Promise<void> {
  const isStarted = await checks.that(`${opened.label}: starts`, async () => {
    if (!(await product.start())) throw new Error(product.said);
    return true;
  });
  if (!isStarted) return;
  await checkInstallation(checks, { ...opened, url: product.url, expected, isOwnPresent: true });
  await checks.that(`${opened.label}: stops in order`, async () => {
    const { code } = await product.stop();
    if (code !== 0) throw new Error(`It ended with ${code}: ${product.said}`);
  });
  await checks.that(`${opened.label}: counters of quotas are what is there`, async () => {
    const { code, output } = await runParleyUntilEnd(['doctor', '--data', opened.data]);
    const corrected = [...output.matchAll(/: (\d+) counters, (\d+) corrected/g)];
    if (code !== 0 || corrected.length === 0 || corrected.some(([, , count]) => count !== '0')) throw new Error(output);
    if (corrected.every(([, counters]) => counters === '0')) throw new Error(`Nothing is counted: ${output}`);
  });
}

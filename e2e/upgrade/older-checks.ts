import { dumpDatabases, restoreDatabases } from '@parley/testing/databases';
import { freePort, startSecantus } from '@parley/testing/servers';
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Product } from '../accept-kill/product.ts';
import type { Checks } from './checks.ts';
import { migrationHook, migrateSchemaUntil } from './distributed-upgrade.ts';
import type { Fixture } from './fixture.ts';
import { OlderRelease } from './older-release.ts';
import { runParley } from './processes.ts';

type Checking = { readonly fixture: Fixture; readonly older: OlderRelease; readonly work: string };
const refusal = /was written by a newer Parley/;

/** Checks with its own code that the release that wrote this fixture leaves alone what this version has changed. */
export async function checkOlderRelease(checks: Checks, fixture: Fixture, work: string): Promise<void> {
  const label = `${fixture.expected.version} after this version`;
  const older = await checks.that(`${label}: is checked out and built`, () =>
    OlderRelease.checkOut(fixture.expected.commit, join(work, 'older')),
  );
  if (!older) return;
  const checking: Checking = { fixture, older, work };
  try {
    await checks.that(`${label}: opens a folder that was only backed up and examined`, () => openUnchanged(checking));
    await checks.that(`${label}: refuses a folder whose migration was killed at its beginning`, () =>
      refuseFolder(checking, 'migration-begun'),
    );
    await checks.that(`${label}: refuses a folder that was served, and its backup`, () => refuseFolder(checking, null));
    await checkDatabases(checks, label, checking);
  } finally {
    older.remove();
  }
}

const unpacked = ({ fixture, work }: Checking): string => {
  const data = join(work, 'older-data');
  rmSync(data, { recursive: true, force: true });
  fixture.unpackTo('data', data);
  return data;
};

/** How `parley start` of the older release ends, or "ready". */
async function startOlder({ older }: Checking, data: string): Promise<string> {
  const { output } = await older.run(['start', '--data', data, '--port', '0'], { until: /Parley is ready/ });
  return output;
}

async function openUnchanged(checking: Checking): Promise<void> {
  const data = unpacked(checking);
  const backup = join(checking.work, 'unchanged.tar');
  runParley(['backup', backup, '--data', data]);
  runParley(['doctor', '--data', data]);
  assert.match(await startOlder(checking, data), /Parley is ready/);
}

async function refuseFolder(checking: Checking, killedAt: string | null): Promise<void> {
  const data = unpacked(checking);
  const product = new Product({ folder: data, port: await freePort(), variables: {}, hook: null });
  const isStarted = await product.start(killedAt === null ? {} : { PARLEY_TEST_FAILPOINT: killedAt });
  assert.equal(isStarted, killedAt === null);
  await product.stop();
  assert.match(await startOlder(checking, data), refusal);
  if (killedAt !== null) return;
  const [backup, restored] = [join(checking.work, 'served.tar'), join(checking.work, 'served')];
  runParley(['backup', backup, '--data', data]);
  await checking.older.run(['restore', backup, '--data', restored]);
  assert.match(await startOlder(checking, restored), refusal);
}

/** Checks that an older `parley migrate-schema` waits and changes nothing, whatever this version did to the databases. */
async function checkDatabases(checks: Checks, label: string, checking: Checking): Promise<void> {
  const { fixture, work } = checking;
  const onServer = async (what: string, prepare: (mongoUrl: string) => Promise<unknown>) =>
    checks.that(`${label}: its migrate-schema changes nothing in databases ${what}`, async () => {
      const server = await startSecantus();
      if ('skipped' in server) throw new Error(server.skipped);
      try {
        await prepare(server.url);
        const before = await dumpDatabases(server.url);
        assert.equal(await checking.older.migrateSchema(server.url), null);
        assert.equal(await dumpDatabases(server.url), before);
      } finally {
        await server.close();
      }
    });
  const restored = (url: string) =>
    restoreDatabases(url, fixture.databases, Date.now() - Date.parse(fixture.expected.takenAt));
  await onServer('that were empty', (url) => migrateSchemaUntil(url));
  await onServer('whose migration was killed at its beginning', async (url) => {
    await restored(url);
    assert.equal(await migrateSchemaUntil(url, { hook: migrationHook(), failpoint: 'migration-begun' }), true);
  });
  await onServer('that were migrated', async (url) => {
    await restored(url);
    await migrateSchemaUntil(url);
  });
  await onServer('that came back from a backup', async (url) => {
    await restored(url);
    runParley(['after-restore'], { PARLEY_MONGO_URL: url });
  });
  await onServer('that a folder was moved to, and the folder can still be opened', async (url) => {
    const data = unpacked(checking);
    const files = join(work, 'older-files');
    rmSync(files, { recursive: true, force: true });
    const settings = { PARLEY_MONGO_URL: url, PARLEY_BLOBS_FOLDER: join(files, 'blobs') };
    runParley(['migrate', '--data', data, '--keys-out', join(files, 'keys')], settings);
    assert.match(await startOlder(checking, data), /Parley is ready/);
  });
}

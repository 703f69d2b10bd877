import { restoreDatabases } from '@parley/testing/databases';
import { Installation, processNames, startInfrastructure, type Infrastructure } from '@parley/testing/distributed';
import { eventually } from '@parley/testing/eventually';
import { Mongo } from '@parley/platform/mongo';
import { hookOf } from '../accept-kill/mutants.ts';
import type { Checks } from './checks.ts';
import { databases, saying } from './embedded-upgrade.ts';
import type { Fixture } from './fixture.ts';
import { checkInstallation } from './installation-checks.ts';
import { killMigrations } from './kill-migrations.ts';
import { outsideAddress, startOutside, type Outside } from './outside.ts';
import { runParleyUntilEnd } from './processes.ts';

const readyWithinMs = 240_000;

/** Operators' commands have no failpoints of their own. */
export const migrationHook = (): string =>
  hookOf([
    {
      file: 'packages/platform/dist/rows/schema/data-migrations.js',
      of: 'failpoint = async ()=>{}',
      by: `failpoint = async (reached) => {
      if (reached === process.env.PARLEY_TEST_FAILPOINT) process.kill(process.pid, 'SIGKILL');
    }`,
    },
  ]);

/** A fixture's databases on servers of their own, migrated; its processes do not run yet. */
export class DistributedUpgrade {
  private readonly checks: Checks;
  private readonly fixture: Fixture;
  private readonly place: Place;

  private constructor(checks: Checks, fixture: Fixture, place: Place) {
    this.checks = checks;
    this.fixture = fixture;
    this.place = place;
  }

  /** Restores the databases on SecantusDB and kills their migration. Throws where a server cannot be had. */
  static async prepare(checks: Checks, fixture: Fixture): Promise<DistributedUpgrade> {
    const infrastructure = await startInfrastructure({ store: 'secantus' });
    if ('skipped' in infrastructure)
      throw new Error(`The distributed edition cannot run here: ${infrastructure.skipped}`);
    const outside = await startOutside();
    const installation = await Installation.prepare({
      infrastructure,
      settings: { PARLEY_OUTBOUND_ALLOW: outsideAddress, PARLEY_LOG_LEVEL: 'warn' },
      hook: outside.hook,
    });
    const upgrade = new DistributedUpgrade(checks, fixture, { infrastructure, installation, outside });
    fixture.unpackTo('files', infrastructure.folder);
    await migrate(checks, fixture, upgrade.place);
    return upgrade;
  }

  /** Runs all processes on them. */
  check(): Promise<void> {
    return serve(this.checks, this.fixture, this.place);
  }

  async close(): Promise<void> {
    this.place.outside.close();
    await this.place.installation.close();
    await this.place.infrastructure.close();
  }
}

type Place = {
  readonly infrastructure: Infrastructure;
  readonly installation: Installation;
  readonly outside: Outside;
};

async function migrate(checks: Checks, { expected, databases: dump }: Fixture, place: Place): Promise<void> {
  const { mongoUrl } = place.infrastructure;
  const label = `${expected.version}, MongoDB`;
  const restore = () => restoreDatabases(mongoUrl, dump, Date.now() - Date.parse(expected.takenAt));
  await checks.that(`${label}: the dump is restored`, restore);
  const hook = migrationHook();
  const run = (failpoint: string) =>
    migrateSchemaUntil(mongoUrl, { hook, failpoint, settings: place.installation.shared });
  if (!expected.isBetween)
    await checks.that(`${label}: migrations are killed at three points`, async () => {
      const { kills, isRewound } = await killMigrations({
        runUntil: run,
        rewind: () => inEach(mongoUrl, ['schema_state', 'data_migrations']),
      });
      console.log(saying(kills, isRewound));
    });
  await checks.that(`${label}: the migration is completed`, async () => {
    if (await run('none')) throw new Error('It was killed.');
  });
}

type Until = { readonly hook?: string; readonly failpoint?: string; readonly settings?: Record<string, string> };

/** Runs `parley migrate-schema`; true where it was killed at the failpoint. */
export async function migrateSchemaUntil(
  mongoUrl: string,
  { hook, failpoint = 'none', settings = {} }: Until = {},
): Promise<boolean> {
  const { code, signal, output } = await runParleyUntilEnd(['migrate-schema'], {
    settings: { ...settings, PARLEY_MONGO_URL: mongoUrl, PARLEY_TEST_FAILPOINT: failpoint },
    ...(hook !== undefined && { hook }),
  });
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(`parley migrate-schema ended with ${code}: ${output}`);
  // A lease of a process that was killed ends after 30 s: nobody has to wait for it here.
  await inEach(mongoUrl, ['schema_lease'], { _id: 'storage' });
  return signal === 'SIGKILL';
}

/** Deletes all rows of these collections, or those that match, in each database. */
async function inEach(mongoUrl: string, collections: readonly string[], which: object = {}): Promise<void> {
  const mongo = await Mongo.connect(mongoUrl);
  try {
    for (const database of databases)
      for (const name of collections) await mongo.connection.useDb(database).collection(name).deleteMany(which);
  } finally {
    await mongo.close();
  }
}

async function serve(checks: Checks, { expected }: Fixture, { installation, outside }: Place): Promise<void> {
  const label = `${expected.version}, MongoDB`;
  const isReady = await checks.that(`${label}: all processes are ready`, async () => {
    const { code, output } = await installation.parley(['topics', 'apply']);
    if (code !== 0) throw new Error(output);
    const running = await Promise.all(processNames.map((name) => installation.start(name)));
    await eventually(
      async () => {
        const waiting = await Promise.all(running.map(async (each) => ((await each.isReady()) ? null : each)));
        const names = waiting.flatMap((each) => (each ? [`${each.name}: ${each.log().slice(-300)}`] : []));
        if (names.length > 0) throw new Error(names.join('\n'));
      },
      'all processes should be ready',
      readyWithinMs,
    );
    return true;
  });
  if (!isReady) return;
  const url = installation.publicUrl;
  await checkInstallation(checks, { label, url, expected, outside, isBackup: false, isOwnPresent: false });
}

import { embeddedConfig, openDataFolder, openStoppedStore, startEmbedded } from '@parley/embedded';
import { readConfig } from '@parley/platform/config';
import { randomSecret } from '@parley/platform/crypto';
import { createLogger, logFile } from '@parley/platform/logging';
import { Mongo } from '@parley/platform/mongo';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { contents, demoAdmin } from './content/index.ts';
import { Dice } from './dice.ts';
import { demoDays, fill, type Filled } from './fill.ts';
import { MovingClock } from './moving-clock.ts';
import { SeededModel } from './seeded-model.ts';

export type DemoOptions = { readonly data?: string; readonly password?: string };

const shortestPassword = 12;
/** Lies in the data folder while it is filled. */
const unfinished = 'demo-unfinished';

/** Fills an empty data folder with three organisations and their last 30 days. Returns the lines to print. */
export async function fillDemo({ data, password }: DemoOptions, report: (line: string) => void): Promise<string[]> {
  const config = readConfig(embeddedConfig, data === undefined ? {} : { PARLEY_DATA: data });
  const path = resolve(config.PARLEY_DATA);
  if (password !== undefined && password.length < shortestPassword)
    throw new Error(`The password is too short: give one of ${shortestPassword} characters or more.`);
  await refuseData(path);
  const beganAt = performance.now();
  const admin = { ...demoAdmin, password: password ?? randomSecret().slice(0, 20) };
  const filled = await fillFolder(path, admin, report);
  rmSync(join(path, unfinished));
  const seconds = Math.round((performance.now() - beganAt) / 1_000);
  return linesOf(filled, { path, seconds, ...admin });
}

/** Throws where anybody uses the folder already, or a demo in it was ended before it was complete. */
async function refuseData(path: string): Promise<void> {
  if (existsSync(join(path, unfinished)))
    throw new Error(
      `A demo in ${path} was ended before it was complete: delete this folder, then run \`parley demo\` again.`,
    );
  if (!existsSync(join(path, 'store.sqlite'))) return;
  const store = await openStoppedStore(path);
  try {
    const anyOf = async (database: string, collection: string) => {
      const mongo = await Mongo.connect(store.uri(database));
      return mongo.connection
        .collection(collection)
        .findOne({})
        .finally(() => mongo.close());
    };
    const isUsed = (await anyOf('parley_auth', 'users')) ?? (await anyOf('parley_org', 'organisations'));
    if (isUsed)
      throw new Error(`${path} holds data: give an empty folder with --data, since the demo changes no data of yours.`);
  } finally {
    await store.close();
  }
}

async function fillFolder(
  path: string,
  admin: Parameters<typeof fill>[0]['admin'],
  report: (line: string) => void,
): Promise<Filled> {
  const folder = await openDataFolder(path);
  writeFileSync(join(path, unfinished), '');
  report(`Filling ${path}. It takes about a minute.`);
  const clock = new MovingClock();
  const models = contents.map((_unused, at) => new SeededModel(clock, new Dice(at)));
  for (const model of models) await model.listen();
  const config = embeddedConfig.parse({
    PARLEY_PORT: '0',
    PARLEY_REGISTRATIONS_PER_HOUR: '1000',
    PARLEY_RATE_LIMITS: '*.person=100000,*.organisation=100000',
    PARLEY_OUTBOUND_ALLOW: models.map(({ address }) => address).join(','),
  });
  const logger = createLogger({ name: 'parley', level: 'warn', destination: logFile(join(folder.logs, 'demo.log')) });
  // The store compares with the clock of the machine, the rows have times of the demo.
  const keepsExpiredMs = Number.POSITIVE_INFINITY;
  const parley = await startEmbedded({
    folder,
    logger,
    config,
    keepsExpiredMs,
    failpoint: async () => {},
    checkResponses: false,
  });
  try {
    return await fill({ parley, clock, contents, admin, models });
  } finally {
    clock.release();
    await parley.close();
    for (const model of models) model.close();
  }
}

function linesOf(
  { organisations, people, answers }: Filled,
  { path, seconds, email, password }: { path: string; seconds: number; email: string; password: string },
): string[] {
  return [
    `Filled ${path} in ${seconds} s: ${organisations} organisations, ${people} people, ${answers} answers of the last ${demoDays} days; also projects, documents, feedback and budgets.`,
    `Start it: npx parley --data ${path}`,
    `Sign in as ${email} with the password ${password} (shown only once); everybody else has the same one.`,
    'Its models are not real. To ask more, connect one under Organisation settings › Models.',
  ];
}

// Opens the fixture of each earlier release with what is checked out, in both editions: `npm run accept:upgrade`. See
// README.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildProduct, within } from '../accept-kill/product.ts';
import { Checks } from './checks.ts';
import { DistributedUpgrade } from './distributed-upgrade.ts';
import { checkEmbedded } from './embedded-upgrade.ts';
import { Fixture } from './fixture.ts';
import { checkOlderRelease } from './older-checks.ts';

/** Limits the time of one fixture, usually a minute. A slower one counts as late, but is still checked. */
const perFixtureMs = 14 * 60_000;
const endsWithinMs = 60 * 60_000;
/** Only times were missed, which depend on the machine: `.ci/steps` prints them and stays green. */
const missedTimesCode = 3;
/** The release whose own code must leave alone what this version has changed. */
const older = '0.3.0';
const { edition, only, newest } = parseArgs({
  options: { edition: { type: 'string' }, only: { type: 'string' }, newest: { type: 'boolean', default: false } },
}).values;
if (edition !== undefined && edition !== 'embedded' && edition !== 'distributed')
  throw new Error(`There is no edition ${edition}: embedded, distributed.`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
const startedAt = performance.now();
const checks = new Checks();
const missedTimes: string[] = [];
buildProduct();
const fixtures = newest
  ? Fixture.ofNewestReleases()
  : Fixture.all().filter(({ expected }) => only === undefined || expected.version === only);
if (fixtures.length === 0) throw new Error(`There is no fixture ${only}.`);
for (const fixture of fixtures) {
  const { version } = fixture.expected;
  const begunAt = performance.now();
  await checks.that(`${version}: is checked to its end`, () =>
    within(endsWithinMs, `${version} should be checked`, check(fixture)),
  );
  const tookMs = performance.now() - begunAt;
  if (tookMs > perFixtureMs) missedTimes.push(`${version} took ${(tookMs / 60_000).toFixed(0)} min`);
}
if (!newest && edition === undefined && (only === undefined || only === older))
  await inFolder((work) => checkOlderRelease(checks, Fixture.of(older), work));
console.log(`took ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
for (const missed of missedTimes) console.log(`FAILED  time: ${missed}`);
console.log(`${checks.passed} passed, ${checks.failed} failed`);
const codeIfClean = missedTimes.length === 0 ? 0 : missedTimesCode;
process.exit(checks.failed === 0 ? codeIfClean : 1);

/** The databases are migrated beside what the data folder does; then each edition has the cores for itself. */
async function check(fixture: Fixture): Promise<void> {
  const distributed = edition === 'embedded' ? null : DistributedUpgrade.prepare(checks, fixture);
  distributed?.catch(() => undefined); // It is said below.
  try {
    if (edition !== 'distributed') await inFolder((work) => checkEmbedded(checks, fixture, work));
    await (await distributed)?.check();
  } finally {
    await (await distributed?.catch(() => null))?.close();
  }
}

async function inFolder(act: (work: string) => Promise<void>): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'parley-upgrade-'));
  await act(work).finally(() => rmSync(work, { recursive: true, force: true }));
}

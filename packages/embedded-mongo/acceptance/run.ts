// Judges the store: official driver test files, documented answers, consistency, contention and kill -9. `npm run
// accept:store`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { startEmbeddedMongo, type EmbeddedMongo } from '../src/index.ts';
import { checkConsistency } from './consistency.ts';
import { checkContention } from './contention.ts';
import { checkDurability } from './durability.ts';
import { goldenCases } from './golden/run-golden.ts';
import { fetchSpecFolder, readSpecFiles } from './official/spec-files.ts';
import { runOfficialCases } from './official/unified-runner.ts';
import { insideShare, printParts, summarise, type Part } from './report.ts';

const neededShare = 0.9;
const messages: string[] = [];

function part(name: string, outcome: { passed: number; problems: string[]; detail?: string }): Part {
  messages.push(...outcome.problems.map((problem) => `${name}: ${problem}`));
  return {
    name,
    passed: outcome.passed,
    failed: outcome.problems.length,
    expected: 0,
    skipped: 0,
    detail: outcome.detail ?? '',
  };
}

async function runOfficial(store: EmbeddedMongo): Promise<Part[]> {
  let folder: string;
  try {
    folder = fetchSpecFolder();
  } catch (error) {
    console.log(`skipped: official files: go mod download failed: ${(error as Error).message.split('\n')[0]}`);
    return [
      {
        name: 'official files',
        passed: 0,
        failed: 0,
        expected: 0,
        skipped: 1,
        detail: 'skipped: Go could not download them',
      },
    ];
  }
  const verdicts = await runOfficialCases(readSpecFiles(folder), store.uri('official'));
  const summary = summarise(verdicts);
  messages.push(...summary.messages);
  const share = insideShare(verdicts);
  const percent = `${(share * 100).toFixed(1)} % of the cases inside the contract pass`;
  return [
    ...summary.parts,
    part('official share', {
      passed: share >= neededShare ? 1 : 0,
      problems: share >= neededShare ? [] : [percent],
      detail: percent,
    }),
  ];
}

async function runGolden(client: MongoClient): Promise<Part> {
  const problems: string[] = [];
  for (const one of goldenCases)
    await one
      .run(client.db('golden'))
      .catch((error: unknown) => problems.push(`${one.name}: ${(error as Error).message}`));
  return part('documented answers', { passed: goldenCases.length - problems.length, problems });
}

async function attempt(name: string, run: () => Promise<{ passed: number; detail: string }>): Promise<Part> {
  try {
    return part(name, { ...(await run()), problems: [] });
  } catch (error) {
    return part(name, { passed: 0, problems: [(error as Error).message] });
  }
}

async function runOnStore(store: EmbeddedMongo): Promise<Part[]> {
  const client = await MongoClient.connect(store.uri('accept'), { maxPoolSize: 20 });
  try {
    const runs = 300;
    return [
      ...(await runOfficial(store)),
      await runGolden(client),
      await attempt('consistency', async () => {
        await checkConsistency(client, { runs });
        return { passed: runs * 2, detail: 'with and without indexes, find and aggregate, overlay and commit' };
      }),
      await attempt('contention', async () => {
        const hot = await checkContention(client, { accounts: 2, callers: 16, rounds: 40 });
        const wide = await checkContention(client, { accounts: 500, callers: 16, rounds: 80 });
        const ratio = (result: typeof hot): string => (result.attempts / result.transfers).toFixed(2);
        return {
          passed: 2,
          detail: `${hot.transfers + wide.transfers} transfers; attempts each: ${ratio(hot)} on 2 accounts, ${ratio(wide)} on 500`,
        };
      }),
    ];
  } finally {
    await client.close();
  }
}

async function runDurability(): Promise<Part> {
  const { kills, acknowledged, problems } = await checkDurability({ kills: 8, atLeast: 10_000 });
  return part('kill -9', {
    passed: problems.length === 0 ? kills : 0,
    problems,
    detail: `${acknowledged} acknowledged writes over ${kills} kills, ${problems.length} problems`,
  });
}

const started = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'accept-'));
const store = await startEmbeddedMongo({ file: join(folder, 'store.db'), testCommands: true });
const parts: Part[] = [];
try {
  parts.push(...(await runOnStore(store)));
} finally {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}
parts.push(await runDurability());

for (const message of messages) console.log(`- ${message}`);
const { passed, failed } = printParts(parts);
console.log(`took ${((performance.now() - started) / 1000).toFixed(0)} s`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

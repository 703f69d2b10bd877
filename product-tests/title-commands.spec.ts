import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { eventually, isOnServer, watchCommands, type Command } from '@parley/testing';
import { isTitleRequest } from '@parley/testing/model-streams';
import type { ParleyClient } from '@parley/testing/client';
import { setTimeout as wait } from 'node:timers/promises';
import {
  lastEvents,
  newPerson,
  startMockProvider,
  startTestParley,
  token,
  type MockProvider,
  type TestParley,
} from '@parley/embedded/test-parley';

/**
 * The most commands that a title adds over all services but monitoring, with its ledger entry. On a server each command
 * writes one row, so there are more commands.
 */
const mostCommands = isOnServer() ? { early: 11, late: 16 } : { early: 4, late: 6 };
/**
 * Commits on a MongoDB server name no database, so the commits of monitoring are counted, too: one, or two if the
 * events of an answer reach monitoring separately.
 */
const mostTransactions = isOnServer() ? { early: 1, late: 2 } : { early: 0, late: 1 };
/** Gives the process that much time to read a title, in ms: nothing outside shows when it has. */
const titleReadMs = 500;
/**
 * Monitoring hears of no title (`ledger-embeddings.spec.ts`). In how many transactions it handles the events of an
 * answer depends on when they come.
 */
const databaseOfMonitoring = () => new URL(running.parley.internals.storeUri('parley_monitoring')).pathname.slice(1);
/** Commands of a rest this long come by the clock and belong to no title. */
const restMs = 12_000;
/** Longer than consumers wait before they save how far they have read. */
const quietMs = 2_500;
/** The least of several chats counts, by kind: what comes by the clock now and then is not in each. */
const chats = 4;

let running: TestParley;
let mock: MockProvider;
let owner: ParleyClient;
/** Says whether titles come before their answers have ended. */
let comes: 'early' | 'late' = 'early';
let titleSent = Promise.withResolvers<void>();

beforeAll(async () => {
  mock = await startMockProvider(
    ({ body }, response) => {
      response.setHeader('content-type', 'text/event-stream');
      if (isTitleRequest(body)) {
        const send = () => response.end(`${token('Heron counts')}${lastEvents(40, 6)}`, () => titleSent.resolve());
        if (comes === 'early') send();
        else setTimeout(send, titleReadMs);
        return;
      }
      response.write(token('Three quiet herons.'));
      const end = () => response.end(lastEvents(40, 6));
      if (comes === 'late') end();
      else void titleSent.promise.then(() => setTimeout(end, titleReadMs));
    },
    { writesTitles: true },
  );
  running = await startTestParley({ PARLEY_OUTBOUND_ALLOW: mock.address });
  const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  owner = await newPerson(running.url, { organisation: 'Lindmoor Energy', setupToken });
  const provider = { name: 'Mock', baseUrl: mock.url, models: ['mock-1'], defaultModel: 'mock-1', isDefault: true };
  await owner.call('POST /api/chat/providers', { body: { id: newId('provider'), ...provider } });
}, 90_000);
afterAll(async () => {
  await running.close();
  mock.close();
});

const countOf = (commands: readonly Command[], what: string): number =>
  commands.filter((command) => command.what === what).length;

/** Returns the fewest commands of each kind over some new chats, each counted until its ledger entries are stored. */
async function costOf(commands: Command[], entries: number): Promise<Map<string, number>> {
  const counts: Map<string, number>[] = [];
  for (let asked = 0; asked < chats; asked += 1) {
    commands.length = 0;
    titleSent = Promise.withResolvers();
    if (entries === 1) titleSent.resolve();
    await owner.send(newId('conversation'), 'How many herons are there?');
    const isBilled = () => countOf(commands, 'ledger_entries.update') === entries;
    await eventually(isBilled, 'answer and title should be billed');
    await wait(quietMs);
    const counted = commands.filter(({ database }) => database !== databaseOfMonitoring());
    counts.push(new Map(counted.map(({ what }) => [what, countOf(counted, what)])));
  }
  const kinds = new Set(counts.flatMap((count) => [...count.keys()]));
  return new Map([...kinds].map((what) => [what, Math.min(...counts.map((count) => count.get(what) ?? 0))]));
}

test('a title adds a bounded number of commands to a new chat, and no transaction where it comes with its answer', async () => {
  const { commands, stop } = watchCommands();
  try {
    const named = { early: await costOf(commands, 2), late: new Map<string, number>() };
    comes = 'late';
    named.late = await costOf(commands, 2);
    await owner.call('PUT /api/chat/title-setting', { body: { isOn: false, version: 0 } });
    const plain = await costOf(commands, 1);
    commands.length = 0;
    await wait(restMs);
    const byTheClock = new Set(['group_offsets.update', ...commands.map(({ what }) => what)]);
    for (const when of ['early', 'late'] as const) {
      const added = [...named[when]]
        .map(([what, count]) => [what, count - (plain.get(what) ?? 0)] as const)
        .filter(([what, count]) => count > 0 && !byTheClock.has(what));
      const sum = added.reduce((all, [, count]) => all + count, 0);
      const list = added.map(([what, count]) => `${count} ${what}`).join(', ');
      if (sum > mostCommands[when]) throw new Error(`${when}: ${sum}: ${list}`);
      expect(Object.fromEntries(added)['commit'] ?? 0).toBeLessThanOrEqual(mostTransactions[when]);
    }
  } finally {
    stop();
  }
}, 240_000);

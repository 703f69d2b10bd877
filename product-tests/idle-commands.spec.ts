import { afterAll, beforeAll, test } from '@jest/globals';
import { newPerson, startTestParley, type TestParley } from '@parley/embedded/test-parley';
import { countWireCommands, isOnServer } from '@parley/testing';
import { setTimeout as wait } from 'node:timers/promises';

/** After its start each sweep of half a minute looks once for what an earlier process has left. */
const settledMs = 35_000;
const restMs = 20_000;
/** Two a second; it sends about 1.5. On a server, where the driver sends later writes one by one, it sends about 3. */
const mostCommands = isOnServer() ? 80 : 40;

let running: TestParley;
beforeAll(async () => {
  running = await startTestParley();
  const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  await newPerson(running.url, { organisation: 'Lindmoor Energy', setupToken });
}, 90_000);
afterAll(() => running.close());

test('an idle installation sends its store at most two commands a second', async () => {
  await wait(settledMs);
  const { sent, stop } = countWireCommands();
  await wait(restMs);
  stop();
  const count = [...sent.values()].reduce((sum, each) => sum + each, 0);
  const kinds = [...sent].map(([what, each]) => `${each} ${what}`).join(', ');
  if (count > mostCommands) throw new Error(`${count} commands: ${kinds}`);
}, 120_000);

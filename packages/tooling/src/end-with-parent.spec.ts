import { expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';

const preload = new URL('./end-with-parent.mjs', import.meta.url).href;
const workers = `setInterval(() => {}, 1_000)`;
/** Forks two processes that would never end, with its own flags, as jest does, and says who they are. */
const runner = `
  import { fork } from 'node:child_process';
  const made = [1, 2].map(() => fork('-e', [${JSON.stringify(workers)}], { execArgv: process.execArgv.slice(0, 2) }));
  console.log(made.map(({ pid }) => pid).join(' '));
  setInterval(() => {}, 1_000);
`;
test.each(['SIGTERM', 'SIGKILL'] as const)(
  'the workers of a runner that is ended by %s end with it',
  async (signal) => {
    const child = spawn(process.execPath, ['--import', preload, '--input-type=module', '-e', runner], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const pids = line.split(' ').map(Number);
    expect(pids).toHaveLength(2);
    // The pipe closes when nobody is left who could write into it.
    const closed = once(child, 'close').then(() => true);
    child.kill(signal);
    const hasEnded = await Promise.race([closed, wait(30_000, false, { ref: false })]);
    if (!hasEnded) for (const pid of pids) process.kill(pid, 'SIGKILL');
    expect(hasEnded).toBe(true);
  },
);

test('a process that has nothing left to do ends although its parent lives', async () => {
  const child = spawn(process.execPath, ['--import', preload, '-e', 'process.exitCode = 7'], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  expect(await once(child, 'exit')).toEqual([7, null]);
});

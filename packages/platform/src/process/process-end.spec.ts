import { afterEach, expect, test } from '@jest/globals';
import { eventually } from '@parley/testing/eventually';
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

const source = join(import.meta.dirname, '..');
const register = join(source, '../../tooling/src/register.mjs');
/** A program whose draining takes as long as its argument says. */
const program = `
  import { Lifecycle } from '${source}/process/lifecycle/index.ts';
  import { createLogger } from '${source}/base/logging/index.ts';
  import { Health } from '${source}/base/telemetry/health.ts';
  import { endOnSignals } from '${source}/process/process-end.ts';
  const logger = createLogger({ name: 'test' });
  const lifecycle = new Lifecycle(logger, 1_000);
  const health = new Health();
  lifecycle.add('drain', 'work', () => {
    console.log('unready:', health.ready().reasons.join());
    return new Promise((resolve) => setTimeout(resolve, Number(process.argv[1])));
  });
  lifecycle.add('close', 'store', () => console.log('closed'));
  endOnSignals({ lifecycle, health, logger, unreadyMs: Number(process.argv[3] ?? 0), deadlineMs: 1_000, report: (error) => console.log('reported:', error.message) });
  setInterval(() => undefined, 1_000);
  if (process.argv[2] === 'fail') setTimeout(() => { throw new Error('nobody catches this'); });
  console.log('running');
`;
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

async function run(
  ...args: string[]
): Promise<{ child: ChildProcess; output(): string; exited: Promise<number | null> }> {
  const child = spawn(
    process.execPath,
    ['--conditions=parley-source', '--import', register, '--input-type=module', '-e', program, '--', ...args],
    { env: { PATH: '/usr/bin:/bin' }, cwd: source },
  );
  children.push(child);
  let output = '';
  const exited = new Promise<number | null>((resolve) => void child.once('close', resolve));
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('running')) resolve();
    });
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    void exited.then(() => reject(new Error(output)));
  });
  return { child, output: () => output, exited };
}

test('at SIGTERM a process becomes unready, drains, closes and exits with 0', async () => {
  const { child, output, exited } = await run('50');
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
  expect(output()).toMatch(/unready: draining\n[^]*closed\n/);
});

test('takes requests for a moment after the process became unready', async () => {
  const { child, output, exited } = await run('10', 'work', '400');
  const startedAt = Date.now();
  child.kill('SIGTERM');
  expect([await exited, Date.now() - startedAt >= 400, output().includes('closed')]).toEqual([0, true, true]);
});

test('a step that hangs is left at the deadline, and a second signal ends the process immediately', async () => {
  const patient = await run('600000');
  patient.child.kill('SIGTERM');
  expect([await patient.exited, patient.output().includes('closed')]).toEqual([0, true]);
  const hurried = await run('600000');
  hurried.child.kill('SIGTERM');
  // Waits between the signals, because two that wait at the same time would be one.
  await eventually(() => hurried.output().includes('unready'), 'the first signal should have arrived');
  hurried.child.kill('SIGTERM');
  expect([await hurried.exited, hurried.output().includes('closed')]).toEqual([1, false]);
});

test('an uncaught error is logged and reported, and ends the process in order with exit 1', async () => {
  const { output, exited } = await run('10', 'fail');
  expect(await exited).toBe(1);
  expect(output()).toMatch(/reported: nobody catches this[^]*closed/);
  expect(output()).toContain('"message":"nobody catches this"');
});

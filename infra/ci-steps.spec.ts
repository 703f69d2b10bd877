import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const steps = join(import.meta.dirname, '../.ci/steps');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-ci-'));
  // Nothing is installed by a test.
  writeFileSync(join(folder, 'apt-get'), '#!/bin/sh\nexit 100\n', { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The exit code and the last line of a run of these parts. */
function run(...parts: string[]): [number | null, string | undefined] {
  const { status, stdout } = spawnSync('bash', ['-c', `set -u; source ${steps}; ${parts.join('; ')}; finish`], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` },
  });
  return [status, stdout.trim().split('\n').at(-1)];
}

/** A command that prints this. */
function printing(name: string, text: string): string {
  writeFileSync(join(folder, name), `${text}\n`);
  return `cat ${join(folder, name)}`;
}

test.each([
  ['a step', 'step some 9 true', [0, '1 passed, 0 failed, 0 skipped']],
  ['a step that fails', 'step some 9 false', [1, '0 passed, 1 failed, 0 skipped']],
  ['a step that takes too long', 'step some 0.1 sleep 5', [1, '0 passed, 1 failed, 0 skipped']],
  ['a step that could not run', `step some 9 echo 'skipped: no Go here'`, [1, '0 passed, 1 failed, 0 skipped']],
  [
    'a server that could not be installed',
    `step some 9 echo '# skipped: Kafka: no'`,
    [1, '0 passed, 1 failed, 0 skipped'],
  ],
  ['a tool that is there', 'need bash command -v bash', [0, '0 passed, 0 failed, 0 skipped']],
  [
    'a tool that no package has',
    'need no-such-package command -v no-such-command',
    [1, '0 passed, 1 failed, 0 skipped'],
  ],
])('%s', (_name, part, end) => {
  expect(run(part)).toEqual(end);
});

test.each([
  ['Tests:       4 passed, 4 total', 'test', [0, '4 passed, 0 failed, 0 skipped']],
  ['Tests:       1 failed, 4 passed, 5 total', 'test', [1, '4 passed, 1 failed, 0 skipped']],
  ['Tests:       2 skipped, 4 passed, 6 total', 'test-int', [1, '4 passed, 2 failed, 0 skipped']],
  ['Tests:       1 skipped, 4 passed, 5 total', 'test-mongo', [0, '4 passed, 0 failed, 1 skipped']],
  ['Tests:       2 skipped, 4 passed, 6 total', 'test-mongo', [1, '4 passed, 2 failed, 0 skipped']],
  ['no count', 'test', [1, '0 passed, 1 failed, 0 skipped']],
])('a suite with "%s" as %s', (line, name, end) => {
  expect(run(`suite ${name} 9 ${printing(name, line)}`)).toEqual(end);
});

const endedByV8 = 'A jest worker process (pid=1) was terminated by another process: signal=SIGTRAP, exitCode=null.';
test.each([
  [
    'all passes the second time',
    [`FAIL a.spec.ts`, endedByV8],
    'Tests: 2 passed, 2 total',
    0,
    [0, '6 passed, 0 failed, 0 skipped'],
  ],
  [
    'a test fails the second time',
    [`FAIL a.spec.ts`, endedByV8],
    'Tests: 1 failed, 1 passed, 2 total',
    1,
    [1, '5 passed, 1 failed, 0 skipped'],
  ],
  [
    'another file failed, too',
    [`FAIL a.spec.ts (5 s)`, endedByV8, 'FAIL b.spec.ts'],
    'Tests: 2 passed, 2 total',
    0,
    [1, '4 passed, 1 failed, 0 skipped'],
  ],
])('files in which V8 ended the process run once more: %s', (_name, failures, again, code, end) => {
  writeFileSync(
    join(folder, 'npm'),
    `#!/bin/sh\n[ "$*" = "test -- a.spec.ts" ] || exit 9\necho '${again}'\nexit ${code}\n`,
    { mode: 0o755 },
  );
  const first = printing('test', [...failures, 'Tests:       4 passed, 4 total'].join('\n'));
  expect(run(`suite test 9 bash -c '${first}; exit 1'`)).toEqual(end);
});

test('a part that comes after another one begins once that has ended', () => {
  const mark = join(folder, 'first-has-ended');
  expect(
    run(
      `begin first 9 bash -c 'sleep 0.3; touch ${mark}'`,
      `after=first begin second 9 test -e ${mark}`,
      'finish_step second',
      'finish_step first',
    ),
  ).toEqual([0, '2 passed, 0 failed, 0 skipped']);
});

test('a part says how long it took and computed', () => {
  const { stdout } = spawnSync('bash', ['-c', `set -u; source ${steps}; step some 9 true`], { encoding: 'utf8' });
  expect(stdout).toMatch(/^ok +some \(\d+ s, \d+ s of CPU\)$/m);
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** Returns the exit code and the last lines of a run of these parts: the count of flaky files is the second but last. */
function run(...parts: string[]): { code: number | null; counts: string | undefined; said: string } {
  const { status, stdout } = spawnSync('bash', ['-c', `set -u; source ${steps}; ${parts.join('; ')}; finish`], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` },
  });
  return { code: status, counts: stdout.trim().split('\n').at(-1), said: stdout };
}

/** A command that prints this. */
function printing(name: string, text: string): string {
  writeFileSync(join(folder, name), `${text}\n`);
  return `cat ${join(folder, name)}`;
}

/** A command that appends its arguments to a file, prints this and exits with that code, the first time with the first one. */
function attempts(name: string, ...each: readonly (readonly [text: string, code: number])[]): string {
  const calls = join(folder, `${name}.attempts`);
  rmSync(calls, { force: true });
  const cases = each.map(
    ([text, code], index) =>
      `${index === each.length - 1 ? '*' : index + 1}) printf '%s\\n' '${text}'; exit ${code} ;;`,
  );
  writeFileSync(
    join(folder, name),
    `#!/bin/bash\necho "$*" >>${calls}\ncase $(wc -l <${calls}) in\n${cases.join('\n')}\nesac\n`,
    { mode: 0o755 },
  );
  return join(folder, name);
}
function attemptsOf(name: string): string[] {
  return readFileSync(join(folder, `${name}.attempts`), 'utf8')
    .trim()
    .split('\n');
}

test.each([
  ['a step', 'step some 9 true', 0, '1 passed, 0 failed, 0 skipped'],
  ['a step that fails', 'step some 9 false', 1, '0 passed, 1 failed, 0 skipped'],
  ['a step that takes too long', 'step some 0.1 sleep 5', 1, '0 passed, 1 failed, 0 skipped'],
  ['a step that can not run', `step some 9 echo 'skipped: no Go here'`, 1, '0 passed, 1 failed, 0 skipped'],
  ['a server that is missing', `step some 9 echo '# skipped: Kafka: no'`, 1, '0 passed, 1 failed, 0 skipped'],
  ['a part that misses a time', `part some 9 bash -c 'exit 3'`, 0, '1 passed, 0 failed, 0 skipped'],
  ['a part that fails', `part some 9 bash -c 'exit 1'`, 1, '0 passed, 1 failed, 0 skipped'],
  ['a tool that is there', 'need bash command -v bash', 0, '0 passed, 0 failed, 0 skipped'],
  ['a tool without a package', 'need no-such-package command -v no-such-command', 1, '0 passed, 1 failed, 0 skipped'],
])('%s', (_name, part, code, counts) => {
  expect(run(part)).toMatchObject({ code, counts });
});

test('a part that misses a time says which', () => {
  const { said } = run(`part abuse 9 bash -c 'echo "FAILED  p95 of a sign-in"; exit 3'`);
  expect(said).toContain('LATE    abuse: FAILED  p95 of a sign-in');
});

test('a suite whose tests miss a time says which, and is green', () => {
  const line = 'LATE    a call while Redis is away: 31000 ms, at most 30000 are wanted';
  const text = ['RUNS adapters', line, line, 'Tests:       4 passed, 4 total'].join('\n');
  const { code, counts, said } = run(`suite adapters 9 ${printing('late', text)}`);
  expect({ code, counts }).toEqual({ code: 0, counts: '4 passed, 0 failed, 0 skipped' });
  expect(said.match(/^LATE .*/gm)).toEqual([line.replace('LATE    ', 'LATE    adapters: ')]);
});

test.each([
  ['Tests:       4 passed, 4 total', 'test', 0, '4 passed, 0 failed, 0 skipped'],
  ['Tests:       1 failed, 4 passed, 5 total', 'test', 1, '4 passed, 1 failed, 0 skipped'],
  ['Tests:       2 skipped, 4 passed, 6 total', 'test-int', 1, '4 passed, 2 failed, 0 skipped'],
  ['Tests:       1 skipped, 4 passed, 5 total', 'mongo', 0, '4 passed, 0 failed, 1 skipped'],
  ['Tests:       2 skipped, 4 passed, 6 total', 'mongo', 1, '4 passed, 2 failed, 0 skipped'],
  ['no count', 'test', 1, '0 passed, 1 failed, 0 skipped'],
])('a suite with "%s" as %s', (line, name, code, counts) => {
  expect(run(`suite ${name} 9 ${printing(name, line)}`)).toMatchObject({ code, counts });
});

const endedByV8 = [
  '  ● Test suite failed to run',
  'A jest worker process (pid=1) was terminated by another process: signal=SIGTRAP, exitCode=null.',
];
const oneFailed = ['FAIL a.spec.ts (5 s)', '  ● sends an answer', 'Tests:       1 failed, 4 passed, 5 total'];
const once = 'Tests:       3 passed, 3 total';
/** Runs a suite whose first run prints this, and whose second attempts end so. */
function retried(first: readonly string[], ...again: readonly (readonly [text: string, code: number])[]) {
  const command = attempts('again', ...again);
  const shown = printing('first', first.join('\n'));
  return run(`again[test]='${command} --alone'`, `suite test 9 bash -c '${shown}; exit 1'`);
}

test('a failed file that passes alone is flaky, and is named with its first failing test', () => {
  const { code, counts, said } = retried(oneFailed, [once, 0]);
  expect({ code, counts }).toEqual({ code: 0, counts: '5 passed, 0 failed, 0 skipped' });
  expect(said).toContain('FLAKY   test: a.spec.ts: tests: sends an answer');
  expect(said).toContain('FLAKY: 1 of at most 3');
  expect(attemptsOf('again')).toEqual(['--alone a.spec.ts']);
});

test('a failed file that fails again is red', () => {
  const { code, counts } = retried(oneFailed, ['Tests:       1 failed, 2 passed, 3 total', 1]);
  expect({ code, counts }).toEqual({ code: 1, counts: '4 passed, 1 failed, 0 skipped' });
  expect(attemptsOf('again')).toHaveLength(1);
});

test('counts the tests of a file at its second attempt if V8 ended the process', () => {
  const { code, counts, said } = retried(['FAIL a.spec.ts', ...endedByV8, 'Tests:       4 passed, 4 total'], [once, 0]);
  expect({ code, counts }).toEqual({ code: 0, counts: '7 passed, 0 failed, 0 skipped' });
  expect(said).toContain('FLAKY   test: a.spec.ts: v8');
});

test('four failed files get no second attempt', () => {
  const files = ['a', 'b', 'c', 'd'].map((name) => `FAIL ${name}.spec.ts`);
  const { code, counts } = retried([...files, 'Tests:       4 failed, 4 passed, 8 total'], [once, 0]);
  expect({ code, counts }).toEqual({ code: 1, counts: '4 passed, 4 failed, 0 skipped' });
});

test.each(['embedded/src/matrix/chat.spec.ts', 'embedded/src/never-lost.spec.ts', 'embedded/src/mail-kill.spec.ts'])(
  '%s gets no second attempt, unless V8 ended its process',
  (file) => {
    expect(retried([`FAIL ${file}`, oneFailed.at(-1) ?? ''], [once, 0])).toMatchObject({ code: 1 });
    expect(retried([`FAIL ${file}`, ...endedByV8, 'Tests:       4 passed, 4 total'], [once, 0])).toMatchObject({
      code: 0,
    });
  },
);

test('a test that is skipped without a reason is red, also where a flaky file hides the first verdict', () => {
  const { code, counts } = retried(
    ['FAIL a.spec.ts', '  ● sends', 'Tests:       1 failed, 2 skipped, 4 passed, 7 total'],
    [once, 0],
  );
  expect({ code, counts }).toEqual({ code: 1, counts: '5 passed, 2 failed, 0 skipped' });
});

test('a run with more flaky files than three is red', () => {
  const command = attempts('again', [once, 0]);
  const two = printing(
    'two',
    ['FAIL a.spec.ts', 'FAIL b.spec.ts', 'Tests:       2 failed, 4 passed, 6 total'].join('\n'),
  );
  const suites = ['test', 'e2e'].map((name) => `again[${name}]=${command}; suite ${name} 9 bash -c '${two}; exit 1'`);
  expect(run(...suites)).toMatchObject({ code: 1, counts: '12 passed, 1 failed, 0 skipped' });
});

test('a download gets a second attempt', () => {
  const command = attempts('download', ['503', 1], ['done', 0]);
  expect(run('sleep() { :; }', `network install 9 ${command}`)).toMatchObject({
    code: 0,
    counts: '1 passed, 0 failed, 0 skipped',
  });
  const never = attempts('download', ['503', 1]);
  expect(run('sleep() { :; }', `network install 9 ${never}`)).toMatchObject({
    code: 1,
    counts: '0 passed, 1 failed, 0 skipped',
  });
});

test('steps and parts get no second attempt', () => {
  const command = attempts('single', ['red', 1], ['green', 0]);
  expect(run(`part single 9 ${command}`)).toMatchObject({ code: 1 });
  expect(attemptsOf('single')).toHaveLength(1);
});

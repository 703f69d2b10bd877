import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { describeSkipped } from '@parley/testing';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const bin = join(import.meta.dirname, '../bin/parley.mjs');
let work: string;
const children: ChildProcess[] = [];
beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'parley-cli-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await gone;
  }
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

const environment = { ...process.env, PARLEY_SKIP_BUILD: '1', NODE_OPTIONS: '' };

/** Runs to the end; for starts that are refused. Once more where Node itself did not come to its end (nodejs/node#54918). */
function run(args: string[], node = process.execPath): { status: number | null; stdout: string; stderr: string } {
  const once = () =>
    spawnSync(node, [bin, ...args], { env: environment, encoding: 'utf8', timeout: 25_000, cwd: work });
  const first = once();
  return first.signal === null ? first : once();
}

/** Starts and waits for the line. */
async function start(args: string[], line = /\n/): Promise<string> {
  const child = spawn(process.execPath, [bin, ...args], { env: environment, cwd: work });
  children.push(child);
  return new Promise((resolve, reject) => {
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      if (line.test(out)) resolve(out);
    });
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${out}`)));
  });
}

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));

const refusal = (args: string[], node?: string) => {
  const { status, stdout, stderr } = run(args, node);
  expect([status, stdout, stderr.trim().split('\n').length]).toEqual([1, '', 1]);
  return stderr.trim();
};

describe('parley', () => {
  test('--help and --version', () => {
    const help = run(['--help']);
    expect([help.status, help.stdout.includes('backup'), help.stdout.includes('restore')]).toEqual([0, true, true]);
    expect(run(['start', '--help']).stdout).toContain('--port');
    expect(run(['--version']).stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test('prints one line with the address and the setup link; a second one on the same folder is refused', async () => {
    const data = join(work, 'one');
    expect(await start(['--data', data, '--port', '0'])).toMatch(
      /^Parley is ready at http:\/\/localhost:\d+; register the platform admin at http:\/\/localhost:\d+\/en\/register\?setup=[\w-]{43}\n$/,
    );
    expect(refusal(['--data', data, '--port', '0'])).toMatch(
      /^parley: The data folder is in use by another Parley .*: stop it first or choose another folder with --data\.$/,
    );
    const backup = run(['backup', join(work, 'b.tar'), '--data', data]);
    expect([backup.status, backup.stdout]).toEqual([0, expect.stringContaining('contains the keys')]);
    expect(refusal(['restore', join(work, 'b.tar'), '--data', data])).toContain('is not empty');
    expect(run(['restore', join(work, 'b.tar'), '--data', join(work, 'new')]).status).toBe(0);
    const written = [data, join(work, 'b.tar'), ...filesOf(data), ...filesOf(join(work, 'new'))];
    expect(written.length).toBeGreaterThan(15);
    expect(written.filter((path) => (statSync(path).mode & 0o077) !== 0)).toEqual([]);
    expect(await start(['--data', join(work, 'new'), '--port', '0'])).toContain('ready');
  }, 90_000);

  test('probes and metrics of all services in one process, where they are wanted', async () => {
    const printed = await start(
      ['--data', join(work, 'managed'), '--port', '0', '--management-port', '0'],
      /Probes and metrics are at port (\d+)/,
    );
    const at = (path: string) => fetch(`http://127.0.0.1:${/port (\d+)/.exec(printed)?.[1]}${path}`);
    expect([(await at('/health/ready')).status, (await at('/health/live')).status]).toEqual([200, 200]);
    const notes = async () => (await at('/health/ready')).text();
    const reserve = join(work, 'managed', 'store.sqlite.reserve');
    expect(await notes()).not.toContain('disk');
    // The store gives its reserve up when the disk is full.
    renameSync(reserve, `${reserve}.away`);
    expect(await notes()).toContain('disk: full');
    renameSync(`${reserve}.away`, reserve);
    expect(await notes()).not.toContain('disk');
    const metrics = await (await at('/metrics')).text();
    for (const service of ['auth', 'org', 'chat', 'billing', 'monitoring'])
      expect(metrics).toContain(`parley_outbox_pending{service="${service}"} 0`);
    expect(metrics).toContain('parley_outbox_oldest_age_seconds{service="chat"} 0');
    expect(metrics).toContain('parley_dead_letters{service="billing"} 0');
    expect(metrics).toContain('parley_parked_keys{service="billing"} 0');
  }, 60_000);

  test('a port in use', async () => {
    const server: Server = createServer();
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
    });
    expect(refusal(['--data', join(work, 'port'), '--port', String(port)])).toBe(
      `parley: Port ${port} is in use: stop what listens there or choose another one with --port.`,
    );
    server.close();
  });

  test('a data folder that cannot be written to', () => {
    writeFileSync(join(work, 'file'), '');
    expect(refusal(['--data', join(work, 'file/below'), '--port', '0'])).toMatch(
      /^parley: The data folder .* cannot be written to/,
    );
  });

  test('data of a newer Parley', () => {
    const data = join(work, 'newer');
    mkdirSync(data);
    writeFileSync(join(data, 'format.json'), '{"version":99}');
    expect(refusal(['--data', data, '--port', '0'])).toMatch(
      /^parley: The data folder .* was written by a newer Parley .*: update Parley, or restore the backup\.$/,
    );
  });

  test.each([
    ['--host', '0.0.0.0'],
    ['--host', '0.0.0.0', '--public-url', 'https://chat.example'],
  ])('%s %s %s %s without TLS', (...args) => {
    expect(refusal(['--data', join(work, 'bind'), '--port', '0', ...args])).toMatch(
      /^parley: Listening on 0\.0\.0\.0 needs TLS/,
    );
  });

  test('settings that make no sense are all named, without their values', () => {
    const { status, stderr } = run(['--data', join(work, 'bad'), '--port', 'many', '--registration', 'maybe']);
    expect([
      status,
      stderr.includes('PARLEY_PORT'),
      stderr.includes('PARLEY_REGISTRATION'),
      stderr.includes('maybe'),
    ]).toEqual([1, true, true, false]);
  });

  test('npm start passes SIGTERM on: the shell between becomes the server', async () => {
    const root = join(import.meta.dirname, '../..');
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } };
    const data = join(work, 'shell');
    const env = { ...environment, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };
    const shell = spawn('sh', ['-c', `${scripts.start} --port 0 --data '${data}'`], { env, cwd: root });
    await new Promise((resolve) => shell.stdout.once('data', resolve));
    const { pid } = JSON.parse(readFileSync(join(data, 'store.sqlite.lock'), 'utf8')) as { pid: number };
    shell.kill('SIGTERM');
    const code = await new Promise((resolve) => shell.once('exit', resolve));
    const isGone = !existsSync(join(data, 'store.sqlite.lock'));
    if (!isGone) process.kill(pid);
    expect([code, isGone]).toEqual([0, true]);
  }, 60_000);

  const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find(
    (path) =>
      existsSync(path) &&
      Number(spawnSync(path, ['-p', 'process.versions.node.split(".")[0]'], { encoding: 'utf8' }).stdout) < 24,
  );
  if (!oldNode) describeSkipped('a Node that is too old', { skipped: 'the system has no Node below 24' });
  else
    test('a Node that is too old', () => {
      expect(refusal(['--data', join(work, 'old')], oldNode)).toMatch(
        /^parley: Node 2\d\.\S+ is too old, 24 or newer is needed/,
      );
    });
});

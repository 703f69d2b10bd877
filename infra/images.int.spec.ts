import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { describeSkipped, eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import {
  Installation,
  processNames,
  startInfrastructure,
  type Infrastructure,
  type ProcessName,
} from '@parley/testing/distributed';
import { freePort } from '@parley/testing/servers';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSteps, commandsOf, environmentOf } from './dockerfile.ts';
import { readRendered, root } from './kubernetes/objects.ts';

/** The machine may be busy with other parts. */
const startsWithinMs = 240_000;
/** Who containers run as. */
const nobody = 65_532;
const isRoot = process.getuid?.() === 0;

/** By TCP: who owns a socket file is nobody's matter here. */
const servers = await startInfrastructure({ store: 'secantus' });
if ('skipped' in servers) describeSkipped('what the images hold', servers);
else
  describe('what the images hold, without an engine: the steps and commands of Dockerfile and manifests, on files that cannot be written', () =>
    defineSuite(servers));

function defineSuite(running: Infrastructure): void {
  const work = mkdtempSync(join(tmpdir(), 'parley-image-'));
  const image = join(work, 'image');
  /** A copy: the checkout may lie where nobody else may look. */
  const node = join(work, 'node');
  const children = new Set<ChildProcess>();
  let asNobody: { uid?: number; gid?: number } = {};
  let installation: Installation;

  beforeAll(async () => {
    chmodSync(work, 0o755);
    copyCheckout(image);
    cpSync(process.execPath, node);
    for (const step of buildSteps) run('sh', ['-c', step]);
    run('chmod', ['-R', 'a-w', image]);
    if (isRoot) asNobody = { uid: nobody, gid: nobody };
    const tried = spawnSync(node, ['-e', ''], { cwd: image, ...asNobody });
    if (tried.status !== 0) {
      process.stdout.write(
        `As user ${nobody} nothing can be run in ${work}: the images are tried as ourselves, and what they write is not noticed.\n`,
      );
      asNobody = {};
    }
    installation = await Installation.prepare({ infrastructure: running });
    await installation.parley(['keys', 'init', '--out', join(running.folder, 'keys')]);
  }, 1_000_000);
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await installation?.close();
    await running.close();
    spawnSync('chmod', ['-R', 'u+w', work]);
    rmSync(work, { recursive: true, force: true });
  });

  function run(program: string, args: readonly string[]): void {
    // As whoever builds it: with the network's settings of this machine.
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: image,
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
      timeout: 900_000,
    });
    if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`);
  }

  /** As a container has it: the target's variables and these, nothing of ours. */
  function start(
    target: string,
    [, ...args]: readonly string[],
    environment: Record<string, string>,
  ): { child: ChildProcess; ended: Promise<{ code: number | null; output: string }>; output: () => string } {
    const child = spawn(node, args, {
      cwd: image,
      env: { PATH: '/usr/bin:/bin', TMPDIR: tmpdir(), ...environmentOf(target), ...environment },
      ...asNobody,
    });
    children.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
    const ended = new Promise<{ code: number | null; output: string }>(
      (resolve) => void child.once('close', (code) => resolve({ code, output })),
    );
    return { child, ended, output: () => output };
  }

  function ownFolder(name: string): string {
    const folder = join(work, name);
    mkdirSync(folder);
    if (isRoot) chownSync(folder, nobody, nobody);
    return folder;
  }

  test('the image of the one-process edition starts, serves its pages, is found healthy, and ends in order', async () => {
    const { start: command, health } = commandsOf('embedded');
    const port = String(await freePort());
    const parley = start('embedded', command, {
      PARLEY_DATA: ownFolder('data'),
      PARLEY_PORT: port,
      PARLEY_PUBLIC_URL: `http://localhost:${port}`,
    });
    await eventually(() => expect(parley.output()).toContain('ready at'), 'it should start', startsWithinMs);
    expect(await (await fetch(`http://localhost:${port}/en`)).text()).toContain('<div id="root"');
    const asked = start(
      'embedded',
      health.map((part) => part.replace(':3000/', `:${port}/`)),
      {},
    );
    expect(await asked.ended).toEqual({ code: 0, output: '' });
    parley.child.kill('SIGTERM');
    expect((await parley.ended).code).toBe(0);
  });

  test('the Job of Kubernetes makes topics and schema', async () => {
    const job = readRendered('prod').find(({ kind }) => kind === 'Job') as unknown as {
      spec: { template: { spec: Record<'initContainers' | 'containers', { command: string[] }[]> } };
    };
    const { initContainers, containers } = job.spec.template.spec;
    const outputs: string[] = [];
    for (const { command } of [...initContainers, ...containers]) {
      const { code, output } = await start('service', command, asSecrets(installation.shared)).ended;
      expect([code, code === 0 ? '' : output]).toEqual([0, '']);
      outputs.push(output);
    }
    expect(outputs).toEqual([
      expect.stringContaining('create parley.chat.events.v1'),
      expect.stringContaining('chat: made schema'),
    ]);
  });

  test('the seven Deployments start what is there: a question is answered and billed', async () => {
    const blobs = ownFolder('blobs');
    const commands = new Map(
      readRendered('prod')
        .filter(({ kind }) => kind === 'Deployment')
        .map((object) => [object.metadata.name, commandOf(object)]),
    );
    const processes = processNames.map((name) => ({
      name,
      ...start('service', commands.get(name) ?? [], {
        ...asSecrets(installation.settingsOf(name)),
        ...(name.startsWith('chat-') && { PARLEY_BLOBS_FOLDER: blobs }),
      }),
    }));
    await eventually(
      async () =>
        expect(await Promise.all(processes.map(({ name }) => isReady(name)))).toEqual(processes.map(() => true)),
      'all should be ready',
      startsWithinMs,
    ).catch((error: unknown) => {
      throw new Error(processes.map(({ name, output }) => `${name}: ${output()}`).join('\n'), { cause: error });
    });
    const person = new ParleyClient(installation.publicUrl);
    await person.register({ name: 'Ada', email: 'ada@example.com', password: 'three quiet herons' });
    await person.createOrganisation('Engines');
    await person.upload('vpn.md', '# VPN\n\nRestart the gateway in pairs.');
    const conversationId = newId('conversation');
    await person.send(conversationId, 'What can you do?');
    await eventually(
      async () => expect((await person.ledgerEntries()).map((entry) => entry.conversationId)).toEqual([conversationId]),
      'the answer should be billed',
      startsWithinMs,
    );
    for (const { child } of processes) child.kill('SIGTERM');
    expect(await Promise.all(processes.map(async ({ ended }) => (await ended).code))).toEqual(processes.map(() => 0));
  });

  const isReady = (name: ProcessName): Promise<boolean> =>
    fetch(`http://127.0.0.1:${installation.settingsOf(name)['PARLEY_MANAGEMENT_PORT']}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
}

/** What git knows or would know, as `COPY . .` has it. */
function copyCheckout(into: string): void {
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' });
  for (const file of stdout.split('\0').filter((each) => each !== '' && !each.startsWith('.ci/')))
    cpSync(join(root, file), join(into, file));
}

const commandOf = (deployment: unknown): string[] =>
  (deployment as { spec: { template: { spec: { containers: { command: string[] }[] } } } }).spec.template.spec
    .containers[0]?.command ?? [];

/** Values instead of files: what `secretRef` gives. */
function asSecrets(settings: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) =>
      name.endsWith('_FILE') ? [name.slice(0, -'_FILE'.length), readFileSync(value, 'utf8')] : [name, value],
    ),
  );
}

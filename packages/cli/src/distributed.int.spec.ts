import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { GenerationFrame } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import { Installation, processNames, startServers, type Running, type Servers } from './distributed-processes.spec-setup.ts';

const password = 'three quiet herons';
const servers = await startServers();
if ('skipped' in servers) {
  process.stderr.write(`skipped: the distributed edition: ${servers.skipped}\n`);
  test.skip(`the distributed edition: skipped: ${servers.skipped}`, () => undefined);
} else describe('seven processes on Kafka, Redis and a document store', () => defineSuite(servers));

function defineSuite(running: Servers): void {
  let installation: Installation;
  let processes: Running[] = [];
  const ready = () => Promise.all(processes.map(async ({ probe }) => (await probe('/health/ready').catch(() => ({ status: 0 }))).status));

  beforeAll(async () => {
    installation = await Installation.prepare(running);
  });
  afterAll(async () => {
    installation.killAll();
    await running.close();
  });

  test('the doctor names what is missing, and keys are never overwritten', async () => {
    const keys = await installation.parley(['keys', 'init', '--out', `${running.folder}/keys`]);
    expect(keys).toEqual({ code: 0, output: expect.stringContaining('sealing.key') });
    expect(await installation.parley(['keys', 'init', '--out', `${running.folder}/keys`])).toEqual({ code: 1, output: expect.stringContaining('There are keys') });
    const { code, output } = await installation.parley(['doctor', 'org'], { settings: installation.settingsOf('org') });
    expect([code, ...['FAULT Topics', 'parley topics apply', 'FAULT Schema of chat', 'parley migrate-schema', 'ok    Redis', 'ok    MongoDB', 'ok    Clock', 'ok    Settings of org'].filter((part) => !output.includes(part))]).toEqual([1]);
  });

  test('processes wait for the schema, up and not ready; five migrations at once end well', async () => {
    expect(await installation.parley(['topics', 'apply'])).toEqual({ code: 0, output: expect.stringContaining('create parley.chat.events.v1 with 12 partitions') });
    expect(await installation.parley(['topics', 'apply'])).toEqual({ code: 0, output: 'All topics are as declared.\n' });
    processes = processNames.map((name) => installation.start(name));
    await eventually(async () => expect(await Promise.all(processes.map(async ({ probe }) => (await probe('/health/startup')).status))).toEqual(processes.map(() => 200)), 'all should have started', 60_000);
    expect((await processes[0]!.probe('/health/ready')).text).toContain('parley migrate-schema');
    const migrations = await Promise.all(Array.from({ length: 5 }, () => installation.parley(['migrate-schema'])));
    expect(migrations.map(({ code, output }) => (code === 0 ? 0 : output))).toEqual([0, 0, 0, 0, 0]);
    for (const owner of ['auth', 'org', 'chat', 'billing', 'monitoring']) expect(migrations.filter(({ output }) => output.includes(`${owner}: made schema`))).toHaveLength(1);
    await eventually(async () => expect(await ready()).toEqual(processes.map(() => 200)), 'all should be ready', 60_000);
  });

  test('the first platform admin is made once, and signs in', async () => {
    const create = () => installation.parley(['admin', 'create', '--email', 'ada@example.com', '--name', 'Ada'], { input: `${password}\n` });
    expect([await create(), await create()]).toEqual([{ code: 0, output: expect.stringContaining('can sign in') }, { code: 1, output: expect.stringContaining('already') }]);
    const ada = new ParleyClient(installation.publicUrl);
    expect(await ada.signIn('ada@example.com', password)).toMatchObject({ platformRole: 'admin' });
  });

  test('a person registers, asks, and reads the streamed answer over the socket', async () => {
    const person = new ParleyClient(installation.publicUrl);
    await person.register({ name: 'Grace', email: 'grace@example.com', password });
    await person.createOrganisation('Distributed');
    const socket = person.socket();
    const frames: GenerationFrame[] = [];
    socket.on('generation.frame', (frame) => frames.push(frame));
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('connect_error', reject);
    });
    const conversationId = newId('conversation');
    const askedAt = Date.now();
    await person.send(conversationId, 'What can you do?');
    expect(await socket.emitWithAck('conversation.open', { conversationId })).toMatchObject({ ok: true });
    await eventually(() => expect(frames.length).toBeGreaterThan(0), 'the first words should come');
    // Told by the doorbell: the sweep alone would take half a second and more.
    expect(Date.now() - askedAt).toBeLessThan(500);
    await eventually(() => expect(frames.at(-1)?.[5]).toBe('done'), 'the answer should end');
    const streamed = frames.reduce((text, [, , , offset, delta]) => text.slice(0, offset) + delta, '');
    expect(streamed.length).toBeGreaterThan(20);
    expect((await person.messages(conversationId)).items[1]?.text).toBe(streamed);
    socket.close();
  });

  test('metrics tell what goes on, and the doctor is content', async () => {
    const text = async (name: string) => (await processes.find((each) => each.name === name)!.probe('/metrics')).text;
    expect(await text('chat-api')).toMatch(/http_server_request_duration_seconds_count\{service="chat",method="POST",route="\/api\/chat\/conversations\/:conversationId\/messages",status="202"\} 1/);
    expect(await text('chat-worker')).toMatch(/parley_generation_queued\{service="chat"\} 0\n[^]*parley_generation_active\{service="chat"\} 0/);
    await eventually(async () => expect(await text('chat-api')).toMatch(/parley_outbox_pending\{service="chat"\} 0/), 'the outbox should be empty');
    expect(await text('bff')).toMatch(/parley_socket_open\{service="bff"\} \d/);
    await eventually(async () => expect(await text('billing')).toMatch(/parley_kafka_consumer_lag\{service="billing",group="billing"\} 0/), 'billing should have read all');
    expect(await installation.parley(['doctor', 'bff'], { settings: { ...installation.settingsOf('bff') } })).toMatchObject({ code: 0 });
  });

  test('faulty settings are named at once, and no value is shown', async () => {
    const faulty = await installation.parley(['doctor', 'chat'], { settings: { ...installation.settingsOf('chat-api'), PARLEY_ROLE: 'hunter2', PARLEY_PORT: 'hunter2', PARLEY_REDIS_URL: 'http://hunter2' } });
    expect([faulty.code, ['PARLEY_ROLE', 'PARLEY_PORT', 'PARLEY_REDIS_URL'].filter((name) => !faulty.output.includes(name)), faulty.output.includes('hunter2')]).toEqual([1, [], false]);
  });

  test('SIGTERM ends one after the other in order, with exit 0, though the rest keep asking it', async () => {
    const ends: { name: string; code: number | null; ms: number }[] = [];
    for (const { name, signal, exited } of processes) {
      const startedAt = Date.now();
      signal('SIGTERM');
      ends.push({ name, code: await exited, ms: Date.now() - startedAt });
    }
    const hung = processes.flatMap(({ log }) => log().split('\n').filter((line) => line.includes('shutdown step')));
    expect([ends.filter(({ code, ms }) => code !== 0 || ms > 10_000), hung]).toEqual([[], []]);
  });
}

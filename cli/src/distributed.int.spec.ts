import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { ConversationId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { describeSkipped, eventually } from '@parley/testing';
import { ParleyClient, ReadingTab } from '@parley/testing/client';
import {
  Installation,
  processNames,
  startInfrastructure,
  type Infrastructure,
  type Running,
} from '@parley/testing/distributed';
import { readInPieces } from './completion-in-pieces.spec-setup.ts';
import { defineDoctor, guard, login } from './doctor.spec-setup.ts';
import { followRequest } from './followed-request.spec-setup.ts';
import { failEverywhere } from './errors-on-purpose.spec-setup.ts';
import { startHaltingModel } from './halting-model.spec-setup.ts';

const password = 'three quiet herons';
/** More than the times that an answer is begun anew when workers die. */
const handOvers = 3;
const servers = await startInfrastructure({ guard });
if ('skipped' in servers) describeSkipped('the distributed edition', servers);
else
  describe('seven processes on Kafka behind TLS and a password, Redis and a document store', () =>
    defineSuite(servers));

function defineSuite(running: Infrastructure): void {
  let installation: Installation;
  let model: Awaited<ReturnType<typeof startHaltingModel>>;
  let processes: Running[] = [];
  const ready = () => Promise.all(processes.map((each) => each.isReady()));

  beforeAll(async () => {
    model = await startHaltingModel((asked) => asked <= handOvers);
    installation = await Installation.prepare({
      infrastructure: running,
      // The level at which each hop of a request is a line.
      settings: { ...login, PARLEY_OUTBOUND_ALLOW: model.address, PARLEY_LOG_LEVEL: 'debug' },
    });
  });
  afterEach(() => {
    expect(
      processes.flatMap(({ name, log }) =>
        log()
          .split('\n')
          .filter((line) => line.includes('"level":60'))
          .map((line) => `${name}: ${line}`),
      ),
    ).toEqual([]);
  });
  afterAll(async () => {
    await installation.close();
    model.close();
    await running.close();
  });

  async function newOwner(name: string): Promise<ParleyClient> {
    const person = new ParleyClient(installation.publicUrl);
    await person.register({ name, email: `${name.toLowerCase()}@example.com`, password });
    await person.createOrganisation(name);
    return person;
  }

  test('the doctor names what is missing, and keys are never overwritten', async () => {
    const keys = await installation.parley(['keys', 'init', '--out', `${running.folder}/keys`]);
    expect(keys).toEqual({ code: 0, output: expect.stringContaining('sealing.key') });
    expect(await installation.parley(['keys', 'init', '--out', `${running.folder}/keys`])).toEqual({
      code: 1,
      output: expect.stringContaining('There are keys'),
    });
    const { code, output } = await installation.parley(['doctor', 'org'], { settings: installation.settingsOf('org') });
    expect([
      code,
      ...[
        'FAULT Topics',
        'parley topics apply',
        'FAULT Schema of chat',
        'parley migrate-schema',
        'ok    Redis',
        'ok    MongoDB',
        'ok    Clock',
        'ok    Settings of org',
      ].filter((part) => !output.includes(part)),
    ]).toEqual([1]);
  });

  test('processes wait for the schema, up and not ready; five migrations at once end well', async () => {
    expect(await installation.parley(['topics', 'apply'])).toEqual({
      code: 0,
      output: expect.stringContaining('create parley.chat.events.v1 with 12 partitions'),
    });
    expect(await installation.parley(['topics', 'apply'])).toEqual({
      code: 0,
      output: 'All topics are as declared.\n',
    });
    processes = await Promise.all(processNames.map((name) => installation.start(name)));
    await eventually(
      async () =>
        expect(await Promise.all(processes.map(async ({ probe }) => (await probe('/health/startup')).status))).toEqual(
          processes.map(() => 200),
        ),
      'all should have started',
      60_000,
    );
    expect((await processes[0]!.probe('/health/ready')).text).toContain('parley migrate-schema');
    const migrations = await Promise.all(Array.from({ length: 5 }, () => installation.parley(['migrate-schema'])));
    expect(migrations.map(({ code, output }) => (code === 0 ? 0 : output))).toEqual([0, 0, 0, 0, 0]);
    for (const owner of ['auth', 'org', 'chat', 'billing', 'monitoring'])
      expect(migrations.filter(({ output }) => output.includes(`${owner}: made schema`))).toHaveLength(1);
    await eventually(
      async () => expect(await ready()).toEqual(processes.map(() => true)),
      'all should be ready',
      60_000,
    );
  });

  test('the first platform admin is made once, and signs in', async () => {
    const create = () =>
      installation.parley(['admin', 'create', '--email', 'ada@example.com', '--name', 'Ada'], {
        input: `${password}\n`,
      });
    expect([await create(), await create()]).toEqual([
      { code: 0, output: expect.stringContaining('can sign in') },
      { code: 1, output: expect.stringContaining('already') },
    ]);
    const ada = new ParleyClient(installation.publicUrl);
    expect(await ada.signIn('ada@example.com', password)).toMatchObject({ platformRole: 'admin' });
  });

  test('errors that a platform admin asks for arrive from each service, by a request and by an event', async () => {
    const ada = new ParleyClient(installation.publicUrl);
    await ada.signIn('ada@example.com', password);
    await failEverywhere(ada);
  });

  test('a request can be followed: its trace stands in the lines of each hop, in its events and under its errors', async () => {
    await followRequest(await newOwner('Trace'), processes);
  });

  test('a person registers, asks, and reads the streamed answer over the socket', async () => {
    const person = await newOwner('Grace');
    const conversationId = newId('conversation');
    const askedAt = Date.now();
    await person.send(conversationId, 'What can you do?');
    const { answer, socket } = new ReadingTab(person, conversationId);
    await eventually(() => expect(answer.text).not.toBe(''), 'the first words should come');
    process.stdout.write(`first words after ${Date.now() - askedAt} ms\n`);
    await eventually(() => expect(answer.end).toBe('done'), 'the answer should end');
    expect(answer.text.length).toBeGreaterThan(20);
    expect((await person.messages(conversationId)).items[1]?.text).toBe(answer.text);
    socket.close();
  });

  test('a worker that ends hands its answer to another one, as often as workers end', async () => {
    const person = await newOwner('Hopper');
    await person.call('POST /api/chat/providers', {
      body: {
        id: newId('provider'),
        name: 'M',
        baseUrl: `http://${model.address}/v1`,
        models: ['m'],
        defaultModel: 'm',
        isDefault: true,
      },
    });
    const conversationId = newId('conversation');
    await person.send(conversationId, 'Count');
    const { answer, socket } = new ReadingTab(person, conversationId);
    await eventually(() => expect(answer.text).toBe('one '), 'the first word should come');
    const at = processNames.indexOf('chat-worker');
    let endedAt = 0;
    for (let handOver = 1; handOver <= handOvers; handOver += 1) {
      await eventually(() => expect(answer.place?.epoch).toBe(handOver), 'each worker should begin');
      const next = await installation.start('chat-worker', handOver);
      await eventually(async () => expect(await next.isReady()).toBe(true), 'the next worker should be ready');
      endedAt = Date.now();
      processes[at]!.signal('SIGTERM');
      expect(await processes[at]!.exited).toBe(0);
      processes[at] = next;
    }
    await eventually(
      () => expect([answer.text, answer.end]).toEqual(['one two three', 'done']),
      'the answer should end elsewhere',
    );
    process.stdout.write(
      `the last of ${handOvers} workers ended: answered elsewhere after ${Date.now() - endedAt} ms\n`,
    );
    expect(answer.place?.epoch).toBe(handOvers + 1);
    socket.close();
  });

  test('metrics tell what goes on, and the doctor is content', async () => {
    const text = async (name: string) => (await processes.find((each) => each.name === name)!.probe('/metrics')).text;
    // The spec asks three questions, one of them twice.
    expect(await text('chat-api')).toMatch(
      /http_server_request_duration_seconds_count\{service="chat",method="POST",route="\/api\/chat\/conversations\/:conversationId\/messages",status="202"\} 4\n/,
    );
    expect(await text('chat-worker')).toMatch(
      /parley_generation_queued\{service="chat"\} 0\n[^]*parley_generation_active\{service="chat"\} 0/,
    );
    await eventually(
      async () => expect(await text('chat-api')).toMatch(/parley_outbox_pending\{service="chat"\} 0/),
      'the outbox should be empty',
    );
    expect(await text('bff')).toMatch(/parley_socket_open\{service="bff"\} \d/);
    await eventually(
      async () =>
        expect(await text('billing')).toMatch(/parley_kafka_consumer_lag\{service="billing",group="billing"\} 0/),
      'billing should have read all',
    );
    expect(
      await installation.parley(['doctor', 'bff'], { settings: { ...installation.settingsOf('bff') } }),
    ).toMatchObject({ code: 0 });
  });

  test('what an operator repeats at an upgrade changes nothing while questions are asked', async () => {
    const person = await newOwner('Liskov');
    let isOver = false;
    const commands = Promise.all([
      installation.parley(['topics', 'apply']),
      installation.parley(['migrate-schema']),
    ]).finally(() => (isOver = true));
    const asked: ConversationId[] = [];
    while (!isOver) {
      asked.push(newId('conversation'));
      await person.send(asked.at(-1)!, 'What can you do?');
      await eventually(
        async () => expect((await person.messages(asked.at(-1)!)).items[1]?.generation?.status).toBe('done'),
        'the answer should end',
      );
    }
    const [topics, schema] = await commands;
    expect(topics).toEqual({ code: 0, output: 'All topics are as declared.\n' });
    expect([schema.code, schema.output.match(/is at schema/g)?.length]).toEqual([0, 5]);
    expect(asked.length).toBeGreaterThan(2);
    const billed = async () =>
      (await person.ledgerEntries()).map(({ conversationId }) => String(conversationId)).toSorted();
    await eventually(async () => expect(await billed()).toEqual(asked.toSorted()), 'each answer should be billed once');
    expect(await ready()).toEqual(processes.map(() => true));
  });

  test('a program reads its answer in pieces, written by another process', async () => {
    await readInPieces(await newOwner('Hamilton'));
  });

  test('while Kafka is away, all stay ready and alive, questions are answered, and events wait', async () => {
    const person = await newOwner('Turing');
    await running.kafka.kill();
    const conversationId = newId('conversation');
    await person.send(conversationId, 'What can you do?');
    await eventually(
      async () => expect((await person.messages(conversationId)).items[1]?.generation?.status).toBe('done'),
      'the answer should end',
    );
    const pending = async () =>
      Number(
        /parley_outbox_pending\{service="chat"\} (\d+)/.exec(
          (await processes.find(({ name }) => name === 'chat-api')!.probe('/metrics')).text,
        )?.[1],
      );
    expect(await pending()).toBeGreaterThan(0);
    const live = await Promise.all(processes.map(async ({ probe }) => (await probe('/health/live')).status));
    expect([await ready(), live]).toEqual([processes.map(() => true), processes.map(() => 200)]);
    await running.kafka.restart();
    await eventually(async () => expect(await pending()).toBe(0), 'the events should go out', 120_000);
  });

  defineDoctor(() => installation);

  test('SIGTERM ends one after the other in order, with exit 0, though the rest keep asking it', async () => {
    const socket = (await newOwner('Lovelace')).socket();
    await new Promise<void>((resolve) => void socket.once('connect', resolve));
    const cut = new Promise((resolve) => void socket.once('disconnect', resolve));
    const ends: { name: string; code: number | null; ms: number }[] = [];
    for (const { name, signal, exited } of processes) {
      const startedAt = Date.now();
      signal('SIGTERM');
      ends.push({ name, code: await exited, ms: Date.now() - startedAt });
    }
    // A client that is told to leave would not come back; one whose connection breaks does.
    expect(await cut).toBe('transport close');
    socket.close();
    const hung = processes.flatMap(({ log }) => log().match(/.*shutdown step.*/g) ?? []);
    process.stdout.write(`ended in order: ${ends.map(({ name, ms }) => `${name} ${ms} ms`).join(', ')}\n`);
    expect([ends.filter(({ code }) => code !== 0), hung]).toEqual([[], []]);
  });
}

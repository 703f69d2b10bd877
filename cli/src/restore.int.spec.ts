import { afterAll, describe, expect, test } from '@jest/globals';
import type { ConversationId, Message } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { describeSkipped, eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import {
  Installation,
  processNames,
  startInfrastructure,
  type Infrastructure,
  type ProcessName,
  type Running,
} from '@parley/testing/distributed';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { aged, dumpDatabases, restoreDatabases } from './backup-copy.spec-setup.ts';

const person = { name: 'Grace', email: 'grace@example.com', password: 'three quiet herons' };
const questions = ['How do I restart the gateway?', 'Who restarts the gateway?', 'When is the gateway restarted?'];
/** The inbox remembers for 14 days, the outbox for one: a backup may be older than both. */
const daysOld = 20;

const lost = await startInfrastructure();
if ('skipped' in lost) describeSkipped('restoring the distributed edition', lost);
else describe('a distributed installation that is lost and restored', () => defineSuite(lost));

type Life = { readonly installation: Installation; readonly processes: Record<ProcessName, Running> };

async function startAll(installation: Installation): Promise<Life> {
  const started = await Promise.all(processNames.map(async (name) => [name, await installation.start(name)] as const));
  await eventually(
    async () => expect(await Promise.all(started.map(([, each]) => each.isReady()))).toEqual(started.map(() => true)),
    'all should be ready',
    90_000,
  );
  return { installation, processes: Object.fromEntries(started) as Life['processes'] };
}

const gauge = async ({ processes }: Life, name: ProcessName, metric: RegExp): Promise<number> =>
  Number(metric.exec((await processes[name].probe('/metrics')).text)?.[1] ?? Number.NaN);
const pending = /parley_outbox_pending\{[^}]*\} (\d+)/;
const lag = /parley_kafka_consumer_lag\{[^}]*\} (\d+)/;
const publishers: readonly ProcessName[] = ['auth', 'org', 'chat-api'];
const eventuallyPublished = (life: Life) =>
  eventually(
    async () => expect(await Promise.all(publishers.map((name) => gauge(life, name, pending)))).toEqual([0, 0, 0]),
    'all events should be published',
    60_000,
  );

async function ask(client: ParleyClient, text: string): Promise<{ id: ConversationId; messages: Message[] }> {
  const id = newId('conversation');
  await client.send(id, text);
  await eventually(
    async () => expect((await client.messages(id)).items[1]?.generation?.status).toBe('done'),
    'the answer should end',
    30_000,
  );
  return { id, messages: (await client.messages(id)).items };
}

const ledger = async (client: ParleyClient): Promise<string[]> =>
  (await client.ledgerEntries()).map(({ generationId, attempt }) => `${generationId} ${attempt}`).toSorted();
const attemptsOf = (asked: readonly { messages: Message[] }[]): string[] =>
  asked.map(({ messages }) => `${messages[1]?.generation?.id} 1`).toSorted();
const searchable = async (client: ParleyClient): Promise<number> =>
  (await client.call('GET /api/chat/documents')).counts.searchable;

function defineSuite(first: Infrastructure): void {
  const open: { close(): Promise<void> }[] = [first];
  afterAll(async () => {
    for (const each of open.toReversed()) await each.close();
  });

  test('has its people, texts, documents and each attempt in the ledger once, and answers', async () => {
    const installation = await Installation.prepare({ infrastructure: first });
    open.push(installation);
    await installation.setUp();
    const before = await startAll(installation);
    const client = new ParleyClient(installation.publicUrl);
    await client.register(person);
    const { id: orgId } = await client.createOrganisation('Keepers');
    await client.upload('vpn.md', '# VPN\n\nRestart the gateway in pairs, on Mondays, says Ada.');
    await eventually(async () => expect(await searchable(client)).toBe(1), 'the document should be searchable', 30_000);
    const asked = [await ask(client, questions[0]!), await ask(client, questions[1]!)];
    await eventually(
      async () => expect(await ledger(client)).toEqual(attemptsOf(asked)),
      'both attempts should be billed',
      30_000,
    );
    // What is published now and not dealt with is in Kafka only, and Kafka is in no backup.
    before.processes.billing.signal('SIGTERM');
    await before.processes.billing.exited;
    asked.push(await ask(client, questions[2]!));
    await eventuallyPublished(before);

    // Six processes run; nobody asks them anything, so the databases are as of one moment.
    const copied = aged(await dumpDatabases(first.mongoUrl), daysOld);
    const second = await startInfrastructure();
    if ('skipped' in second) throw new Error(second.skipped);
    open.push(second);
    for (const part of ['blobs', 'keys'])
      cpSync(join(first.folder, part), join(second.folder, part), { recursive: true });
    await installation.close();
    await first.close();

    await restoreDatabases(second.mongoUrl, copied);
    const restored = await Installation.prepare({ infrastructure: second });
    open.push(restored);
    for (const command of ['topics apply', 'after-restore']) {
      const { code, output } = await restored.parley(command.split(' '));
      expect([code, code === 0 ? '' : output]).toEqual([0, '']);
    }
    const after = await startAll(restored);
    const again = new ParleyClient(restored.publicUrl);
    await again.signIn(person.email, person.password);
    again.orgId = orgId;
    expect((await again.conversations()).map(({ id }) => id).toSorted()).toEqual(asked.map(({ id }) => id).toSorted());
    for (const { id, messages } of asked)
      expect((await again.messages(id)).items.map(({ text }) => text)).toEqual(messages.map(({ text }) => text));
    await eventuallyPublished(after);
    await eventually(
      async () => expect(await ledger(again)).toEqual(attemptsOf(asked)),
      'the attempt that billing had not dealt with should be billed, the others no second time',
      60_000,
    );

    asked.push(await ask(again, 'Who restarts the gateway in pairs?'));
    expect(asked.at(-1)?.messages[1]?.text).toContain('in pairs');
    const { id } = await again.upload('late.md', '# Late\n\nThe late shift closes the windows.');
    await eventually(
      async () => expect(await searchable(again)).toBe(2),
      'a new document should be searchable',
      30_000,
    );
    expect(id).toMatch(/^doc/);
    await eventuallyPublished(after);
    await eventually(
      async () => expect([await gauge(after, 'billing', lag), await gauge(after, 'monitoring', lag)]).toEqual([0, 0]),
      'all events should be dealt with',
      60_000,
    );
    expect(await ledger(again)).toEqual(attemptsOf(asked));
    const { total } = await again.call('GET /api/monitoring/metrics', { query: { span: 'month', by: 'model' } });
    expect(total.figures).toMatchObject({ attempts: asked.length, failed: 0 });
  }, 300_000);
}

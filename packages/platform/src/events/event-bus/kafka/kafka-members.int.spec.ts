import { expect, test } from '@jest/globals';
import { topics } from '@parley/contracts';
import type { EventEnvelope } from '@parley/protocol';
import { applyTopics, connectAdmin, KafkaEventBus, readTopics } from './index.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  anOrganisationUpdate,
  anOrgId,
  describeOn,
  eventually,
  firstOf,
  Listener,
  updatesOf,
  versionOf,
} from '@parley/testing';
import { makeKafkaLog, type KafkaLog } from '@parley/testing/kafka';
import { startKafka } from '@parley/testing/servers';

const register = join(import.meta.dirname, '../../../../../tooling/src/register.mjs');
const member = join(import.meta.dirname, 'kafka-member.spec-setup.ts');

/** Starts a member in its own process, which adds handled events to `came`. */
async function startMember({ options }: KafkaLog, came: EventEnvelope[]): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ['--conditions=parley-source', '--import', register, member, options.brokers[0]!, options.prefix!],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  let hasJoined = false;
  createInterface({ input: child.stdout! }).on('line', (line) => {
    if (line === 'joined') hasJoined = true;
    else came.push(JSON.parse(line) as EventEnvelope);
  });
  await eventually(() => hasJoined, 'the other process is a member');
  return child;
}

describeOn('kafka members', await startKafka(), (server) => {
  test('a killed member loses no event: when its session has ended, the others continue after the events that it handled', async () => {
    const log = await makeKafkaLog(server);
    const bus = await log.open();
    const came: EventEnvelope[] = [];
    const child = await startMember(log, came);
    const own = await Listener.join(bus, {
      deliver: async (batch) => {
        came.push(...batch.events.map(({ event }) => event));
      },
    });
    const orgs = Array.from({ length: 12 }, anOrgId);
    for (let version = 1; version <= 60; version += 1) {
      await bus.publish(
        topics.org,
        orgs.map((orgId) => anOrganisationUpdate(orgId, version)),
      );
      if (version === 20) child.kill('SIGKILL');
    }
    const isThere = (): boolean => new Set(came.map((event) => event.id)).size === 12 * 60;
    await eventually(isThere, 'all events have come', 120_000);
    for (const orgId of orgs)
      expect(firstOf(came, orgId).map(versionOf)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
    await eventually(async () => (await own.lag()) === 0, 'nothing waits');
    expect(log.crashes).toEqual([]);
    await bus.close();
  });

  test('a member joins while the group waits for a dead member, and gets events when the dead one’s session has ended', async () => {
    const log = await makeKafkaLog(server);
    const child = await startMember(log, []);
    const gone = new Promise((resolve) => void child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    const bus = await log.open();
    const startedAt = Date.now();
    const listener = await Listener.join(bus);
    process.stdout.write(`joined beside a dead member after ${Date.now() - startedAt} ms\n`);
    await bus.publish(topics.org, updatesOf(anOrgId(), 3));
    await eventually(() => listener.events.length === 3, 'events come', 120_000);
    expect(log.crashes).toEqual([]);
    await bus.close();
  });

  test('a consumer that can’t continue says so once, and its process doesn’t look alive', async () => {
    const log = await makeKafkaLog(server);
    const bus = await log.open();
    const listener = await Listener.join(bus);
    await bus.publish(topics.org, updatesOf(anOrgId(), 3));
    await eventually(() => listener.events.length === 3, 'events flow');
    const admin = await connectAdmin(log.options);
    const name = `${log.options.prefix}${topics.org}`;
    await applyTopics(admin, [{ name, partitions: 3, settings: { 'compression.type': 'lz4' } }]);
    // A broker that is busy with other topics learns of a setting late; events before it are handled as always.
    await eventually(async () => {
      await bus.publish(topics.org, updatesOf(anOrgId(), 3));
      expect(log.crashes).not.toEqual([]);
    }, 'the process is told to exit');
    expect(log.crashes.map((error) => error.message)).toEqual([expect.stringContaining('LZ4')]);
    await admin.disconnect();
    await bus.close();
  });

  test('names a missing topic, and writing to it doesn’t create it', async () => {
    const { options } = await makeKafkaLog(server);
    const bus = await KafkaEventBus.open({ ...options, prefix: 'missing.' });
    await expect(bus.publish(topics.org, updatesOf(anOrgId(), 1))).rejects.toThrow(`missing.${topics.org}`);
    const admin = await connectAdmin(options);
    expect(await readTopics(admin, [`missing.${topics.org}`])).toEqual([]);
    await admin.disconnect();
    await bus.close();
  });

  test('creates, extends and sets topics as declared, and leaves other topics alone', async () => {
    const log = await makeKafkaLog(server);
    const admin = await connectAdmin(log.options);
    const name = `${log.options.prefix}${topics.org}`;
    const before = await readTopics(admin, [name, 'missing']);
    expect(before).toEqual([
      {
        name,
        partitions: 3,
        settings: expect.objectContaining({
          'retention.ms': String(7 * 24 * 3_600_000),
          'compression.type': 'producer',
        }),
      },
    ]);

    const grown = { name, partitions: 5, settings: { 'retention.ms': '60000' } };
    const done = await applyTopics(admin, [grown]);
    expect(done).toMatchObject({
      create: [],
      addPartitions: [{ name, from: 3, to: 5 }],
      set: [{ setting: 'retention.ms', to: '60000' }],
    });
    expect(done.differs).toEqual(expect.arrayContaining([expect.stringContaining('compression.type')]));
    await eventually(async () => {
      expect(await readTopics(admin, [name])).toEqual([
        { name, partitions: 5, settings: { ...before[0]!.settings, 'retention.ms': '60000' } },
      ]);
    }, 'the topic is as declared and has kept its other settings');
    expect(await applyTopics(admin, [grown])).toMatchObject({ create: [], addPartitions: [], set: [] });
    await admin.disconnect();
  });
});

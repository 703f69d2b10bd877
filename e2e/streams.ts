import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { GroupId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';
import type { Infrastructure } from '@parley/testing/distributed';
import { PatientClient, patienceMs } from './patient-client.ts';
import { ines } from './accounts.ts';
import { groupIn, isFrom, startReceiver, StreamFollower, type Receiver } from './outside-programs.ts';
import { TwoOfEach } from './two-of-each.ts';

const perRound = 15;

/** The event stream and webhooks on Kafka, while one monitoring and then the other one is killed with -9. */
export function defineStreams(servers: Infrastructure): void {
  let running: TwoOfEach;
  let receiver: Receiver;
  let owner: ParleyClient;
  beforeAll(async () => {
    receiver = await startReceiver();
    running = await TwoOfEach.start(servers, { PARLEY_OUTBOUND_ALLOW: receiver.address });
    owner = new PatientClient(running.url);
    await owner.register(ines);
    await owner.createOrganisation('Lindmoor');
  }, 300_000);
  afterAll(async () => {
    await running?.close();
    receiver?.close();
  });

  const made: GroupId[] = [];
  const makeSome = async (count: number): Promise<GroupId[]> => {
    const ids = Array.from({ length: count }, () => newId('group'));
    for (const id of ids) {
      const body = { id, name: `Shift ${id.slice(-6)}` };
      await owner.call('POST /api/org/groups', { body });
    }
    made.push(...ids);
    return ids;
  };
  const killInTurn = async (meanwhile: () => Promise<unknown>): Promise<void> => {
    for (const copy of [0, 1]) {
      await meanwhile();
      const replace = await running.kill(running.of('monitoring')[copy]!);
      await meanwhile();
      await replace();
      await running.untilReady();
    }
    await meanwhile();
  };

  test('an official CloudEvents SDK follows the stream through both kills: nothing lost, nothing double, in order', async () => {
    const endsAt = new Date(Date.now() + 3_600_000).toISOString();
    const key = { id: newId('apiKey'), name: 'Board', permissions: ['events:read' as const], endsAt };
    const { secret } = await owner.call('POST /api/auth/my-api-keys', { body: key });
    const program = new StreamFollower(running.url, secret ?? '');
    await eventually(() => program.isReading, 'it should have its first cursor', patienceMs);
    await killInTurn(() => makeSome(perRound));
    const seen = () => program.events.flatMap((event) => groupIn(event) ?? []);
    await eventually(() => seen().length >= made.length, 'all should have been told', patienceMs);
    await program.end();
    expect(seen()).toEqual(made);
    expect(program.cuts).toBeGreaterThan(0);
    const places = program.events.map((event) => event['sequence'] as number);
    expect(places).toEqual(places.map((_place, index) => (places[0] ?? 0) + index));
    expect(new Set(program.events.map(({ id }) => id)).size).toBe(program.events.length);
    process.stdout.write(`${seen().length} events through ${program.cuts} cuts\n`);
  }, 600_000);

  test('a webhook is told each event through the kill of the monitoring that is telling it: what was cut comes again under its id', async () => {
    const body = { id: newId('webhook'), url: receiver.url, types: ['group.changed.v1'] };
    await owner.call('POST /api/monitoring/webhooks', { body });
    await makeSome(1);
    await eventually(() => receiver.taken.length === 1, 'the first event should come', patienceMs);
    receiver.hold();
    const wanted = await makeSome(perRound);
    const { cut, teller } = await eventually(
      () => {
        const { id, fromPort } = receiver.held!;
        return { cut: id, teller: running.of('monitoring').find(({ pid }) => isFrom(fromPort, pid))! };
      },
      'one should be being told',
      patienceMs,
    );
    const killedAt = Date.now();
    const replace = await running.kill(teller);
    receiver.release();
    const told = () => receiver.taken.flatMap(({ event }) => groupIn(event) ?? []);
    await eventually(() => wanted.every((id) => told().includes(id)), 'all should be told', patienceMs);
    expect(receiver.taken.map(({ id }) => id)).toContain(cut);
    await replace();
    const ids = receiver.taken.map(({ id }) => id);
    expect(receiver.taken.map(({ event }) => event.id)).toEqual(ids);
    process.stdout.write(`webhook told all ${Date.now() - killedAt} ms after the kill, ${ids.length} calls\n`);
  }, 600_000);
}

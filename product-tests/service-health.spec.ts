import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { generationStopRequested, jobKinds, topics, type ServiceHealth } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { Mongo } from '@parley/platform/mongo';
import { eventually } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';
import { newPerson, startTestParley, type TestParley } from '@parley/embedded/test-parley';
import type { OrgId } from '@parley/protocol';

const consumer = 'audit-answer-stopped';
let running: TestParley;
let admin: ParleyClient;
let owner: ParleyClient;

beforeAll(async () => {
  running = await startTestParley();
  const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  admin = await newPerson(running.url, { organisation: 'Operators', setupToken });
  owner = await newPerson(running.url, { organisation: 'Fennick Clinics' });
}, 90_000);
afterAll(() => running.close());

const place = (orgId: OrgId = owner.orgId!) => ({ params: { orgId } });
const health = (): Promise<ServiceHealth> =>
  admin.call('GET /api/monitoring/all-organisations/:orgId/service-health', place());

/** As if org had not been able to write down that an answer was stopped. */
async function plantLetter(orgId: OrgId, userId: string): Promise<string> {
  const [eventId, generationId] = [newId('event'), newId('generation')];
  const envelope = {
    specversion: '1.0',
    id: eventId,
    source: 'chat',
    type: generationStopRequested.type,
    time: '2026-11-21T10:42:00.000Z',
    subject: generationId,
    tenantid: orgId,
    sequence: 1,
    correlationid: eventId,
    causationid: null,
    traceparent: null,
    data: { orgId, generationId, by: userId, userId, model: 'builtin' },
  };
  const logged = { eventId, tenant: orgId, type: envelope.type, subject: generationId, topic: topics.chat };
  const mongo = await Mongo.connect(running.parley.internals.storeUri('parley_org'));
  try {
    await mongo.connection
      .collection('dead_letters')
      .insertOne({
        _id: `${consumer}|${eventId}` as never,
        ...logged,
        partition: 0,
        offset: '1',
        envelope: JSON.stringify(envelope),
        consumer,
        key: null,
        reason: 'rejected',
        cause: { name: 'TypeError', code: null, message: 'of ada@example.com', stack: null },
        attempts: 1,
        at: new Date(),
        replayedAt: null,
      });
  } finally {
    await mongo.close();
  }
  return `${consumer}|${eventId}`;
}

test('a platform admin sees what waits and failed, tries it, has it handled again, and the audit log tells', async () => {
  const me = owner.me!.id;
  // Monitoring knows of an organisation once it was told.
  await eventually(
    () =>
      health().then(
        () => true,
        () => false,
      ),
    'monitoring knows the organisation',
  );
  const [id] = [await plantLetter(owner.orgId!, me), await plantLetter(admin.orgId!, me)];
  const told = await health();
  expect(told.organisation).toEqual({ id: owner.orgId, name: 'Fennick Clinics' });
  expect(told.services.map(({ service }) => service)).toEqual(['auth', 'org', 'chat', 'billing', 'monitoring']);
  for (const { events } of told.services) expect(events?.readers.length).toBeGreaterThan(0);
  expect(told.services.find(({ service }) => service === 'org')?.events).toMatchObject({ letterCount: 1 });
  expect(told.letters).toMatchObject([{ id, service: 'org', consumer, reason: 'rejected', waiting: 0 }]);
  expect(JSON.stringify(told)).not.toContain('ada@');

  const body = { service: 'org' as const, ids: [id!] };
  const dry = await admin.call('POST /api/monitoring/all-organisations/:orgId/dead-letters/dry-run', {
    ...place(),
    body,
  });
  expect(dry.items).toEqual([{ id, outcome: 'passes', cause: null }]);
  const stopped = () => owner.call('GET /api/org/audit', { query: { act: 'answer.stopped' } });
  expect((await stopped()).items).toEqual([]);

  const replay = () =>
    admin.call('POST /api/monitoring/all-organisations/:orgId/dead-letters/replay', { ...place(), body });
  expect(await replay()).toEqual({ count: 1 });
  await eventually(async () => expect((await health()).letters).toEqual([]), 'the letter is handled');
  expect((await stopped()).items).toHaveLength(1);
  expect(await replay()).toEqual({ count: 0 });
  await eventually(async () => {
    const { items } = await owner.call('GET /api/org/audit', { query: { act: 'events.replayed' } });
    expect(items).toMatchObject([
      {
        actor: { isPlatformAdmin: true },
        target: { id: owner.orgId, name: 'Fennick Clinics' },
        changes: [
          { field: 'service', after: { kind: 'code', code: 'org' } },
          { field: 'eventCount', after: { kind: 'count', count: 1 } },
        ],
      },
    ]);
  }, 'it is written down once: the second time nothing was handled');
});

test('letters of another organisation are none of this one', async () => {
  const me = owner.me!.id;
  const id = await plantLetter(admin.orgId!, me);
  const body = { service: 'org' as const, ids: [id] };
  const dry = await admin.call('POST /api/monitoring/all-organisations/:orgId/dead-letters/dry-run', {
    ...place(),
    body,
  });
  expect(dry.items).toEqual([{ id, outcome: 'gone', cause: null }]);
});

/** As if an eraser of chat had used up its attempts. Its document is gone, so that it ends as soon as it runs. */
async function plantParkedJob(orgId: OrgId): Promise<string> {
  const [documentId, connectionId] = [newId('document'), newId('connection')];
  const mongo = await Mongo.connect(running.parley.internals.storeUri('parley_chat'));
  try {
    await mongo.connection
      .collection('jobs')
      .insertOne({
        _id: `erase-document/${documentId}` as never,
        kind: 'erase-document',
        orgId,
        person: connectionId,
        input: { documentId, orgId, connectionId },
        state: 'parked',
        part: 'erase-document',
        dueAt: new Date(),
        holder: null,
        attempts: 1_440,
        isWantedAgain: false,
        progress: null,
        cause: 'BlobsAway EIO',
      });
  } finally {
    await mongo.close();
  }
  return `erase-document/${documentId}`;
}
const erasers = async () => {
  const chat = (await health()).services.find(({ service }) => service === 'chat');
  return chat!.jobs!.find(({ kind }) => kind === 'erase-document')!;
};

test('every kind of job of every service is known by name', async () => {
  const { services } = await health();
  const kinds = services.flatMap(({ jobs }) => jobs!.map(({ kind }) => kind));
  expect(kinds.toSorted()).toEqual([...jobKinds].toSorted());
});

test('a platform admin runs parked jobs of an organisation again, and its audit log says so', async () => {
  const [id, another] = [await plantParkedJob(owner.orgId!), await plantParkedJob(admin.orgId!)];
  expect(await erasers()).toMatchObject({
    parked: 2,
    parkedHere: 1,
    parkedJobs: [{ id, cause: 'BlobsAway EIO', attempts: 1_440, isOfAll: false }],
  });
  const told = await health();
  expect(told.parkedElsewhere).toEqual([{ id: admin.orgId, name: 'Operators', count: 1 }]);
  expect(JSON.stringify(told)).not.toContain(another);
  const route = 'POST /api/monitoring/all-organisations/:orgId/parked-jobs/run-again';
  const body = { service: 'chat' as const, kind: 'erase-document' };
  const run = (more: { ids?: string[] }) => admin.call(route, { ...place(), body: { ...body, ...more } });
  expect(await run({ ids: [another] })).toEqual({ count: 0 });
  expect(await run({ ids: [id, id, another] })).toEqual({ count: 1 });
  expect(await run({ ids: [id] })).toEqual({ count: 0 });
  await eventually(async () => expect(await erasers()).toMatchObject({ parkedHere: 0, parked: 1 }), 'the job has run');
  await plantParkedJob(owner.orgId!);
  await plantParkedJob(owner.orgId!);
  expect(await run({})).toEqual({ count: 2 });
  expect(await run({})).toEqual({ count: 0 });
  await eventually(async () => expect(await erasers()).toMatchObject({ waiting: 0, running: 0 }), 'both have run');
  await eventually(async () => {
    const { items } = await owner.call('GET /api/org/audit', { query: { act: 'jobs.restarted' } });
    expect(items.map(({ changes }) => changes)).toEqual(
      [2, 1].map((count) => [
        { field: 'service', after: { kind: 'code', code: 'chat' } },
        { field: 'jobCount', after: { kind: 'count', count } },
      ]),
    );
    expect(items[0]).toMatchObject({ actor: { isPlatformAdmin: true }, target: { id: owner.orgId } });
  }, 'each act is recorded once: the second time no job was parked');
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Controller, Injectable } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import {
  membershipAdded,
  organisationUpdated,
  permissions,
  updateOrganisation,
  type Organisation,
} from '@parley/contracts';
import type { DataOf, EventEnvelope } from '@parley/protocol';
import type { EventContext } from '../consumers/index.ts';
import { MemoryDoorbell } from '../../ports/doorbell/index.ts';
import { newId } from '../../base/ids/index.ts';
import { Outbox } from '../outbox/index.ts';
import { feature, type InputOf } from '../../edge/service/index.ts';
import { collection, jobScope } from '../../rows/mongo/index.ts';
import { z } from 'zod';
import { callContext, job, Work } from './index.ts';
import {
  anOrgId,
  aPerson,
  eventually,
  makeEmbeddedEventLog,
  OutboxBench,
  OwnerBench,
  recordedEvents,
  startTestStore,
  watchCommands,
  type TestStore,
} from '@parley/testing';

const placeRows = collection('places', { _id: z.string(), taken: z.number() }, { tenant: 'platform' });

@Injectable()
class Renames {
  constructor(private readonly work: Work) {}

  async rename({ scope, principal, body }: InputOf<typeof updateOrganisation>): Promise<Organisation> {
    const { orgId } = scope;
    await this.work.run(principal, async (tx) => tx.record(organisationUpdated, { orgId, version: body.version }));
    const at = new Date().toISOString();
    return {
      id: orgId,
      name: body.name ?? '',
      slug: 'one',
      role: 'owner',
      roleName: null,
      permissions,
      memberCount: 1,
      locale: 'en',
      timeZone: 'UTC',
      suspension: null,
      approval: 'approved',
      createdAt: at,
      version: 2,
    };
  }
}

@Controller()
class Reactions {
  @EventPattern<string>(organisationUpdated.type, { consumer: 'react' })
  async react(
    @Payload() { data }: EventEnvelope<DataOf<typeof organisationUpdated>>,
    @Ctx() { tx, scope }: EventContext,
  ): Promise<void> {
    const userId = newId('user');
    tx.record(membershipAdded, { orgId: scope.orgId, userId, role: 'member', rightsVersion: data.version });
  }
}

const parts = {
  modules: [feature({ routes: { rename: updateOrganisation }, handlers: Renames, consumers: [Reactions] })],
  providers: () => [],
  group: 'org',
};
const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;

let store: TestStore;
beforeAll(async () => {
  store = await startTestStore();
});
afterAll(() => store.close());

describe('the causes of events', () => {
  let service: OwnerBench;
  beforeEach(async () => {
    service = await OwnerBench.start(store, 'org', parts);
  });
  afterEach(() => service.close());

  async function renameAndReact(header?: string): Promise<{ userId: string; events: EventEnvelope[] }> {
    const orgId = anOrgId();
    const principal = aPerson({ organisation: { orgId, permissions, rightsVersion: 1 } });
    const answer = await service.call(updateOrganisation, {
      as: principal,
      path: `/api/org/organisations/${orgId}`,
      body: { name: 'One', version: 1 },
      ...(header !== undefined && { traceparent: header }),
    });
    expect(answer.status).toBe(200);
    await eventually(async () => (await service.recorded()).length === 2, 'the consumer has recorded its event');
    return { userId: principal.userId, events: await service.recorded() };
  }

  test('a request’s event and that of its consumer share the correlation, and the second names the first as its cause', async () => {
    const { userId, events } = await renameAndReact(traceparent);
    const [renamed, joined] = events;
    expect(renamed).toMatchObject({
      actor: `person:${userId}`,
      onbehalfof: null,
      correlationid: traceId,
      causationid: null,
      traceparent,
    });
    expect(joined).toMatchObject({
      actor: 'service:org',
      onbehalfof: `person:${userId}`,
      correlationid: traceId,
      causationid: renamed!.id,
      traceparent,
      tenantid: renamed!.tenantid,
      subject: renamed!.subject,
      sequence: 2,
    });
  });

  test.each([undefined, 'not a traceparent'])(
    'without a valid trace (%s), a request’s event and that of its consumer still share a correlation',
    async (header) => {
      const { events } = await renameAndReact(header);
      const [renamed, joined] = events;
      expect(renamed).toMatchObject({ correlationid: expect.stringMatching(/^[0-9a-f]{32}$/), traceparent: null });
      expect(joined).toMatchObject({ correlationid: renamed!.correlationid, traceparent: null });
    },
  );
});

describe('a unit of work', () => {
  let bench: OutboxBench;
  beforeEach(async () => {
    bench = await OutboxBench.make(store, makeEmbeddedEventLog);
    await bench.mongo.applyIndexes();
  });
  afterEach(() => bench.close());
  const recorded = () => recordedEvents(bench.mongo);

  test('records an event once if its transaction runs again', async () => {
    const orgId = anOrgId();
    const places = bench.mongo.rows(placeRows);
    const scope = jobScope('tests');
    await places.within(scope).insert({ _id: 'one', taken: 0 });
    let runs = 0;
    await bench.run(async (tx) => {
      runs += 1;
      tx.record(organisationUpdated, { orgId, version: runs });
      await places.within(scope, tx).findById('one');
      if (runs === 1) await places.within(scope).update({ _id: 'one' }, { $inc: { taken: 1 } });
      await places.within(scope, tx).update({ _id: 'one' }, { $inc: { taken: 1 } });
    });
    expect(runs).toBe(2);
    expect((await recorded()).map((event) => event.data)).toEqual([{ orgId, version: 2 }]);
  });

  test('records no event if it is rolled back after its events were written', async () => {
    const { mongo } = bench;
    const outbox = new Outbox({ mongo, doorbell: new MemoryDoorbell(), source: 'org' });
    const data = { orgId: anOrgId(), version: 1 };
    const origin = { actor: null, onbehalfof: null, correlationid: 'c', causationid: null, traceparent: null };
    const failing = outbox.transaction(async (tx) => {
      await outbox.write([{ definition: organisationUpdated, data, sequence: undefined, origin }], tx);
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect(await recorded()).toEqual([]);
  });

  test('names the job that acts and keeps the context that was entered', async () => {
    const context = { correlationId: 'a-run', causationId: null, traceparent: null };
    await callContext.run(context, () => bench.record(anOrgId(), 1));
    expect(await recorded()).toMatchObject([{ actor: 'job:tests the outbox', correlationid: 'a-run' }]);
  });

  test('writes a single event without a transaction, with sequence 1', async () => {
    const orgId = anOrgId();
    const work = new Work({
      outbox: new Outbox({ mongo: bench.mongo, doorbell: new MemoryDoorbell(), source: 'org' }),
    });
    const { commands, stop } = watchCommands();
    await work.record(job('tests'), organisationUpdated, { orgId, version: 1 }).finally(stop);
    expect(commands.map(({ what }) => what)).toEqual(['outbox.insert']);
    expect(await recorded()).toMatchObject([
      { subject: orgId, sequence: 1, data: { orgId, version: 1 }, actor: 'job:tests' },
    ]);
  });

  test('keeps the order of its events over several keys', async () => {
    const [one, other] = [anOrgId(), anOrgId()];
    await bench.run(async (tx) => {
      tx.record(organisationUpdated, { orgId: one, version: 1 });
      tx.record(organisationUpdated, { orgId: other, version: 2 });
      tx.record(organisationUpdated, { orgId: one, version: 3 });
    });
    expect((await recorded()).map(({ subject, sequence }) => [subject, sequence])).toEqual([
      [one, 1],
      [other, 1],
      [one, 2],
    ]);
  });
});

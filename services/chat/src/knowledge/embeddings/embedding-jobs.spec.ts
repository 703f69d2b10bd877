import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { jobRows } from '@parley/platform/jobs';
import type { OrganisationScope } from '@parley/platform/mongo';
import type { DataMigration } from '@parley/platform/schema';
import { eventually, TestJobs } from '@parley/testing';
import { vectorOf } from '@parley/testing/model-streams';
import { embeddingBench, tests } from '../../testing/embedding-bench.spec-setup.ts';
import { embeddingProvidersToJobs, embedPassages } from '../../assistants/models/index.ts';
import { passagesPerBatch } from './embedding-calls.ts';
import { embeddingRowsToJobs } from './embedding.collection.ts';

const bench = await embeddingBench();
const { mongo, server, put, anOrganisation, embedAll, all, newStep, embeddings, clock } = bench;
beforeAll(() => bench.ready());
afterEach(() => {
  server.act = null;
});

const many = (count: number) => Array.from({ length: count }, (_, at) => `car number${at}`);
/** Starts a process that has jobs of this organisation only. */
const newProcess = ({ orgId }: OrganisationScope) =>
  new TestJobs(bench).with(embedPassages, {
    run: async (input, run) => (input.orgId === orgId ? newStep().run(input, run) : undefined),
  });

test('the job stays until every passage has a vector, including passages added during a call of the model', async () => {
  const { scope } = await anOrganisation();
  const waiting = async () => {
    const rows = await mongo
      .rows(jobRows)
      .within(tests)
      .find({ _id: `embed-passages/${scope.orgId}` });
    return rows.map(({ state }) => state);
  };
  await put(scope, many(2));
  server.act = (response, { input }) => {
    server.act = null;
    const data = input.map((text) => ({ embedding: vectorOf(text) }));
    void put(scope, ['A later car']).then(() => response.end(JSON.stringify({ data })));
  };
  await embedAll(scope, 6);
  expect(await all(scope).vectors()).toHaveLength(3);
  expect(await waiting()).toEqual([]);
  await put(scope, ['Another car']);
  expect(await waiting()).toEqual(['ready']);
});

describe('a worker that dies while the model is asked', () => {
  test('is followed by one that records the call as estimated and repeats it; each passage gets one vector', async () => {
    const own = await anOrganisation();
    await put(own.scope, many(passagesPerBatch + 2));
    await embedAll(own.scope, 2);
    let answer = () => {};
    server.act = (response, { input }) => {
      answer = () => response.end(JSON.stringify({ data: input.map((text) => ({ embedding: vectorOf(text) })) }));
    };
    const before = server.asked.length;
    clock.advance(61_000);
    const dead = newProcess(own.scope);
    await dead.look();
    await eventually(() => expect(server.asked.length).toBe(before + 1), 'the model should be asked');
    expect((await embeddings.find(own.scope))?.asking).toMatchObject({ inputTokens: expect.any(Number) });
    server.act = null;
    const next = newProcess(own.scope);
    await next.run();
    expect(server.asked.length).toBe(before + 1);
    for (let steps = 0; steps < 3; steps += 1) {
      clock.advance(61_000);
      await next.run();
    }
    answer();
    await dead.run();
    expect(await all(own.scope).vectors()).toHaveLength(passagesPerBatch + 2);
    expect(await embeddings.find(own.scope)).toMatchObject({ revision: 2, failures: 0 });
    expect((await all(own.scope).told()).map(({ outcome, estimated }) => [outcome, estimated])).toEqual([
      ['interrupted', true],
      ['done', false],
      ['done', false],
    ]);
  });

  test('normally records at once what its call may have used', async () => {
    const { scope } = await anOrganisation();
    await put(scope, many(1));
    await embedAll(scope, 2);
    server.act = () => undefined;
    clock.advance(61_000);
    const before = server.asked.length;
    const ending = newProcess(scope);
    await ending.look();
    await eventually(() => expect(server.asked.length).toBe(before + 1), 'the model should be asked');
    await ending.end();
    expect(await all(scope).told()).toMatchObject([{ outcome: 'interrupted' }]);
    expect(await embeddings.find(scope)).toMatchObject({ asking: null, leaseHolder: null });
  });
});

test('after an upgrade from a version without these jobs, organisations with a model get vectors and those without one lose them', async () => {
  const own = await anOrganisation();
  const upgraded = async ({ batch }: DataMigration) => {
    await mongo
      .rows(jobRows)
      .within(tests)
      .delete({ _id: `embed-passages/${own.scope.orgId}` });
    await batch(mongo, null);
    await embedAll(own.scope, 4);
    return (await all(own.scope).vectors()).length;
  };
  await put(own.scope, many(2));
  expect(await upgraded(embeddingProvidersToJobs)).toBe(2);
  await put(own.scope, many(3));
  expect(await upgraded(embeddingRowsToJobs)).toBe(5);
  await own.name(null);
  expect(await upgraded(embeddingRowsToJobs)).toBe(0);
});

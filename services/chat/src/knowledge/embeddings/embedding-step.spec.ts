import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { job } from '@parley/platform/work';
import { embeddingBench } from '../../testing/embedding-bench.spec-setup.ts';
import { mostVectorBytes } from '../retrieval/index.ts';
import { passageCharacters, passagesPerBatch } from './embedding-calls.ts';

const bench = await embeddingBench();
const {
  work,
  server,
  put,
  anOrganisation,
  embedAll,
  all,
  found,
  index,
  oneStep,
  embeddings,
  service,
  budget,
  limit,
  clock,
} = bench;
beforeAll(() => bench.ready());
afterEach(() => {
  server.act = null;
  server.size = 64;
  budget.isSpent = false;
  budget.held = [];
});

const many = (count: number, word = 'car') => Array.from({ length: count }, (_, at) => `${word} number${at}`);
const stateOf = ({ scope }: Awaited<ReturnType<typeof anOrganisation>>) => service.read({ scope } as never);

describe('passages', () => {
  test('get their vectors a batch at a time, each once, and what that took is told once a batch', async () => {
    const own = await anOrganisation();
    await put(own.scope, many(passagesPerBatch + 6));
    expect(await stateOf(own)).toMatchObject({
      passages: 70,
      withVectors: 0,
      refused: 0,
      failure: null,
      isFull: false,
    });
    await embedAll(own.scope, 3);
    expect(await stateOf(own)).toMatchObject({ passages: 70, withVectors: passagesPerBatch });
    await embedAll(own.scope, 3);
    expect(await stateOf(own)).toMatchObject({ model: { name: 'embed-1' }, passages: 70, withVectors: 70 });
    const told = await all(own.scope).told();
    expect(told.map(({ inputTokens, userId, purpose }) => ({ inputTokens, userId, purpose }))).toEqual([
      { inputTokens: 640, userId: null, purpose: 'passages' },
      { inputTokens: 60, userId: null, purpose: 'passages' },
    ]);
    expect(await all(own.scope).vectors()).toHaveLength(70);
  });

  test('are given to the model with their heading, no longer than it reads', async () => {
    const { scope } = await anOrganisation();
    const document = { id: newId('document'), name: 'Handbook', connectionId: newId('connection') };
    await index.replace(scope, document, [{ heading: 'Cars', text: 'x'.repeat(5_000) }]);
    await embedAll(scope, 3);
    const [text] = server.asked.at(-1)!.input;
    expect(text).toMatch(/^Cars\nx+$/);
    expect(text).toHaveLength(passageCharacters);
  });

  test('of a newer version get vectors of their own; those of the older one are gone', async () => {
    const { scope } = await anOrganisation();
    const id = await put(scope, ['The automobile is red.']);
    await embedAll(scope, 4);
    const before = await all(scope).vectors();
    await put(scope, ['The vehicle is blue.'], { id });
    expect(await all(scope).vectors()).toEqual([]);
    await embedAll(scope, 3);
    const after = await all(scope).vectors();
    expect(after).toHaveLength(1);
    expect(after[0]!._id).not.toBe(before[0]!._id);
    expect(await found(scope, 'My car')).toEqual(['The vehicle is blue.']);
  });

  test('that are hidden are given to nobody', async () => {
    const { scope } = await anOrganisation();
    await index.setHidden(scope, await put(scope, many(3, 'secret')), true);
    await put(scope, many(3, 'shown'));
    await embedAll(scope, 4);
    const given = server.asked.flatMap(({ input }) => input).join(' ');
    expect(given).toContain('shown number2');
    expect(given).not.toContain('secret');
  });
});

describe('another model', () => {
  test('makes all vectors anew; none of the first one is compared with its own', async () => {
    const own = await anOrganisation();
    await put(own.scope, many(3));
    await embedAll(own.scope, 4);
    await own.name('embed-2');
    expect(await stateOf(own)).toMatchObject({ model: { name: 'embed-2' }, withVectors: 0 });
    expect(await found(own.scope, 'automobile')).toEqual([]);
    server.size = 32;
    await embedAll(own.scope, 6);
    expect(server.asked.at(-1)!.model).toBe('embed-2');
    const vectors = await all(own.scope).vectors();
    expect(vectors.map(({ of, vector }) => [of, vector.length()])).toEqual(
      many(3).map(() => [`${own.providerId}/embed-2`, 32]),
    );
    expect(await found(own.scope, 'automobile')).toHaveLength(3);
  });

  test('none at all has them go, and asks nobody', async () => {
    const own = await anOrganisation();
    await put(own.scope, many(5));
    await embedAll(own.scope, 4);
    await own.name(null);
    const before = server.asked.length;
    await embedAll(own.scope, 4);
    expect([await all(own.scope).vectors(), await all(own.scope).chunks()]).toEqual([[], []]);
    expect(await stateOf(own)).toEqual({
      model: null,
      passages: 5,
      withVectors: 0,
      refused: 0,
      failure: null,
      isFull: false,
    });
    expect(server.asked.length).toBe(before);
  });

  test('that one provider names takes it from the other; only OpenAI-compatible servers are asked', async () => {
    const { scope, principal, providerId } = await anOrganisation();
    const fields = {
      name: 'Q',
      baseUrl: server.url,
      models: ['m'],
      defaultModel: 'm',
      isDefault: false,
      thinks: false,
    };
    const create = (kind: string) =>
      bench.keys.create({
        scope,
        principal,
        body: { id: newId('provider'), kind, ...fields, embeddingModel: 'embed-9' },
      } as never);
    await expect(create('anthropic')).rejects.toMatchObject({ code: 'platform.invalid-request' });
    await create('openai-compatible');
    expect((await bench.providers.find(scope, providerId))?.embeddingModel).toBeNull();
  });
});

describe('a model server that fails', () => {
  const failing = [
    ['refuses the key', (response: Respond) => void response.writeHead(401).end(), 'provider-refused', 0],
    ['has too much to do', (response: Respond) => void response.writeHead(429).end(), 'provider-rate-limited', 0],
    ['cuts its answer', (response: Respond) => void (response.write('{'), response.destroy()), 'provider-cut', 1],
    ['says something else', (response: Respond) => void response.end('{"data":[]}'), 'provider-error', 1],
  ] as const;
  test.each(failing)('and %s is asked again, later and later; what it may have used is told', async (...given) => {
    const [, act, failure, counted] = given;
    const own = await anOrganisation();
    await put(own.scope, ['The automobile is red.']);
    await embedAll(own.scope, 2);
    server.act = act;
    await embedAll(own.scope, 1);
    expect(await stateOf(own)).toMatchObject({ withVectors: 0, failure });
    const told = await all(own.scope).told();
    expect(told).toHaveLength(counted);
    for (const one of told) expect(one).toMatchObject({ outcome: 'interrupted', estimated: true });
    const asked = server.asked.length;
    await oneStep(own.scope);
    expect(server.asked.length).toBe(asked);
    expect(await found(own.scope, 'automobile')).toEqual(['The automobile is red.']);
    server.act = null;
    await embedAll(own.scope, 2);
    expect(await stateOf(own)).toMatchObject({ withVectors: 1, failure: null });
  });

  test('and gives another number of dimensions has its vectors left out, and what it took told', async () => {
    const own = await anOrganisation();
    await put(own.scope, many(2));
    await embedAll(own.scope, 4);
    await put(own.scope, ['Another car']);
    server.size = 32;
    await embedAll(own.scope, 1);
    expect(await stateOf(own)).toMatchObject({ passages: 3, withVectors: 2, failure: 'provider-error' });
    expect((await all(own.scope).told()).map(({ inputTokens }) => inputTokens)).toEqual([20, 10]);
  });
});
type Respond = Parameters<NonNullable<typeof server.act>>[0];

test('nobody is asked where one more vector has no room; it goes on when there is room again', async () => {
  const own = await anOrganisation();
  const id = await put(own.scope, many(2));
  await embedAll(own.scope, 4);
  // As if both vectors took two thirds of the room.
  const dimensions = Math.floor(mostVectorBytes / 3) + 1;
  await work.run(job('tests'), (tx) => embeddings.keep(own.scope, { dimensions }, tx));
  await put(own.scope, ['Another car']);
  const before = server.asked.length;
  await embedAll(own.scope, 2);
  expect(await stateOf(own)).toMatchObject({ passages: 3, withVectors: 2, isFull: true, failure: null });
  expect(server.asked.length).toBe(before);
  await index.remove(own.scope, id);
  await embedAll(own.scope, 1);
  expect(server.asked.length).toBe(before + 1);
  expect(await stateOf(own)).toMatchObject({ isFull: false });
});

test('a document that goes while its passages are with the model gets no vectors', async () => {
  const { scope } = await anOrganisation();
  const id = await put(scope, many(2));
  await embedAll(scope, 2);
  server.act = (response, { input }) => {
    void index
      .remove(scope, id)
      .then(() => response.end(JSON.stringify({ data: input.map(() => ({ embedding: [1, 0] })) })));
  };
  await embedAll(scope, 1);
  expect(await all(scope).vectors()).toEqual([]);
  expect(await all(scope).told()).toHaveLength(1);
});

describe('under a hard limit of the organisation', () => {
  test('what a batch can cost is held for the organisation, before it is asked', async () => {
    const { scope } = await anOrganisation();
    await put(scope, many(2));
    await limit(scope);
    await embedAll(scope, 4);
    expect(budget.held).toMatchObject([{ orgId: scope.orgId, userId: null, outputTokens: 0, attempt: 1 }]);
    expect((await all(scope).told())[0]!.embeddingId).toBe(budget.held[0]!.generationId);
  });

  test('nobody is asked while the budget is spent, and it goes on by itself', async () => {
    const own = await anOrganisation();
    await put(own.scope, many(2));
    await limit(own.scope);
    budget.isSpent = true;
    const before = server.asked.length;
    await embedAll(own.scope, 4);
    expect(server.asked.length).toBe(before);
    expect(await stateOf(own)).toMatchObject({ withVectors: 0, failure: 'budget-spent' });
    budget.isSpent = false;
    await embedAll(own.scope, 2);
    expect(await stateOf(own)).toMatchObject({ withVectors: 2, failure: null });
  });

  test('what fails is tried again after pauses that double, to a minute', async () => {
    const own = await anOrganisation();
    await put(own.scope, many(2));
    await limit(own.scope);
    budget.isSpent = true;
    // The first two steps begin with the model.
    await embedAll(own.scope, 2);
    const pauses: number[] = [];
    for (let failed = 0; failed < 8; failed += 1) {
      await embedAll(own.scope, 1);
      const { nextAt } = (await embeddings.find(own.scope))!;
      pauses.push((nextAt!.getTime() - clock.now().getTime()) / 1_000);
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });
});

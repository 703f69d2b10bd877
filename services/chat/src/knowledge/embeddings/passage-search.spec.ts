import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { defaultConnectionIdOf } from '../connections/index.ts';
import { embeddingBench } from '../../testing/embedding-bench.spec-setup.ts';

const bench = await embeddingBench();
const { server, put, anOrganisation, embedAll, found, index, newSearch, all, asker, budget, limit, settings } = bench;
beforeAll(() => bench.ready());
afterEach(() => {
  server.act = null;
  server.size = 64;
  settings.questionVectorMs = 600_000;
  budget.isSpent = false;
});

const texts = ['The automobile stands in hall four.', 'Herons nest in reeds.', 'Invoices are paid within a month.'];
const question = 'Where do I find my car?';

describe('a question', () => {
  test('finds what means the same by other words where a provider embeds, and not where none does', async () => {
    const [without, having] = [await anOrganisation(null), await anOrganisation()];
    for (const { scope } of [without, having]) {
      await put(scope, texts);
      await embedAll(scope);
    }
    const before = server.asked.length;
    expect(await found(without.scope, question)).toEqual([]);
    expect(server.asked.length).toBe(before);
    expect(await found(having.scope, question)).toEqual(['The automobile stands in hall four.']);
    expect(await found(having.scope, 'What do penguins eat?')).toEqual([]);
  });

  test('has both orders fused, with the place of each passage in either', async () => {
    const { scope } = await anOrganisation();
    await put(scope, [...texts, 'A car park is behind the house.']);
    await embedAll(scope);
    const passages = await newSearch().find(scope, [defaultConnectionIdOf(scope.orgId)], {
      text: 'car park',
      asker,
      most: 5,
    });
    expect(passages.map(({ text, ranks }) => ({ text, ranks }))).toEqual([
      { text: 'A car park is behind the house.', ranks: { words: 1, meaning: 1 } },
      { text: 'The automobile stands in hall four.', ranks: { words: null, meaning: 2 } },
    ]);
    expect(passages[0]?.score).toBeCloseTo(1);
    expect(passages[0]!.coverage).toBeGreaterThan(0.9);
    expect(passages[1]?.similarity).toBeGreaterThan(0.5);
  });

  test('finds nothing of connections that its asker may not read, however many are closer, nor of others', async () => {
    const [mine, theirs] = [await anOrganisation(), await anOrganisation()];
    const [open, closed] = [newId('connection'), newId('connection')];
    await put(
      mine.scope,
      Array.from({ length: 40 }, () => 'My car'),
      { connectionId: closed },
    );
    await put(mine.scope, ['The automobile stands outside.'], { connectionId: open });
    await put(theirs.scope, ['Their vehicle is blue.']);
    for (const { scope } of [mine, theirs]) await embedAll(scope);
    expect(await found(mine.scope, question, [open])).toEqual(['The automobile stands outside.']);
    expect(await found(mine.scope, question, [])).toEqual([]);
    expect(await found(theirs.scope, question)).toEqual(['Their vehicle is blue.']);
  });

  test('finds what can be seen behind many closer passages that are hidden, and nothing of what was removed', async () => {
    const { scope } = await anOrganisation();
    const hidden = await put(
      scope,
      Array.from({ length: 60 }, () => 'My car'),
    );
    await put(scope, ['The automobile stands outside.']);
    await embedAll(scope);
    expect(await found(scope, question)).toHaveLength(10);
    await index.setHidden(scope, hidden, true);
    expect(await found(scope, question)).toEqual(['The automobile stands outside.']);
    await index.remove(scope, hidden);
    expect(await found(scope, question)).toEqual(['The automobile stands outside.']);
    expect(await all(scope).vectors()).toHaveLength(1);
  });

  test.each([
    ['is down', () => (response: Respond) => void response.writeHead(503).end()],
    ['has no word for it in time', () => () => undefined],
    ['says something else', () => (response: Respond) => void response.end('<html>')],
    ['gives one vector too many', () => (response: Respond) => void response.end(twoVectors)],
    ['gives another number of dimensions', () => (response: Respond) => void response.end(short)],
    ['cuts its answer', () => (response: Respond) => void (response.write('{"data":['), response.destroy())],
  ])('is answered by its words where the model server %s', async (_what, act) => {
    const { scope } = await anOrganisation();
    await put(scope, [...texts, 'My car is red.']);
    await embedAll(scope);
    server.act = act();
    settings.questionVectorMs = 400;
    expect(await found(scope, 'Is my car red?')).toEqual(['My car is red.']);
  });

  test('after a failure asks nobody for a while', async () => {
    const { scope } = await anOrganisation();
    await put(scope, texts);
    await embedAll(scope);
    server.act = (response) => void response.writeHead(500).end();
    await found(scope, question);
    const before = server.asked.length;
    await found(scope, question);
    expect(server.asked.length).toBe(before);
  });
});
type Respond = Parameters<NonNullable<typeof server.act>>[0];
const twoVectors = JSON.stringify({ data: [{ embedding: [1] }, { embedding: [1] }] });
const short = JSON.stringify({ data: [{ embedding: [1, 2, 3] }] });

describe('what a question costs', () => {
  test('is told once, with its asker and chatbot; held before, where a hard limit counts it', async () => {
    const { scope } = await anOrganisation();
    await put(scope, texts);
    await embedAll(scope);
    await found(scope, question);
    const told = (await all(scope).told()).filter(({ purpose }) => purpose === 'question');
    expect(told).toMatchObject([
      { userId: asker.userId, chatbotId: asker.chatbotId, inputTokens: 10, estimated: false, outcome: 'done' },
    ]);
    expect(budget.held).toEqual([]);
    await limit(scope);
    await found(scope, question);
    expect(budget.held).toMatchObject([{ userId: asker.userId, chatbotId: asker.chatbotId, outputTokens: 0 }]);
    expect(budget.held[0]!.inputTokens).toBeGreaterThanOrEqual(question.length);
    expect((await all(scope).told()).map(({ embeddingId }) => embeddingId)).toContain(budget.held[0]!.generationId);
  });

  test('is nothing where the budget is spent: the words alone count, and nobody is asked', async () => {
    const { scope } = await anOrganisation();
    await put(scope, [...texts, 'My car is red.']);
    await embedAll(scope);
    await limit(scope);
    budget.isSpent = true;
    const before = server.asked.length;
    expect(await found(scope, 'Is my car red?')).toEqual(['My car is red.']);
    expect(server.asked.length).toBe(before);
  });

  test('is estimated where nobody knows whether it was answered', async () => {
    const { scope } = await anOrganisation();
    await put(scope, texts);
    await embedAll(scope);
    server.act = () => undefined;
    // Long enough for the question to reach the server.
    settings.questionVectorMs = 3_000;
    await found(scope, question);
    const told = (await all(scope).told()).filter(({ purpose }) => purpose === 'question');
    expect(told).toMatchObject([
      { estimated: true, outcome: 'interrupted', inputTokens: Math.ceil(question.length / 4) },
    ]);
  });
});

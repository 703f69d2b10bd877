import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { vectorOf } from '@parley/testing/model-streams';
import { embeddingBench } from '../../testing/embedding-bench.spec-setup.ts';

const bench = await embeddingBench();
const { server, put, anOrganisation, embedAll, all, found, oneStep, service } = bench;
beforeAll(() => bench.ready());
afterEach(() => {
  server.act = null;
});

type Respond = Parameters<NonNullable<typeof server.act>>[0];
const many = (count: number, word = 'car') => Array.from({ length: count }, (_, at) => `${word} number${at}`);
const stateOf = ({ scope }: Awaited<ReturnType<typeof anOrganisation>>) => service.read({ scope } as never);

describe('a passage that the model refuses', () => {
  const refuse =
    (status: number, body = '') =>
    (response: Respond) =>
      void response.writeHead(status).end(body);
  const answered = (response: Respond, input: readonly string[]) =>
    void response.end(
      JSON.stringify({
        data: input.map((text) => ({ embedding: vectorOf(text) })),
        usage: { prompt_tokens: 10 * input.length },
      }),
    );
  /** As a server does that takes none longer than it reads. */
  const refusing = (word: string, refused = refuse(400)) => {
    server.act = (response, { input }) =>
      input.some((text) => text.includes(word)) ? refused(response) : answered(response, input);
  };

  test.each([
    ['400', refuse(400)],
    ['413', refuse(413)],
    ['422', refuse(422)],
    ['500, as llama.cpp does', refuse(500, '{"error":{"message":"input (992 tokens) is too large to process."}}')],
  ])('with %s is put aside alone: all others get their vectors, and it is not asked for again', async (_how, how) => {
    const own = await anOrganisation();
    const texts = [...many(40), 'poison', ...many(40, 'van'), 'more poison'];
    await put(own.scope, texts);
    refusing('poison', how);
    await embedAll(own.scope, 40);
    expect(await stateOf(own)).toMatchObject({ passages: 82, withVectors: 80, refused: 2, failure: null });
    const told = await all(own.scope).told();
    // Each vector once, and a word for each of both that proves that the model works.
    expect(told.reduce((sum, { inputTokens }) => sum + inputTokens, 0)).toBe(820);
    const asked = server.asked.length;
    await embedAll(own.scope, 3);
    expect(server.asked.length).toBe(asked);
    expect(await found(own.scope, 'poison')).toContain('poison');
  });

  test('is asked for again when its document changes, and when the model does', async () => {
    const own = await anOrganisation();
    const id = await put(own.scope, ['poison', 'car']);
    refusing('poison');
    await embedAll(own.scope, 12);
    expect(await stateOf(own)).toMatchObject({ passages: 2, withVectors: 1, refused: 1 });
    await put(own.scope, ['poison again', 'car'], { id });
    await embedAll(own.scope, 12);
    expect(await stateOf(own)).toMatchObject({ passages: 2, withVectors: 1, refused: 1 });
    await own.name('embed-2');
    server.act = null;
    await embedAll(own.scope, 12);
    expect(await stateOf(own)).toMatchObject({ passages: 2, withVectors: 2, refused: 0 });
  });

  test('is not put aside where the server refuses everything: it is asked again, later and later', async () => {
    const own = await anOrganisation();
    await put(own.scope, many(5));
    server.act = refuse(400);
    await embedAll(own.scope, 12);
    expect(await stateOf(own)).toMatchObject({ withVectors: 0, refused: 0, failure: 'provider-error' });
    expect(await all(own.scope).told()).toEqual([]);
    const asked = server.asked.length;
    await oneStep(own.scope);
    expect(server.asked.length).toBe(asked);
    server.act = null;
    await embedAll(own.scope, 6);
    expect(await stateOf(own)).toMatchObject({ withVectors: 5, failure: null });
  });
});

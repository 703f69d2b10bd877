import { expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { ModelFailure, type ModelRequest } from '../../../assistants/models/index.ts';
import { BudgetReservation } from './budget-reservation.ts';
import type { Generation } from '../rows/generation.collection.ts';
import { attemptOf, nothingWished as wishes, saying, type Answer } from './answer-attempt.spec-setup.ts';

const upstream = { host: 'models.example', model: 'm' };
/** Returns the estimated usage for a model that reports no tokens. */
const used = async (answer: Answer, more: Parameters<typeof attemptOf>[2]) =>
  (await attemptOf(answer, { upstream }, more).run())!.usage!.inputTokens;
const question = { role: 'person' as const, text: '12345678' };

test('counts sent images of an attempt without reported tokens, but no refused ones', async () => {
  const images = [{ name: 'a.png', tokens: 800, read: async () => null }];
  const path = [{ ...question, images }];
  const noted = [{ ...question, images: [{ name: 'a.png', tokens: 0, read: null }] }];
  const seen = await attemptOf(saying('Red.'), { upstream }, { ...wishes, path }).run();
  expect(seen).toMatchObject({ usage: { estimated: true } });
  expect(seen).not.toHaveProperty('images');
  expect(seen!.usage!.inputTokens).toBeGreaterThan(800 + (await used(saying('Red.'), { ...wishes, path: [question] })));
  const cause = Object.assign(new Error('HTTP 400'), { statusCode: 400, responseBody: 'no image input' });
  const refusing: Answer = async (request, onPart) => {
    if (request.path[0]!.images![0]!.read) throw new ModelFailure('provider-error', null, { cause });
    onPart({ kind: 'text', text: 'I can’t see it.' });
  };
  const refused = attemptOf(refusing, { upstream }, { ...wishes, path });
  expect(await refused.run()).toMatchObject({
    status: 'done',
    text: 'I can’t see it.',
    usage: { inputTokens: await used(saying('Red.'), { ...wishes, path: noted }), estimated: true },
    images: 'refused',
  });
});

test('counts whole files and passages of an attempt without reported tokens, but no left-out messages', async () => {
  const none = await used(saying('So.'), { ...wishes, path: [question] });
  const filed = [{ ...question, files: [{ name: 'a.txt', text: 'x'.repeat(4_000) }] }];
  expect(await used(saying('So.'), { ...wishes, path: filed })).toBeGreaterThan(none + 1_000);
  const passages = [{ number: 1, documentName: 'Handbook', heading: null, text: 'x'.repeat(800) }] as never;
  expect(await used(saying('So.'), { ...wishes, path: [question], passages })).toBeGreaterThan(none + 200);
  const long = { role: 'person' as const, text: 'x'.repeat(40_000) };
  expect(await used(saying('So.'), { ...wishes, path: [long, question] })).toBe(none);
  expect(await used(async () => undefined, { ...wishes, path: filed })).toBe(0);
});

test('an attempt with images for an untested model ends if they are refused, and uses nothing', async () => {
  const cause = Object.assign(new Error('HTTP 400'), { statusCode: 400, responseBody: 'no image input' });
  const refusing: Answer = async () => {
    throw new ModelFailure('provider-error', 'no image input', { cause });
  };
  const images = [{ name: 'a.png', tokens: 800, read: async () => null }];
  const path = [{ role: 'person' as const, text: '12345678', images }];
  expect(await attemptOf(refusing, {}, { ...wishes, path, triesImages: true }).run()).toMatchObject({
    status: 'failed',
    failure: 'images-refused',
    failureDetail: 'no image input',
    images: 'refused',
    usage: { inputTokens: 0, outputTokens: 0 },
  });
});

test('an attempt reports that its model got notes of the question’s images', async () => {
  const images = [{ name: 'a.png', tokens: 0, read: null }];
  const path = [{ role: 'person' as const, text: 'Why?', images }];
  expect(await attemptOf(saying('So.'), {}, { ...wishes, path }).run()).toMatchObject({ images: 'note' });
});

test('an attempt reports which images of the question didn’t fit beside others', async () => {
  const ids = [newId('file'), newId('file')];
  const stored = ids.map((id, at) => ({ id, name: 'a.png', tokens: 0, read: at === 0 ? async () => null : null }));
  const gone = { name: 'b.png', tokens: 0, read: null };
  const images = [...stored, gone];
  const path = [{ role: 'person' as const, text: 'Why?', images }];
  const end = await attemptOf(saying('So.'), {}, { ...wishes, path }).run();
  expect(end).toMatchObject({ leftOut: [ids[1]] });
  expect(end).not.toHaveProperty('images');
});

test('reserves the tokens of images by their size, together with those of the text', async () => {
  const held: number[] = [];
  const budget = new BudgetReservation({
    generation: { upstream: { host: 'models.example', model: 'm' } } as unknown as Generation,
    reservations: { reserve: async ({ inputTokens, outputTokens }) => (held.push(inputTokens), outputTokens) },
  });
  const requestWith = (tokens: number) =>
    ({
      instructions: '',
      passages: [],
      onlyFromDocuments: false,
      beginning: '',
      contextTokens: 8_000,
      maxOutputTokens: null,
      path: [{ role: 'person', text: 'Red?', images: [{ name: 'a.png', tokens, read: async () => null }] }],
      signal: new AbortController().signal,
    }) as unknown as ModelRequest;
  for (const tokens of [0, 800]) await budget.take(requestWith(tokens));
  expect(held[1]! - held[0]!).toBe(800);
});

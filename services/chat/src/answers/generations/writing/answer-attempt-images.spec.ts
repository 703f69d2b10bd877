import { expect, test } from '@jest/globals';
import { ModelFailure, type ModelRequest } from '../../../assistants/models/index.ts';
import { BudgetHold } from './budget-hold.ts';
import type { Generation } from '../rows/generation.collection.ts';
import { attemptOf, nothingWished as wishes, saying, type Answer } from './answer-attempt.spec-setup.ts';

test('an attempt counts images that were sent where no tokens are told, and none that were refused', async () => {
  const images = [{ name: 'a.png', tokens: 800, read: async () => null }];
  const turns = [{ role: 'person' as const, text: '12345678', images }];
  const seen = attemptOf(saying('Red.'), {}, { ...wishes, turns });
  const told = await seen.run();
  expect(told).toMatchObject({ usage: { inputTokens: 802, estimated: true } });
  expect(told).not.toHaveProperty('images');
  const cause = Object.assign(new Error('HTTP 400'), { statusCode: 400, responseBody: 'no image input' });
  const refusing: Answer = async (request, onPart) => {
    if (request.turns[0]!.images![0]!.read) throw new ModelFailure('provider-error', null, { cause });
    onPart({ kind: 'text', text: 'I can’t see it.' });
  };
  const refused = attemptOf(refusing, {}, { ...wishes, turns });
  expect(await refused.run()).toMatchObject({
    status: 'done',
    text: 'I can’t see it.',
    usage: { inputTokens: 2, estimated: true },
    images: 'refused',
  });
});

test('an attempt whose images were only tried ends with their refusal, and has used nothing', async () => {
  const cause = Object.assign(new Error('HTTP 400'), { statusCode: 400, responseBody: 'no image input' });
  const refusing: Answer = async () => {
    throw new ModelFailure('provider-error', 'no image input', { cause });
  };
  const images = [{ name: 'a.png', tokens: 800, read: async () => null }];
  const turns = [{ role: 'person' as const, text: '12345678', images }];
  expect(await attemptOf(refusing, {}, { ...wishes, turns, triesImages: true }).run()).toMatchObject({
    status: 'failed',
    failure: 'images-refused',
    failureDetail: 'no image input',
    images: 'refused',
    usage: { inputTokens: 0, outputTokens: 0 },
  });
});

test('an attempt says that its model was given notes of the images of the question', async () => {
  const images = [{ name: 'a.png', tokens: 0, read: null }];
  const turns = [{ role: 'person' as const, text: 'Why?', images }];
  expect(await attemptOf(saying('So.'), {}, { ...wishes, turns }).run()).toMatchObject({ images: 'note' });
});

test('what an image takes by the rule is held with the text', async () => {
  const held: number[] = [];
  const hold = new BudgetHold({
    generation: { upstream: { host: 'models.example', model: 'm' } } as unknown as Generation,
    reservations: { reserve: async ({ inputTokens, outputTokens }) => (held.push(inputTokens), outputTokens) },
    slot: { heard: () => true, pause: () => undefined },
  });
  const requestWith = (tokens: number) =>
    ({
      instructions: '',
      passages: [],
      onlyFromDocuments: false,
      beginning: '',
      contextTokens: 8_000,
      maxOutputTokens: null,
      turns: [{ role: 'person', text: 'Red?', images: [{ name: 'a.png', tokens, read: async () => null }] }],
      signal: new AbortController().signal,
    }) as unknown as ModelRequest;
  for (const tokens of [0, 800]) await hold.take(requestWith(tokens));
  expect(held[1]! - held[0]!).toBe(800);
});

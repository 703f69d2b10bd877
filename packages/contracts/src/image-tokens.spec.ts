import { describe, expect, test } from '@jest/globals';
import { imageTokens } from './image-tokens.ts';
import type { ProviderKind } from './services/chat/assistants/models.ts';

/** Figures that vendors publish. Gemini 3 takes the same for each image. A new kind doesn't compile without its own. */
const published: Record<
  ProviderKind,
  readonly (readonly [rule: string, width: number, height: number, tokens: number])[]
> = {
  anthropic: [
    ['Anthropic', 951, 1_268, 1_608],
    ['Anthropic', 1_568, 1_568, 3_279],
  ],
  google: [
    ['Google', 960, 540, 6 * 258],
    ['Gemini 3', 30, 30, 1_120],
  ],
  'openai-compatible': [
    ['OpenAI by tiles', 64, 64, 255],
    ['OpenAI by tiles', 1_568, 100, 85 + 170 * 4],
    ['OpenAI by patches', 1_024, 1_024, Math.ceil(1_024 * 2.46)],
    ['OpenAI by patches', 1_800, 2_400, Math.ceil(1_452 * 2.46)],
  ],
};

describe('tokens of an image', () => {
  test.each(Object.values(published).flat())('are at least those of %s: %d x %d', (_rule, width, height, tokens) => {
    expect(imageTokens({ width, height })).toBeGreaterThanOrEqual(tokens);
  });

  test.each([
    [30, 30, 1_120],
    [700, 700, 1_191],
    [1_024, 1_024, 2_520],
    [1_568, 1_568, 3_779],
  ])('are no more than the rule that says most: %d x %d', (width, height, tokens) => {
    expect(imageTokens({ width, height })).toBe(tokens);
  });

  test('leave room for one in what is assumed of a model: half of 8,000', () => {
    const sides = [1, 200, 400, 784, 1_000, 1_200, 1_568];
    for (const width of sides) for (const height of sides) expect(imageTokens({ width, height })).toBeLessThan(4_000);
  });
});

import { describe, expect, test } from '@jest/globals';
import { imageTokens } from './image-tokens.ts';
import type { ProviderKind } from './services/chat/assistants/models.ts';

/**
 * Lists the tokens of images that vendors publish, by kind of provider. Gemini 3 counts the same for each image. A new
 * kind of provider doesn't compile without an entry here.
 */
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

describe('imageTokens', () => {
  test.each(Object.values(published).flat())(
    'returns at least the tokens that %s counts: %d x %d',
    (_rule, width, height, tokens) => {
      expect(imageTokens({ width, height })).toBeGreaterThanOrEqual(tokens);
    },
  );

  test.each([
    [30, 30, 1_120],
    [700, 700, 1_191],
    [1_024, 1_024, 2_520],
    [1_568, 1_568, 3_779],
  ])('returns no more tokens than the highest of the vendors’ rules: %d x %d', (width, height, tokens) => {
    expect(imageTokens({ width, height })).toBe(tokens);
  });

  test('returns less than half of the assumed context of 8,000 tokens for any image', () => {
    const sides = [1, 200, 400, 784, 1_000, 1_200, 1_568];
    for (const width of sides) for (const height of sides) expect(imageTokens({ width, height })).toBeLessThan(4_000);
  });
});

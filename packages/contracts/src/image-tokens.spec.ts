import { describe, expect, test } from '@jest/globals';
import { imageTokens } from './image-tokens.ts';

describe('tokens of an image', () => {
  // The table of Anthropic's page on images.
  test.each([
    [200, 200, 54],
    [1_000, 1_000, 1_334],
    [1_092, 1_092, 1_590],
    [951, 1_268, 1_608],
  ])('Anthropic: %d x %d', (width, height, tokens) => {
    expect(imageTokens('anthropic', { width, height })).toBe(tokens);
  });

  // The examples of Google's page on tokens.
  test.each([
    [384, 384, 258],
    [960, 540, 6 * 258],
  ])('Google: %d x %d', (width, height, tokens) => {
    expect(imageTokens('google', { width, height })).toBe(tokens);
  });

  // By tiles 1024 x 1024 are 765 and 2048 x 4096 are 1105; by patches 1,024 and 1,536.
  test.each([
    [64, 64, 255],
    [1_024, 1_024, 1_024],
    [2_048, 4_096, 1_536],
    [1_568, 784, 1_225],
  ])('OpenAI, by tiles or by patches, whichever is more: %d x %d', (width, height, tokens) => {
    expect(imageTokens('openai-compatible', { width, height })).toBe(tokens);
  });

  test('are bounded by size for what Parley sends', () => {
    const most = { width: 1_568, height: 1_568 };
    expect(imageTokens('anthropic', most)).toBe(3_279);
    expect(imageTokens('openai-compatible', most)).toBe(1_536);
    expect(imageTokens('google', most)).toBe(9 * 258);
  });
});

import { describe, expect, test } from '@jest/globals';
import { tokenise } from './tokenise.ts';

describe('tokenise', () => {
  test.each([
    ['words and numbers, folded', 'The CAFÉ opens at 7:30', ['the', 'cafe', 'opens', 'at', '7', '30']],
    ['Arabic without vowel marks', 'مُحَمَّد', ['محمد']],
    ['full-width forms', 'ＶＰＮ', ['vpn']],
    ['Japanese as pairs', '東京都', ['東京', '京都']],
    ['a lone sign', '水', ['水']],
    ['mixed scripts in one word', 'VPN接続', ['vpn', '接続']],
    ['nothing', ' … ', []],
  ])('returns terms for %s', (_name, text, terms) => {
    expect(tokenise(text)).toEqual(terms);
  });

  test('cuts Thai by dictionary instead of keeping it as one word', () => {
    expect(tokenise('ภาษาไทย').length).toBeGreaterThan(1);
  });
});

import { describe, expect, test } from '@jest/globals';
import { patternOf } from './regex.ts';

describe('patterns of queries', () => {
  test.each([
    ['^abc', '', 'abc'],
    ['^a\\.b', '', 'a.b'],
    ['^ab*', '', 'a'],
    ['^ab?c', '', 'a'],
    ['^a\\+?', '', 'a'],
    ['^abc.*', '', 'abc'],
    ['^abc$', '', 'abc'],
    ['^(ab)', '', undefined],
    ['abc', '', undefined],
    ['^a|b', '', undefined],
    ['^abc', 'i', undefined],
  ])('%s with options "%s" begins with %s', (source, options, prefix) => {
    expect(patternOf(source, options).prefix).toBe(prefix);
  });

  test.each([
    ['a.b', '', 'a\u2028b', true],
    ['a.b', '', 'a\nb', false],
    ['a.b', 's', 'a\nb', true],
    ['a$', '', 'a\n', true],
    ['a$', '', 'a\nb', false],
    ['a$', 'm', 'a\nb', true],
    ['\\s', '', '\u00a0', false],
    ['[\\s]', '', ' ', true],
    ['a\\-b', '', 'a-b', true],
    ['[a\\-c]', '', 'b', false],
    ['a{,2}', '', 'a{,2}', true],
    ['x{2}', '', 'xx', true],
    ['[]a]', '', ']', true],
    ['é', 'i', 'É', true],
  ])('%s with options "%s" on %j is %s', (source, options, text, matches) => {
    expect(patternOf(source, options).expression.test(text)).toBe(matches);
  });

  test.each([
    '^(a+)+$',
    '(a|a)*b',
    '((a)*b)*',
    '(a{1,9}){2,}',
    '(x(y|z))+',
    '.*.*.*.*x',
    '(a)\\1',
    '[a-z]+@([a-z]+[.])+x',
    'a'.repeat(1_001),
  ])('%s could run without end and is refused', (source) => {
    expect(() => patternOf(source, '')).toThrow('without end');
  });
  test.each(['^app.*', '(ab)+', 'a|b', '(a|b)c', '[(a+)+]*', '\\(a+\\)+', 'x{2,4}', '(ab?c)', '^.*a.*b.*'])(
    '%s ends',
    (source) => expect(patternOf(source, '').source).toBe(source),
  );

  test.each(['(?i)a', 'a++', '\\Aa', '\\Qa\\E', '[[:alpha:]]', '(?<n>a)', '(?>a)', '(', '\\p{L}'])(
    '%s is refused',
    (source) => {
      expect(() => patternOf(source, '')).toThrow(expect.objectContaining({ code: 51091 }));
    },
  );
});

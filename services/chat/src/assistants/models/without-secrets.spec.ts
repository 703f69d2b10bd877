import { expect, test } from '@jest/globals';
import { withoutSecrets } from './without-secrets.ts';

test.each<[string, string, string]>([
  ['the key in use, whatever it looks like', 'no credit for a+b/c=d today', 'no credit for … today'],
  ['what looks like a key', 'bad sk-abcdefghijkl, Bearer abcdefgh-12345678', 'bad sk…, Bearer…'],
  ['who signs in at an address', 'GET http://me:pass@models.example:8080/v1', 'GET http://models.example:8080/v1'],
  [
    'parameters of an address',
    'see "https://models.example/v1?key=1#2", please',
    'see "https://models.example/v1", please',
  ],
])('%s is not told', (_what, said, told) => expect(withoutSecrets(said, 'a+b/c=d')).toBe(told));

test('an address by itself is told, for it says what to do', () => {
  const said = 'Find your key at https://platform.openai.com/account/api-keys.';
  expect(withoutSecrets(said, null)).toBe(said);
});

test('it is one line of 300 characters, and a key at its end is not half told', () => {
  const said = `${'x\n'.repeat(149)}${'secret-of-mine'.repeat(2)}`;
  expect(withoutSecrets(said, 'secret-of-mine')).toBe(`${'x '.repeat(149)}……`);
  expect(withoutSecrets('x'.repeat(400), null)).toHaveLength(300);
});

import { expect, test } from '@jest/globals';
import { bffProcessConfig } from './bff-process.config.ts';

const doorFaults = (given: Record<string, string>): unknown[] =>
  (bffProcessConfig.safeParse(given).error?.issues ?? [])
    .filter(({ path }) => /PUBLIC_URL|PROXY/.test(String(path[0])))
    .map(({ path }) => path[0]);

test('the public address is https behind a named proxy, or localhost, or a risk that was taken', () => {
  expect(doorFaults({ PARLEY_PUBLIC_URL: 'https://chat.example', PARLEY_TRUSTED_PROXY: '10.0.0.0/8' })).toEqual([]);
  expect(doorFaults({ PARLEY_PUBLIC_URL: 'http://localhost:3000' })).toEqual([]);
  expect(doorFaults({ PARLEY_PUBLIC_URL: 'http://chat.example', PARLEY_INSECURE_HTTP: 'true' })).toEqual([]);
  expect(doorFaults({ PARLEY_PUBLIC_URL: 'https://chat.example' })).toEqual(['PARLEY_TRUSTED_PROXY']);
  expect(doorFaults({ PARLEY_PUBLIC_URL: 'http://chat.example' })).toEqual(['PARLEY_PUBLIC_URL']);
  expect(doorFaults({ PARLEY_PUBLIC_URL: 'chat.example' })).toEqual(['PARLEY_PUBLIC_URL']);
});

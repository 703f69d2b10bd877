import { describe, expect, test } from '@jest/globals';
import { bindRefusal, embeddedConfig } from './embedded-settings.ts';

const refusal = (settings: Record<string, string>) => bindRefusal(embeddedConfig.parse(settings));

describe('which address may be listened on', () => {
  test.each<[string, Record<string, string>]>([
    ['the default', {}],
    ['loopback by name', { PARLEY_HOST: 'localhost' }],
    ['anything with TLS', { PARLEY_HOST: '0.0.0.0', PARLEY_TLS_CERT: 'c', PARLEY_TLS_KEY: 'k' }],
    [
      'behind a named proxy with TLS',
      { PARLEY_HOST: '0.0.0.0', PARLEY_PUBLIC_URL: 'https://chat.example', PARLEY_TRUSTED_PROXY: '10.0.0.2' },
    ],
    ['a container published on loopback', { PARLEY_HOST: '0.0.0.0', PARLEY_PUBLIC_URL: 'http://localhost:3000' }],
    ['by accepting the risk', { PARLEY_HOST: '0.0.0.0', PARLEY_INSECURE_HTTP: 'true' }],
  ])('%s', (_name, settings) => expect(refusal(settings)).toBeNull());

  test.each<[string, Record<string, string>]>([
    ['all addresses', { PARLEY_HOST: '0.0.0.0' }],
    ['TLS elsewhere without a named proxy', { PARLEY_HOST: '0.0.0.0', PARLEY_PUBLIC_URL: 'https://chat.example' }],
    ['a plain public address', { PARLEY_HOST: '::', PARLEY_PUBLIC_URL: 'http://chat.example' }],
    ['half a certificate', { PARLEY_TLS_CERT: 'c' }],
  ])('not %s', (_name, settings) => expect(refusal(settings)).toMatch(/^(Listening|Give)/));
});

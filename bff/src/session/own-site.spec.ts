import { describe, expect, test } from '@jest/globals';
import { csrfHeader } from '@parley/protocol';
import { OwnSite } from './own-site.ts';

const behindProxy = new OwnSite({ publicUrl: 'https://chat.example', isInsecureHttp: false, tls: null });
const onThisMachine = new OwnSite({ publicUrl: null, isInsecureHttp: false, tls: null });

const asking = (host: string | undefined) => ({
  headers: { host },
  rawHeaders: host === undefined ? [] : ['Host', host],
});

describe('a host name', () => {
  test.each<[string | undefined, boolean]>([
    ['chat.example', true],
    ['CHAT.example', true],
    ['chat.example.evil', false],
    ['evil.example', false],
    ['localhost:3000', true],
    ['127.0.0.1:3000', true],
    ['[::1]:3000', true],
    ['localhost.evil:3000', false],
    [undefined, false],
  ])('%s: own is %s', (host, isOwn) => {
    expect(behindProxy.isOwnHost(asking(host))).toBe(isOwn);
  });

  test('of another machine is not own where no public address is known', () => {
    expect(onThisMachine.isOwnHost(asking('chat.example'))).toBe(false);
    const asked = new OwnSite({ publicUrl: null, isInsecureHttp: true, tls: null });
    expect(asked.isOwnHost(asking('192.168.0.7:3000'))).toBe(true);
  });
});

test('a request that names two hosts is not ours', () => {
  const { headers, rawHeaders } = asking('localhost:3000');
  expect(onThisMachine.isOwnHost({ headers, rawHeaders })).toBe(true);
  expect(onThisMachine.isOwnHost({ headers, rawHeaders: [...rawHeaders, 'host', 'evil.example'] })).toBe(false);
});

describe('a change', () => {
  const csrf = { [csrfHeader]: '1' };
  const outcome = (headers: Record<string, string>): string => {
    try {
      behindProxy.checkChange({ headers: { host: 'chat.example', ...headers } });
      return 'passes';
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  test.each<[string, Record<string, string>]>([
    ['of our own pages', { ...csrf, 'sec-fetch-site': 'same-origin' }],
    ['of our own origin', { ...csrf, origin: 'https://chat.example' }],
    ['of a program', csrf],
  ])('%s passes', (_whose, headers) => expect(outcome(headers)).toBe('passes'));

  test.each<[string, Record<string, string>]>([
    ['without the header that no other site can send', { 'sec-fetch-site': 'same-origin' }],
    ['of another site', { ...csrf, 'sec-fetch-site': 'cross-site' }],
    ['of a neighbour below the same domain', { ...csrf, 'sec-fetch-site': 'same-site' }],
    ['of another origin', { ...csrf, origin: 'https://evil.example' }],
    ['of no origin at all', { ...csrf, origin: 'null' }],
    ['that says two things', { ...csrf, 'sec-fetch-site': 'cross-site', origin: 'https://chat.example' }],
  ])('%s is refused', (_whose, headers) => expect(outcome(headers)).toBe('bff.cross-site'));
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { outboundAddress } from '@parley/contracts';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { outboundAllow } from './outbound-allow.ts';
import { isPublicAddress, OutboundClient } from './outbound.ts';

const notPublic = [
  '127.0.0.1',
  '127.1.2.3',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  'fc00::1',
  'fe80::1',
  'ff02::1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '198.18.0.1',
  '192.0.2.1',
  'localhost',
  '',
  '64:ff9b:1::1',
  'fec0::1',
  '3fff::1',
  '5f00::1',
  '2001:db8::1',
  '2001:2::1',
  '2001:20::1',
  '2620:4f:8000::1',
  '100::1',
  '4000::1',
];

describe('isPublicAddress', () => {
  test.each(notPublic)('%s is not a public address', (address) => expect(isPublicAddress(address)).toBe(false));
  test.each(['1.1.1.1', '93.184.216.34', '2606:4700::1111', '2a00:1450:4001::200e', '::ffff:1.1.1.1'])(
    '%s is a public address',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
});

describe('OutboundClient', () => {
  let server: Server;
  let port = 0;
  let hits = 0;
  beforeAll(async () => {
    server = createServer((request, response) => {
      hits += 1;
      if (request.url === '/redirect') response.writeHead(302, { location: `http://127.0.0.1:${port}/` });
      response.end('ok');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => void server.close());

  const spellings = (at: number) =>
    ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '[::ffff:127.0.0.1]', '[::1]'].map(
      (host) => `http://${host}:${at}/`,
    );
  const call = { method: 'GET', signal: AbortSignal.timeout(30_000) } as const;

  test('refuses every spelling of loopback before a packet leaves', async () => {
    const client = new OutboundClient({ allows: () => false, connectTimeoutMs: 1_000 });
    for (const url of spellings(port)) {
      await expect(client.request(url, call)).rejects.toMatchObject({ code: 'platform.address-not-allowed' });
    }
    expect(hits).toBe(0);
    await client.close();
  });

  test.each<[string, { connections?: number }, number]>([
    ['without a bound of its own starts each at once', {}, 150],
    ['with a bound lets more wait', { connections: 8 }, 8],
  ])('of 150 calls to one server a client %s', async (_what, bound, most) => {
    const open: ServerResponse[] = [];
    let haveCome = () => {};
    const come = new Promise<void>((resolve) => (haveCome = resolve));
    const slow = createServer((request, response) => {
      if (request.url === '/last') response.end();
      else if (open.push(response) === most) haveCome();
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`;
    const client = new OutboundClient({ allows: () => true, connectTimeoutMs: 10_000, ...bound });
    const calls = Array.from({ length: 150 }, () => client.request(url, call).catch(() => null));
    await come;
    // Sends a request by another client, which arrives after everything that the first client started.
    const last = new OutboundClient({ allows: () => true, connectTimeoutMs: 10_000 });
    (await last.request(`${url}last`, call)).body.resume();
    await last.close();
    expect(open).toHaveLength(most);
    await client.close();
    await Promise.all(calls);
    slow.close();
  });

  test('calls an allowed address, and doesn’t follow a redirect', async () => {
    const client = new OutboundClient({
      allows: (address) => address === `127.0.0.1:${port}`,
      connectTimeoutMs: 1_000,
    });
    const { statusCode, body } = await client.request(`http://127.0.0.1:${port}/`, call);
    expect(statusCode).toBe(200);
    for await (const chunk of body) expect(new TextDecoder().decode(chunk)).toBe('ok');
    expect((await client.request(`http://127.0.0.1:${port}/redirect`, call)).statusCode).toBe(302);
    await expect(client.request(`http://user:secret@127.0.0.1:${port}/`, call)).rejects.toMatchObject({
      code: 'platform.address-not-allowed',
    });
    await client.close();
  });
});

test('never calls the metadata addresses of clouds, even if they are allowed', async () => {
  const client = new OutboundClient({ allows: () => true, connectTimeoutMs: 1_000 });
  const refused = { code: 'platform.address-not-allowed' };
  for (const host of [
    '169.254.169.254',
    '[fe80::1]',
    '[::ffff:169.254.169.254]',
    '[fd00:ec2::254]',
    '100.100.100.200',
  ]) {
    await expect(client.check(`http://${host}/`)).rejects.toMatchObject(refused);
    const call = { method: 'GET', signal: AbortSignal.timeout(5_000) } as const;
    await expect(client.request(`http://${host}/`, call)).rejects.toMatchObject(refused);
  }
  await client.close();
});

describe('addresses that an operator or a platform admin allows', () => {
  test.each(['10.0.0.5:11434', 'models.internal:443', '[fd00::1]:80', 'host:65535'])(
    'accepts %s as an allowed address',
    (address) => {
      expect(outboundAddress.parse(address)).toBe(address);
      expect(outboundAllow.parse(` ${address},`)).toEqual([address]);
    },
  );
  test.each(['host:99999', 'host:65536', 'host:0', '*:80', '*.internal:80', 'host', 'host:', 'http://host:80', '::1'])(
    'refuses %s as an allowed address',
    (address) => {
      expect(outboundAddress.safeParse(address).success).toBe(false);
      expect(outboundAllow.safeParse(`models.internal:443,${address}`).success).toBe(false);
    },
  );
});

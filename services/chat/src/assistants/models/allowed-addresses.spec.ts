import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { jobScope } from '@parley/platform/mongo';
import { aPerson, testStore } from '@parley/testing';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Reloads } from '../../reloads.ts';
import { AllowedAddressesService } from './allowed-addresses.service.ts';
import { Outbound } from './outbound.ts';
import { ProvidersRepository } from './providers.repository.ts';

const { mongo, clock, work, ready } = await testStore();
const providers = new ProvidersRepository(mongo);
const settings = { outboundAllow: [], modelServerPorts: {} } as never;
const outbound = new Outbound(providers, settings, clock, {} as Reloads);
/** Another process of chat. */
const elsewhere = new Outbound(providers, settings, clock, {} as Reloads);
const allowed = new AllowedAddressesService(providers, outbound, clock, work);
const tests = jobScope('tests');
const admin = aPerson({ name: 'Greta Solvain' });
const server = createServer((_request, response) => response.end('here'));
let address: string;

beforeAll(async () => {
  await ready();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await Promise.all([outbound, elsewhere].map((one) => one.onApplicationShutdown()));
  server.close();
});

const allow = (what: string, principal = admin) =>
  allowed.allow({ scope: tests, principal, body: { address: what } } as never);
const disallow = (what: string) =>
  allowed.disallow({ scope: tests, principal: admin, query: { address: what } } as never);
const list = async () => (await allowed.list({ scope: tests, query: { limit: 50 } } as never)).items;
const call = async ({ client }: Outbound): Promise<string> => {
  const { body } = await client.request(`http://${address}/`, { method: 'GET', signal: AbortSignal.timeout(5_000) });
  return text(body);
};

describe('an address in a private network', () => {
  test('may be called once a platform admin has allowed it, in every process, and not any more once it is revoked', async () => {
    const refused = { code: 'platform.address-not-allowed' };
    await expect(call(outbound)).rejects.toMatchObject(refused);
    await allow(address);
    expect(await call(outbound)).toBe('here');
    await elsewhere.reload();
    expect(await call(elsewhere)).toBe('here');
    await disallow(address);
    // The connection of before is still open, and not used.
    await expect(call(outbound)).rejects.toMatchObject(refused);
    await elsewhere.reload();
    await expect(call(elsewhere)).rejects.toMatchObject(refused);
  });

  test('is listed with who has allowed it first, and when', async () => {
    const at = clock.now().toISOString();
    const first = { address: 'models.internal:443', by: { userId: admin.userId, name: 'Greta Solvain' }, at };
    expect(await allow('models.internal:443')).toEqual(first);
    expect(await allow('models.internal:443', aPerson())).toEqual(first);
    expect(await list()).toEqual([first]);
    for (const _ of [1, 2]) await disallow('models.internal:443');
    expect(await list()).toEqual([]);
  });
});

test.each(['169.254.169.254:80', '[fd00:ec2::254]:80', '[fe80::1]:80', '100.100.100.200:80', '[::ffff:a9fe:a9fe]:80'])(
  '%s is never allowed',
  async (secretive) => {
    await expect(allow(secretive)).rejects.toMatchObject({ code: 'platform.address-not-allowed' });
  },
);
